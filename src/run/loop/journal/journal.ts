import type { Message } from '../../../base/message/message.ts';
import type { Reply } from '../../../base/message/model.ts';
import type { AssistantPart } from '../../../base/message/part.ts';
import type { Result } from '../../../base/message/result.ts';
import type { ApprovalMade } from '../../tool/call/call-record.ts';
import type { StopReason } from '../outcome.ts';

/** What a run writes down, in the order in which it happened. Plain JSON. */
export type JournalEntry =
  /** The history before the first step, prompt and all. */
  | { readonly type: 'start'; readonly at: number; readonly messages: readonly Message[] }
  /**
   * A part of a reply that still streams, written before the first word about a call that starts meanwhile. The reply
   * takes its place; where none follows, these are all that is known of it. The last one of a slot counts.
   */
  | { readonly type: 'part'; readonly step: number; readonly slot: number; readonly part: AssistantPart }
  | { readonly type: 'reply'; readonly step: number; readonly reply: Reply }
  /** A tool is about to run. Without a result behind it, nobody knows what it did. */
  | { readonly type: 'call'; readonly step: number; readonly callId: string }
  | {
      readonly type: 'result';
      readonly step: number;
      readonly callId: string;
      readonly result: Result;
      readonly success: boolean;
      readonly approval?: ApprovalMade;
      /** A stand-in: the call waits. A later entry for the same call takes its place. */
      readonly waitsFor?: 'approval' | 'client';
      /** The whole text of a result that was cut. */
      readonly whole?: string;
    }
  /** Words that the run itself put into the history: what was wrong with a final answer. */
  | { readonly type: 'message'; readonly step: number; readonly message: Message }
  | { readonly type: 'end'; readonly at: number; readonly stop: StopReason };

/**
 * Where a run writes down what must not be lost. `append` resolves when the entry would survive a power cut; entries
 * of one run are read back in the order in which they were appended, and an entry that was torn is not read.
 */
export interface Journal {
  append(runId: string, entry: JournalEntry): Promise<void>;
  read(runId: string): Promise<readonly JournalEntry[]>;
}
