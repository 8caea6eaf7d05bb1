/** What judges said of one criterion: kept with the episode, so that a grade replays without them. */
export interface Verdict {
  /** From 0 to 1: the mean of the votes. For a failure: 1 means that it happened. */
  readonly score: number;
  readonly votes: readonly number[];
  readonly reason: string;
  readonly turn?: number;
  /** The judge failed: the criterion is not judged. */
  readonly failed?: boolean;
}

export type Verdicts = Readonly<Record<string, Verdict>>;
