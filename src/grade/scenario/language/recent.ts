/**
 * Remembers what was looked up lately, and never more than twice `most`: what nobody has asked for while so much else was
 * met is forgotten. Whoever sends words without end costs itself, and takes nothing from those that everybody says.
 */
export class Recent<Key, Value> {
  readonly #most: number;
  #young = new Map<Key, Value>();
  #old: ReadonlyMap<Key, Value> = new Map();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
