import type { JsonObject, JsonValue } from '../base/json/value.ts';
import type { Capabilities, ModelError, ModelEvent, ModelRequest, Reply } from '../base/message/model.ts';
import type { Usage } from '../base/message/usage.ts';
import type { ToolBinding } from './request/bind-tools.ts';

/**
 * Everything there is to know about one provider API, as pure data and functions: where requests go, how
 * they are framed and signed in, and the six translations. Nothing in it fetches, waits, or reads a clock.
 */
export interface Adapter<State = unknown, WriterState = unknown> {
  /** The name of the API: `anthropic`, `openai-chat`, … */
  readonly api: string;
  readonly framing: 'sse' | 'ndjson' | 'aws-event-stream';
  readonly capabilities: Capabilities;
  readonly access: Access;

  /** Our request → the body to send. */
  writeRequest(request: ModelRequest, options: WriteOptions): WrittenRequest;
  /** A body that was sent to the provider → our request. */
  readRequest(body: JsonObject): ReadRequest;

  /** A whole reply of the provider → ours. */
  readReply(body: JsonObject, context?: ReadContext): Reply;
  /** Our reply → the body that the provider would have sent. */
  writeReply(reply: Reply, options: WriteReplyOptions): JsonObject;

  /** Their stream → our events. */
  readonly reader: StreamReader<State>;
  /** Our events → their stream. */
  readonly writer: StreamWriter<WriterState>;

  /** Some leave the cache out of `input`, some reasoning out of `output`. */
  printUsage(usage: Usage): PrintedUsage;
  /** The body with which the provider would say this error. */
  writeError(error: ModelError): { readonly status: number; readonly body: JsonObject };
}

/** The counters of a reply as its provider prints them. */
export interface PrintedUsage {
  readonly input: number;
  readonly output: number;
}

/** Where an API lives and how one signs in. */
export interface Access {
  /** `{NAME:default}` in it is replaced by an environment variable. */
  readonly baseUrl: string;
  /** The environment variable that holds another base URL. */
  readonly baseUrlVariable: string;
  /** The environment variable that holds the key; absent where none is needed. */
  readonly keyVariable?: string;
  /** Without a key, requests are signed with the credentials that AWS tools keep in the environment. */
  readonly signing?: 'aws';
  readonly path: (model: string, stream: boolean) => string;
  readonly headers: (key: string | undefined) => Readonly<Record<string, string>>;
}

export interface WriteOptions {
  readonly model: string;
  readonly stream?: boolean;
  /** What becomes of a tool that the provider cannot take: an error that names it (the default), or a report. */
  readonly unfitTools?: 'refuse' | 'leave-out';
}

export interface WrittenRequest {
  readonly body: JsonObject;
  /** What the request could not carry as it was said. */
  readonly reports: readonly RequestReport[];
  /** How the reply is read back: which name and which schema each tool was shown under. */
  readonly tools: ToolBinding;
}

export interface RequestReport {
  readonly tool?: string;
  readonly field?: string;
  readonly message: string;
}

export interface ReadRequest {
  readonly request: ModelRequest;
  readonly model: string;
  readonly stream: boolean;
}

/** What a reader may know of the request that it reads the answer to. */
export interface ReadContext {
  readonly model?: string;
  readonly tools?: ToolBinding;
  /** Names a call that the provider gave no id; `index` counts the calls of the reply. */
  readonly makeId?: (index: number) => string;
}

export interface WriteReplyOptions {
  readonly model: string;
  /** Used where the reply has no id. */
  readonly id: string;
  /** Seconds since 1970, where the format carries a date. */
  readonly created?: number;
}

/** One message of a stream after its framing was taken off. `data` is absent when the payload is not JSON. */
export interface Chunk {
  readonly event?: string;
  readonly data?: JsonValue;
  readonly text?: string;
}

/**
 * A reducer over the chunks of one reply. A state is handed on, not copied: after a step only the answered
 * one may be used, which is what keeps a step's cost the same at the thousandth chunk as at the first.
 */
export interface StreamReader<State> {
  begin(context?: ReadContext): State;
  read(state: State, chunk: Chunk): readonly [State, readonly ModelEvent[]];
  /** The body has ended, properly or not (`error`): the last events, `finish` among them. */
  end(state: State, error?: ModelError): readonly [State, readonly ModelEvent[]];
}

/** The way back; the same rule for its states. */
export interface StreamWriter<State> {
  begin(options: WriteReplyOptions): State;
  write(state: State, event: ModelEvent): readonly [State, readonly Chunk[]];
}
