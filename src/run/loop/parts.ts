import type { Toolbox } from '../tool/toolbox.ts';
import type { Watch } from '../tool/watch.ts';
import type { Caller } from './caller.ts';
import type { Ending } from './ending.ts';
import type { RunEvent } from './event.ts';
import type { FinalAnswer } from './final-answer.ts';
import type { Ledger } from './ledger.ts';
import type { LimitCounter } from './limits.ts';
import type { RunOptions } from './options.ts';
import type { ResultReader } from './read-result.ts';

/** What one run is made of, for those who do a part of its work. */
export interface RunParts {
  readonly options: RunOptions;
  /** The tools of the run; with the one that carries the answer, where there is one. */
  readonly box: Toolbox;
  readonly answer: FinalAnswer | undefined;
  readonly ledger: Ledger;
  readonly limits: LimitCounter;
  readonly reader: ResultReader;
  /** Knows the number of the step that is under way. */
  readonly caller: Caller;
  readonly watch: Watch;
  readonly ending: Ending;
  /** Undefined while nobody listens: then no event is made. */
  readonly emitter: () => ((event: RunEvent) => void) | undefined;
}
