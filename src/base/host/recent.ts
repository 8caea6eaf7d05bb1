/**
 * A map that forgets what was not asked for longest: once half of `size` has come since, and at the latest once it
 * holds `size`. Two maps of which the older is dropped whole cost a tenth of one that moves each value it is asked for.
 * Where values differ in size, `weigh` says what each of them takes of it.
 */
export class Recent<Key, Value> {
  readonly #half: number;
  readonly #weigh: (value: Value) => number;
  #newer = new Map<Key, Value>();
  #older = new Map<Key, Value>();
  /** What the newer values weigh. */
  #weight = 0;

  constructor(size: number, weigh: (value: Value) => number = () => 1) {
    this.#half = Math.ceil(size / 2);
    this.#weigh = weigh;
  }

  get(key: Key): Value | undefined {
    const value = this.#newer.get(key);
    if (value !== undefined) return value;
    const kept = this.#older.get(key);
    if (kept !== undefined) this.set(key, kept);
    return kept;
  }

  set(key: Key, value: Value): void {
    const weight = this.#weigh(value);
    this.#forgetNewer(key);
    this.#older.delete(key);
    if (weight > this.#half) return;
    if (this.#weight + weight > this.#half) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#weight = 0;
    }
    this.#newer.set(key, value);
    this.#weight += weight;
  }

  delete(key: Key): void {
    this.#forgetNewer(key);
    this.#older.delete(key);
  }

  #forgetNewer(key: Key): void {
    const value = this.#newer.get(key);
    if (value === undefined) return;
    this.#newer.delete(key);
    this.#weight -= this.#weigh(value);
  }
}
