import type { Evidence } from '../language/evidence.ts';
import type { PlayState } from '../scenario/play-state.ts';
import type { QuestionIndex } from './question-index.ts';

/** What a person bases a reply on. */
export interface ReplyContext {
  readonly index: QuestionIndex;
  readonly state: PlayState;
  readonly evidence: Evidence | undefined;
  /** The message, where it may be one of the examples and is to be heard as if it were not. */
  readonly unseen: string | undefined;
}
