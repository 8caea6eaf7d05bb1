import type { JsonObject } from '../../base/json/value.ts';
import type { ToolSpec } from '../../base/message/model.ts';
import type {
  AnyTool,
  ApprovalRule,
  Availability,
  Context,
  Given,
  InputSchema,
  Note,
  Output,
  ValueOf,
  TextFormat,
  ToolFailure,
  ToolSettings,
} from './contract.ts';
import { callTool } from './call/call-tool.ts';
import { prepareTool } from './prepare-tool.ts';

interface Contract<Read, Returned> extends ToolSettings {
  /** What models call it: a letter or `_`, then letters, digits, `_`, `-`, `.`, `:`. */
  readonly name: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  readonly spec?: ToolSpec;
  /** What it answers is checked against this; one that does not fit is an error, for the model and the program. */
  readonly output?: InputSchema;
  readonly approval?: 'never' | 'always' | ApprovalRule<Read>;
  run?(input: Read, context: Context): Returned;
  noteOnRequest?(input: Read): Note | undefined;
  noteOnResult?(input: Read, value: ValueOf<Returned>): Note | undefined;
  noteOnFailure?(input: Read, failure: ToolFailure): Note | undefined;
  isAvailable?(context: Availability): boolean | Promise<boolean>;
  start?(): unknown;
  stop?(): unknown;
}

/** What `tool` takes. Without `run`, the call is handed back to the caller of the run. */
export interface ToolDefinition<Schema, Returned, Read> extends Contract<Read, Returned> {
  /** Absent: a tool without parameters. */
  readonly input?: Schema;
  readonly text?: never;
  /** A last reading after the schema check: what it answers is what runs, and what the notes see. */
  readArguments?(input: Output<Schema>, context: Context): Read | Promise<Read>;
}

/** A tool that takes text as the model writes it, not JSON. */
export interface TextToolDefinition<Returned> extends Contract<string, Returned> {
  readonly text: TextFormat;
}

/** A tool from a function. `call` runs it as a program would: checked arguments in, the bare value out. */
export interface FunctionTool<Schema, Returned, Read = Output<Schema>> extends Contract<Read, Returned> {
  readonly input?: Schema;
  call(input: Given<Schema>, context?: Partial<Context>): Promise<ValueOf<Returned>>;
}

/** A tool that takes text. */
export interface TextTool<Returned> extends Contract<string, Returned> {
  readonly text: TextFormat;
  call(input: string, context?: Partial<Context>): Promise<ValueOf<Returned>>;
}

/**
 * Defines a tool from a function.
 * @example
 * const weather = tool({
 *   name: 'weather',
 *   description: 'Current weather of a city',
 *   input: z.object({ city: z.string() }),
 *   run: async ({ city }) => fetchWeather(city),
 * });
 */
export function tool<Returned>(definition: TextToolDefinition<Returned>): TextTool<Returned>;
export function tool<Returned, Schema extends InputSchema = JsonObject, Read = Output<Schema>>(
  definition: ToolDefinition<Schema, Returned, Read>,
): FunctionTool<Schema, Returned, Read>;
export function tool(definition: AnyTool): unknown {
  const made = {
    ...definition,
    call: (input: unknown, context?: Partial<Context>) => callTool(made, input, context),
  };
  prepareTool(made);
  return made;
}
