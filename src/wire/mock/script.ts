import type { JsonObject } from '../../base/json/value.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import type { Finish } from '../../base/message/usage.ts';

/** What a scripted model answers, in order: replies, functions of what was asked, replies with a condition. */
export type MockScript = readonly MockStep[] | MockFunction;

export type MockStep = MockReply | MockFunction;

export type MockFunction = (asked: Asked) => MockReply | Promise<MockReply>;

/** A text alone, or a reply with calls, conditions and faults. */
export type MockReply = string | MockReplyFields;

export interface MockReplyFields {
  readonly text?: string;
  readonly reasoning?: string;
  readonly refusal?: string;
  readonly calls?: readonly MockCall[];
  /** By default what follows from the rest: `calls`, `refusal`, `stop`. */
  readonly finish?: Finish['reason'];
  readonly usage?: { readonly input: number; readonly output: number; readonly cachedRead?: number };
  /** Characters to a delta; 16 by default. */
  readonly chunk?: number;
  readonly fault?: MockFault;
  /** Taken only for a request that is like this. */
  readonly when?: MockCondition;
  /** How often this step answers; once by default, `Infinity` for always. */
  readonly times?: number;
  /** From here on the script goes on with these steps, in place of the rest. */
  readonly then?: readonly MockStep[];
}

export interface MockCall {
  readonly name: string;
  /** An object, or text as the model is to write it: broken JSON too. */
  readonly arguments?: JsonObject | string;
  readonly id?: string;
  /** Free text for a custom tool. */
  readonly kind?: 'function' | 'custom';
  /** Waits before the call begins to arrive. */
  readonly pauseMs?: number;
}

/** What goes wrong with an answer; several may be combined. */
export interface MockFault {
  /** Answers with this status in place of the reply: 429, 500, 529, … */
  readonly status?: number;
  /** Seconds, as the header `Retry-After` of that answer. */
  readonly retryAfter?: number;
  readonly message?: string;
  /** The connection breaks after this many bytes of the body (characters of the reply, in process). */
  readonly cutAfter?: number;
  readonly oneBytePerChunk?: boolean;
  /** Waits before the first byte. */
  readonly pauseMs?: number;
  /** Never answers. */
  readonly hang?: boolean;
  /** The arguments of each call are cut in the middle, and the reply ends as if that were right. */
  readonly brokenArguments?: boolean;
  /** The reply ends with the reason `length` inside its last call. */
  readonly lengthInCall?: boolean;
}

/** All of what is said must hold. A text is looked for in upper or lower case. */
export interface MockCondition {
  /** In the newest message (the words of the user, or the results of tools). */
  readonly contains?: string;
  /** In the system message. */
  readonly system?: string;
  /** The newest message holds a result of this tool. */
  readonly result?: string;
  /** This tool is offered. */
  readonly tool?: string;
  readonly model?: string;
}

/** One request that was made of the mock. */
export interface Asked {
  readonly request: ModelRequest;
  readonly model: string;
  readonly api: string;
  readonly stream: boolean;
  /** Counts the requests from 0. */
  readonly index: number;
  /** The body as it came, over HTTP. */
  readonly body?: JsonObject;
}
