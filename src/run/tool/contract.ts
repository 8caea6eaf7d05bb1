import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import type { Message } from '../../base/message/message.ts';
import type { Model, ToolSpec } from '../../base/message/model.ts';
import type { UserPart } from '../../base/message/part.ts';
import type { Usage } from '../../base/message/usage.ts';
import type { ToolOutput } from './output.ts';
import type { Failure } from './failure.ts';
import type { Editable } from './call/may-edit.ts';
import type { Toolbox, ToolSource } from './toolbox.ts';

/**
 * What may describe arguments: any Standard Schema that can print JSON Schema, or plain JSON Schema. What is behind
 * `~standard` is looked at when it is read: comparing its types would cost an editor more than the schemas themselves.
 */
export type InputSchema = { readonly '~standard': unknown } | JsonObject;

export type { InputOf as Given, OutputOf as Output } from '../../base/schema/read-schema.ts';

/** What a person is shown of a call: one line, and what unfolds below it. */
export type Note = string | { readonly label: string; readonly detail?: string };

/** When a note is shown: with the request, while the tool runs, with its result or its failure. */
export type NoteTime = 'request' | 'run' | 'result' | 'failure';

/** What a tool may know besides its arguments. */
export interface Context {
  readonly call: Call;
  /** The run's history up to the reply that made the call. Read it at once: it grows. */
  readonly messages: readonly Message[];
  /** Counted from 1. */
  readonly step: number;
  /** Aborted when the call is cancelled or its time is over. */
  readonly signal: AbortSignal;
  /** What the run was given for its tools and no model sees. */
  readonly injected: Readonly<Record<string, unknown>>;
  /** The model of the run around the call; none where a program calls the tool by itself. */
  readonly model: Model | undefined;
  /** The tools of the run around the call. */
  readonly tools: Toolbox | undefined;
  /** What the run around the call has used so far. */
  readonly usage: Usage | undefined;
  /** Shows a person something while the tool runs. No model reads it. */
  note(note: Note): void;
  /**
   * Runs a model inside the call, as a part of the run around it: what it does not say (`model`, who approves, prices)
   * it has from there. Takes every option of a run that `runWithin` takes, which also gives the types of an `output`.
   */
  run(options: InnerRun): Promise<InnerOutcome>;
}

/** The run around a call, as far as a tool may see it. */
export interface RunAround extends Pick<Context, 'model' | 'tools' | 'usage'> {
  start(context: Context, options: InnerRun): Promise<InnerOutcome>;
}

/** A run inside a call. */
export interface InnerRun {
  readonly model?: Model;
  readonly tools?: ToolSource;
  readonly system?: string;
  readonly prompt?: string | readonly UserPart[];
  readonly messages?: readonly Message[];
}

/** How a run inside a call ended. */
export interface InnerOutcome {
  readonly text: string;
  readonly stop: string;
  readonly output: unknown;
  readonly messages: readonly Message[];
  readonly usage: Usage;
}

/** What `run` may answer. Nothing is success; `fail(…)` is a failure that was to be expected. */
export type Answer<Value> = Value | ToolOutput | Failure;

/** A function that is a generator reports progress with `yield` and answers with `return`. */
export type Running<Value> =
  | Answer<Value>
  | Promise<Answer<Value>>
  | Generator<unknown, Answer<Value>>
  | AsyncGenerator<unknown, Answer<Value>>;

/**
 * The value a program gets of what `run` returned. Looked at only where the value is used: inferring it at every
 * definition would cost the editor a third more.
 */
export type ValueOf<Returned> =
  Returned extends Promise<infer Answered>
    ? Bare<Answered>
    : Returned extends Generator<unknown, infer Answered> | AsyncGenerator<unknown, infer Answered>
      ? Bare<Answered>
      : Bare<Returned>;

type Bare<Answered> = Answered extends Failure
  ? never
  : Answered extends ToolOutput<infer Content>
    ? Content
    : Answered;

