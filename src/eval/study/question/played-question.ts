import type { JsonValue } from '../../../base/json/value.ts';
import { readArguments } from '../../../base/message/arguments.ts';
import type { Message } from '../../../base/message/message.ts';
import type { CallRecord } from '../../../run/tool/call/call-record.ts';

/** What a player did with a question. */
export interface PlayedQuestion {
  readonly answer: string;
  readonly calls: readonly QuestionCall[];
  /** Replies of the model. */
  readonly replies: number;
  /** Why the run ended: `done`, a limit, or the fault of the player. */
  readonly ended: string;
  readonly messages: readonly Message[];
}

export interface QuestionCall {
  /** In which reply, counted from 1. */
  readonly iteration: number;
  readonly name: string;
  readonly arguments: JsonValue;
  readonly success: boolean;
  /** Why it failed, in a word. */
  readonly error?: string;
}

export function callOf({ call, step, success, result }: CallRecord): QuestionCall {
  const reading = readArguments(call);
  return {
    iteration: step,
    name: call.name,
    arguments: reading.ok ? reading.value : (call.arguments as JsonValue),
    success,
    ...(!success && { error: result.errorCode ?? 'failed' }),
  };
}
