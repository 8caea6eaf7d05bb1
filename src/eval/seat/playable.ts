import type { Model } from '../../base/message/model.ts';
import type { Seat } from './speaker.ts';

/** Which tasks of a benchmark: of a domain or a category, and of one split where it has some. */
export interface TaskChoice {
  readonly part?: string;
  readonly split?: string;
  /** Whether the agent is alone, with nobody to talk to. */
  readonly isSolo?: boolean;
}

/** A benchmark of which some tasks are opened to be played. */
export interface PlayableBenchmark {
  /** What was opened, such as `tau-bench/airline`: tasks are called by it and their own name. */
  readonly name: string;
  readonly tasks: readonly string[];
  /** Whether somebody is talked to, whom a model must speak for. */
  readonly hasPerson: boolean;
  /** Whether a task's reward rests on what only a judge can tell. */
  needsJudge?(task: string): boolean;
  /** Both sides as the task itself says is right: they earn the whole reward. Absent where a task says no such thing. */
  gold?(task: string): Sides;
  play(task: string, sides: Sides): Promise<PlayedTask>;
  /** Asks a judge of what was played, and grades it with that. */
  judge?(line: string, judge: TaskJudge): Promise<JudgedTask>;
}

export interface Sides {
  readonly agent: Seat;
  /** Absent: nobody answers, and the agent's last words end the episode. */
  readonly person?: Seat;
}

export interface TaskJudge {
  readonly model: Model;
  /** An odd number; the majority decides. */
  readonly votes: number;
}

/** An episode that is over, graded by the benchmark's rules. */
export interface PlayedTask {
  /** `null` where it waits for a judge. */
  readonly reward: number | null;
  readonly reasons: readonly string[];
  /** What the agent said or called, each counted once. */
  readonly turns: number;
  /** Why it ended. */
  readonly ended: string;
  /** What was played, as `whet benchmark score` reads it: it can be graded again. */
  readonly line: string;
}

export type JudgedTask =
  | (Pick<PlayedTask, 'line' | 'reasons'> & { readonly reward: number; readonly promptHash: string })
  /** The judge failed, which says nothing of what was played. */
  | { readonly fault: string };
