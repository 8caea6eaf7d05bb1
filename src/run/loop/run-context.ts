import type { Deadlines } from '../tool/call/deadlines.ts';
import type { ToolUse } from '../tool/lifecycle.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { CallRunner } from './call-runner.ts';
import type { Cancellation } from './cancellation.ts';
import type { RunEvent } from './event.ts';
import type { FinalAnswer } from './final-answer.ts';
import type { GuardPost } from './guard.ts';
import type { LimitCounter } from './limits.ts';
import type { RunOptions } from './option/options.ts';
import type { Run } from './run.ts';
import type { ResultReader } from './read-result.ts';
import type { RunLog } from './journal/run-log.ts';

/** What one run is made of, for those who do a part of its work. */
export interface RunContext {
  readonly options: RunOptions;
  /** Starts a run inside this one. */
  readonly start: (options: RunOptions) => Run;
  /** The tools of the run; with the one that carries the answer, where there is one. */
  readonly box: Toolbox;
  readonly use: ToolUse;
  readonly answer: FinalAnswer | undefined;
  readonly log: RunLog;
  readonly limits: LimitCounter;
  readonly reader: ResultReader;
  /** Knows the number of the step that is under way. */
  readonly callRunner: CallRunner;
  readonly deadlines: Deadlines;
  readonly cancellation: Cancellation;
  /** Undefined where nothing is guarded: then nothing is asked. */
  readonly guards: GuardPost | undefined;
  /** Undefined while nobody listens: then no event is made. */
  readonly emitter: () => ((event: RunEvent) => void) | undefined;
}
