/** What a reader puts up with. Absent: no limit. */
export interface JsonLimits {
  /** How deep containers may stand in each other; `[]` is 1. */
  readonly depth?: number;
  /** How many characters (UTF-16 units) the whole text may have. */
  readonly length?: number;
  /** How many members one object or array may have. */
  readonly members?: number;
}

/** For text that comes from a network: far above what tools need, far below what hurts. */
export const networkLimits: JsonLimits = { depth: 256, length: 16 * 1024 * 1024, members: 100_000 };
