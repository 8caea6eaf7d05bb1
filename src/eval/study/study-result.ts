import type { Message } from '../../base/message/message.ts';
import type { TaskResult } from '../statistics/result.ts';
import type { Spent } from './player-model.ts';
import type { AnswerVerdict } from './question/judge-answer.ts';
import type { QuestionCall } from './question/played-question.ts';

/** What came of one cell of a suite, and what it was read from. */
export interface StudyResult extends TaskResult {
  readonly key: string;
  readonly player: string;
  readonly template: string;
  readonly trial: number;
  readonly success: boolean;
  /** Turns of an episode, or replies to a question. */
  readonly turns: number;
  readonly spent?: Spent;
  /** The episode, next to the log. */
  readonly episode?: string;
  /** The judge failed on the episode: it is kept, is not a result, and is played again. */
  readonly judgeFault?: string;
  readonly answer?: AnswerRecord;
  /** Of a benchmark's task. */
  readonly played?: BenchmarkRecord;
}

/** What was played of a benchmark: enough to grade it again without a network. */
export interface BenchmarkRecord {
  readonly benchmark: string;
  /** The folder of the data by which it was graded. */
  readonly data: string;
  readonly ended: string;
  readonly reasons: readonly string[];
  /** As `whet benchmark score` reads it. */
  readonly line: string;
  /** The judge that was asked, and with which prompt. */
  readonly judge?: { readonly model: string; readonly promptHash: string };
  /** The judge failed: what was played is kept, and is not a result before it is judged. */
  readonly judgeFault?: string;
}

/** Why a line is not a result yet: its judge failed. */
export function judgeFaultOf({
  answer,
  played,
  judgeFault,
}: Pick<StudyResult, 'answer' | 'played' | 'judgeFault'>): string | undefined {
  return judgeFault ?? answer?.judgeFault ?? played?.judgeFault;
}

/** What a player did with a question: enough to judge it again without a network. */
export interface AnswerRecord {
  readonly text: string;
  readonly calls: readonly QuestionCall[];
  readonly ended: string;
  readonly messages: readonly Message[];
  readonly verdict?: AnswerVerdict;
  /** The judge failed: the answer is kept, and is not a result before it is judged. */
  readonly judgeFault?: string;
}
