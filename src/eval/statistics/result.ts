/** What came of one trial of one task. */
export interface TaskResult {
  readonly task: string;
  /** What the task was made from: results of one template resemble each other. A task without one is its own. */
  readonly template?: string;
  readonly trial?: number | string;
  /** From 0 to 1. */
  readonly reward: number;
  /** Whether the reward is 1, where it is left out. */
  readonly success?: boolean;
}

export function isSuccess({ reward, success }: TaskResult): boolean {
  return success ?? reward === 1;
}

/** The template that a result counts for. */
export function templateOf({ template, task }: TaskResult): string {
  return template === undefined ? `task ${task}` : `template ${template}`;
}

/** A task is known by its template and its name together. */
export function taskOf(result: TaskResult): string {
  return `${templateOf(result)}\n${result.task}`;
}

/** A group of numbers that resemble each other. */
export type Cluster = readonly number[];

export function clustersOf(
  results: readonly TaskResult[],
  value: (result: TaskResult) => number,
): readonly Cluster[] {
  return [...Map.groupBy(results, templateOf).values()].map((group) => group.map(value));
}
