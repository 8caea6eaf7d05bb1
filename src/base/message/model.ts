import type { JsonObject, JsonValue } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { Call } from './call.ts';
import type { AssistantMessage, Message } from './message.ts';
import type { AssistantPart, ProviderData } from './part.ts';
import type { Size } from './frame.ts';
import type { Finish, Usage } from './usage.ts';

/** What a model is told of a tool. */
export type ToolSpec =
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly description?: string;
      readonly input: JsonSchema;
      /** True: refuse rather than loosen. False: never strict. Absent: strict where it loses nothing. */
      readonly strict?: boolean;
      readonly providerOptions?: Readonly<Record<string, JsonObject>>;
    }
  | {
      readonly kind: 'custom';
      readonly name: string;
      readonly description?: string;
      readonly format?: { readonly syntax: 'lark' | 'regex'; readonly definition: string };
      readonly providerOptions?: Readonly<Record<string, JsonObject>>;
    }
  | {
      /** Run by the provider: its own entry, sent as it is to the one API that knows it. */
      readonly kind: 'hosted';
      readonly name: string;
      readonly api: string;
      readonly entry: JsonObject;
      /** A computer, offered as the model takes it: `api` and `entry` are those that are found then. */
      readonly computer?: ComputerOffer;
    };

/** A computer as any model may use it: by its API's own tool where it has one, else by a function. */
export interface ComputerOffer {
  readonly environment: 'browser' | 'desktop';
  /** The size of the pictures that the model is shown. */
  readonly display: Size;
  readonly description: string;
  /** One action, as a function takes it. */
  readonly input: JsonSchema;
}

export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly name: string }
  | { readonly allowed: readonly string[]; readonly mode: 'auto' | 'required' };

/** What is asked of a model. Plain data, the same for every provider. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  readonly toolChoice?: ToolChoice;
  /** False: one call at most. */
  readonly parallelCalls?: boolean;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  /** The answer must be JSON of this schema. */
  readonly output?: { readonly name: string; readonly schema: JsonSchema };
  readonly reasoning?: {
    readonly effort?: 'none' | 'low' | 'medium' | 'high';
    readonly budgetTokens?: number;
  };
  /** `auto`: what a conversation repeats is marked for the provider's cache, where it wants marks. */
  readonly cache?: 'auto';
  /** What trainers need in addition to the words: it comes as `reply.tokens`. */
  readonly tokens?: {
    /** The ids of the prompt's and of the reply's tokens; vLLM tells them. */
    readonly ids?: boolean;
    /** How likely each token was; a number asks for that many of the likeliest in its place. */
    readonly logprobs?: boolean | number;
    /** The same for the prompt, with this many candidates for each token; vLLM reports them. */
    readonly promptLogprobs?: number;
  };
  /** Fields that only one API has, by its name; laid over the body last. */
  readonly providerOptions?: Readonly<Record<string, JsonObject>>;
}

/** One whole reply. */
export interface Reply {
  readonly message: AssistantMessage;
  readonly finish: Finish;
  readonly usage?: Usage;
  readonly id?: string;
  /** The name of the model that answered, if several share one name. */
  readonly by?: string;
  /** The provider ended the reply properly. False: the stream broke off, and no open call may run. */
  readonly complete: boolean;
  readonly error?: ModelError;
  /** Token by token, where the request asked for it. */
  readonly tokens?: ReplyTokens;
  /** What the request could not carry, by tool name. */
  readonly reports?: readonly JsonObject[];
  readonly providerData?: JsonObject;
}

export interface ReplyTokens {
  /** What the model wrote, reasoning and calls included. */
  readonly ids?: readonly number[];
  /** What it was given, as the server's template made it of the messages. */
  readonly promptIds?: readonly number[];
  readonly logprobs?: readonly TokenLogprob[];
  /** For each token of the prompt its candidates by id, as the server gave them; the first has none. */
  readonly promptLogprobs?: readonly JsonValue[];
}

/** One token of a reply, and how likely it was. */
export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly id?: number;
  /** A token need not be whole characters. */
  readonly bytes?: readonly number[];
  /** The likeliest in its place, itself among them. */
  readonly top?: readonly Omit<TokenLogprob, 'top'>[];
}

export interface ModelError {
  readonly kind:
    | 'authentication'
    | 'permission'
    | 'rate_limit'
    | 'context_too_long'
    | 'content_refused'
    | 'overloaded'
    | 'invalid_request'
    | 'network'
    | 'timeout'
    | 'aborted'
    | 'server'
    | 'other';
  readonly message: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly tool?: string;
  readonly field?: string;
  readonly raw?: JsonValue;
}

/** What happens while a reply arrives. `slot` numbers the parts of one reply. */
export type ModelEvent =
  | { readonly type: 'start'; readonly id?: string; readonly model?: string }
  | { readonly type: 'text'; readonly slot: number; readonly text: string }
  | { readonly type: 'reasoning'; readonly slot: number; readonly text: string }
  | { readonly type: 'refusal'; readonly slot: number; readonly text: string }
  | {
      readonly type: 'call-start';
      readonly slot: number;
      readonly id: string;
      readonly name: string;
      readonly kind: Call['kind'];
      readonly requiresLocalExecution: boolean;
      readonly providerData?: ProviderData;
    }
  /** More of the arguments, as text. */
  | { readonly type: 'call-delta'; readonly slot: number; readonly text: string }
  /** The provider has said that this call is complete (or the reply ended: then `call.invalid` says truncated). */
  | { readonly type: 'call-end'; readonly slot: number; readonly call: Call }
  /** A part is whole, with what must be echoed. */
  | { readonly type: 'part'; readonly slot: number; readonly part: AssistantPart }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'retry'; readonly attempt: number; readonly waitMs: number; readonly error: ModelError }
  | { readonly type: 'error'; readonly error: ModelError }
  /** Always last, exactly once. */
  | { readonly type: 'finish'; readonly reply: Reply };

export interface Capabilities {
  readonly images: boolean;
  readonly tools: boolean;
  readonly parallelCalls: boolean;
  readonly strict: boolean;
}

export interface ModelCallOptions {
  readonly signal?: AbortSignal;
  /** False: failures are reported at once, and the caller tries again. */
  readonly retry?: false;
}

/** A model that answers. Who made it (a provider, a mock, another toolkit) does not show. */
export interface Model {
  /** `anthropic/claude-…`: how catalog, records and reports call it. */
  readonly name: string;
  readonly api: string;
  readonly capabilities: Capabilities;
  generate(request: ModelRequest, options?: ModelCallOptions): Promise<Reply>;
  stream(request: ModelRequest, options?: ModelCallOptions): AsyncIterable<ModelEvent>;
}
