/** A fault to plant, and the test that must see it. */
export interface Mutation {
  readonly name: string;
  /** The promise that it breaks, as a sentence. */
  readonly promise: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The test file that turns red. */
  readonly test: string;
}
