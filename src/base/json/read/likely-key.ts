import type { ExactJson } from '../value.ts';

/**
 * One key in the order in which the objects at one place had theirs: the next object there most likely goes the same
 * way, and then its keys need not be cut out, hashed or looked for again (records read 12 to 18 % faster).
 */
export class LikelyKey {
  /** How many objects have been at this place, as long as they are few. */
  #made = 0;
  #Maker: Maker | undefined;
  readonly key: string;
  /** An earlier step of this way has the same key. */
  readonly repeated: boolean;
  next: LikelyKey | undefined;
  /** How objects under this key begin. */
  inner: LikelyKey | undefined;

  constructor(key: string, repeated: boolean) {
    this.key = key;
    this.repeated = repeated;
  }

  /**
   * A new object for this place. Where there have been many they come from a constructor of their own: V8 finds out how many
   * members those have and makes room for them in the object itself (records take 7 % less memory). Such an object is a
   * plain one to everybody else.
   */
  make(): Members {
    if (this.#made < many) {
      this.#made++;
      return {};
    }
    return new (this.#Maker ??= newMaker())();
  }
}

/** Fewer are made faster by a literal. */
const many = 1000;

type Members = Record<string, ExactJson>;
type Maker = new () => Members;

function newMaker(): Maker {
  const maker = function () {} as unknown as Maker;
  maker.prototype = Object.prototype;
  return maker;
}
