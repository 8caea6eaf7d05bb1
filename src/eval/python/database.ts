import { deepCopy, type PythonDict, type PythonValue } from './value.ts';

/**
 * A table of records by their ids, for one episode: a record is copied when it is first taken, so that fresh data cost
 * only what an episode touches.
 */
export class Table extends Map<string, PythonValue> {
  readonly #taken = new Set<string>();
  readonly #original: PythonDict;

  constructor(original: PythonDict) {
    super();
    // Not by the constructor of Map: it would call `set` before there is a set to note it in.
    this.#original = original;
    for (const [id, record] of original) super.set(id, record);
  }

  override get(id: string): PythonValue | undefined {
    const record = super.get(id);
    if (record === undefined || this.#taken.has(id)) return record;
    const copy = deepCopy(record);
    this.set(id, copy);
    return copy;
  }

  override set(id: string, record: PythonValue): this {
    this.#taken.add(id);
    return super.set(id, record);
  }

  /** A record only to be looked at. */
  peek(id: string): PythonValue | undefined {
    return super.get(id);
  }

  /** Whether a record is still the very one that the table began with. */
  isUntouched(id: string): boolean {
    return !this.#taken.has(id) && this.#original.has(id);
  }
}