/** How a tool wants to be run. Each has a default. */
export interface ToolSettings {
  /** `false`: this tool is described loosely. `true`: refuse rather than loosen. Absent: strict where that loses nothing. */
  readonly strict?: boolean;
  /** Fields for one API, by its name, laid over the tool's entry in the request. */
  readonly providerOptions?: Readonly<Record<string, JsonObject>>;
  /** One at a time: calls of such tools run in call order, never at the same time. Parallel is the default. */
  readonly concurrency?: 'parallel' | 'one-at-a-time';
  /** Milliseconds; `false` for none. The run's `toolTimeout` where it is not set. */
  readonly timeout?: number | false;
  /** Running it twice does no more than running it once: an interrupted call may simply run again. */
  readonly idempotent?: boolean;
  /** Characters of a result that a model is sent; more is cut in the middle and can be asked for. `false` for all. */
  readonly outputBudget?: number | false;
  /**
   * How many of its images, counted from the newest, stay in what a model is sent: older ones are left out, several at
   * once, so that a provider's cache of the prompt lasts. The run's own history keeps them all.
   */
  readonly keepImages?: number;
  /** Its result is the answer: the run ends with it. */
  readonly returnDirect?: boolean;
  /** Who runs it: `client` hands the call back to the caller of the run. */
  readonly runs?: 'here' | 'client';
  /** Properties of `input` that the run fills in. The model never sees them, and cannot set them. */
  readonly inject?: readonly string[];
  /** Mend arguments that are almost JSON (fences, trailing commas, …). Off by default; what was mended is reported. */
  readonly repair?: boolean;
  /** Take `"3"` for `3` and the like, where the schema wants it. Off by default; each change is reported. */
  readonly coerce?: boolean;
  /**
   * What a person who is asked may change: everything, nothing, or the members of these names. By default everything
   * where `approve` answers, and nothing where a signed approval comes from outside.
   */
  readonly editable?: Editable;
}

/**
 * A tool as the loop sees it, whichever way it was defined. Parameters are `never` so that every tool fits,
 * whatever its input; only `prepareTool` calls these, after the arguments were checked.
 */
export interface AnyTool extends ToolSettings {
  readonly name: string;
  readonly description: string;
  readonly input?: InputSchema;
  /** A tool that takes text as the model writes it, with or without a grammar. Instead of `input`. */
  readonly text?: TextFormat;
  /** The whole entry a model is told, in place of one made from name, description and input. */
  readonly spec?: ToolSpec;
  /** What it answers must fit this; what the schema makes of it is the value. */
  readonly output?: InputSchema;
  readonly approval?: 'never' | 'always' | ApprovalRule<never>;
  run?(input: never, context: Context): unknown;
  readArguments?(input: never, context: Context): unknown;
  noteOnRequest?(input: never): Note | undefined;
  noteOnResult?(input: never, value: never): Note | undefined;
  noteOnFailure?(input: never, failure: ToolFailure): Note | undefined;
  isAvailable?(context: Availability): boolean | Promise<boolean>;
  start?(): unknown;
  stop?(): unknown;
}

export type TextFormat = 'any' | { readonly syntax: 'lark' | 'regex'; readonly definition: string };

/** True: a person must agree before this call runs. */
export type ApprovalRule<Input> = (input: Input, context: Context) => boolean | Promise<boolean>;

/** What decides whether a tool is offered in the next request. */
export interface Availability {
  readonly step: number;
  readonly messages: readonly Message[];
  readonly injected: Readonly<Record<string, unknown>>;
}

/** What went wrong, for a note to a person: the words of the result, and the error behind it. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  readonly cause?: unknown;
}

/** One change that was made to arguments before they ran. */
export interface ArgumentChange {
  readonly kind: 'repaired' | 'coerced' | 'stripped';
  /** JSON pointer; empty for the whole. */
  readonly path: string;
  readonly text: string;
  readonly from?: JsonValue;
  readonly to?: JsonValue;
}
