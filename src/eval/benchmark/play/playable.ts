import type { Seat, Utterance } from './speaker.ts';

/** A benchmark of which some tasks are opened to be played. */
export interface PlayableBenchmark {
  /** What was opened, such as `tau-bench/airline`: tasks are called by it and their own name. */
  readonly name: string;
  readonly tasks: readonly string[];
  /** Whether somebody is talked to, whom a model must speak for. */
  readonly hasPerson: boolean;
  /** What the task itself says is right: it earns the whole reward, without a person. Absent where a task says no such thing. */
  gold?(task: string): readonly Utterance[];
  play(task: string, sides: Sides): Promise<PlayedTask>;
}

export interface Sides {
  readonly agent: Seat;
  /** Absent: nobody answers, and the agent's last words end the episode. */
  readonly person?: Seat;
}

/** An episode that is over, graded by the benchmark's rules. */
export interface PlayedTask {
  readonly reward: number;
  readonly reasons: readonly string[];
  /** What the agent said or called, each counted once. */
  readonly turns: number;
  /** Why it ended. */
  readonly ended: string;
  /** What was played, as `whet benchmark score` reads it: it can be graded again. */
  readonly line: string;
}
