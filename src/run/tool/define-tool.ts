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
  Running,
  TextFormat,
  ToolFailure,
  ToolSettings,
} from './contract.ts';
import { callTool } from './call-tool.ts';
import { prepareTool } from './prepare-tool.ts';

interface Contract<Read, Value> extends ToolSettings {
  /** What models call it: a letter or `_`, then letters, digits, `_`, `-`, `.`, `:`. */
  readonly name: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  readonly spec?: ToolSpec;
  readonly approval?: 'never' | 'always' | ApprovalRule<Read>;
  run?(input: Read, context: Context): Running<Value>;
  noteOnRequest?(input: Read): Note | undefined;
  noteOnResult?(input: Read, value: Value): Note | undefined;
  noteOnFailure?(input: Read, failure: ToolFailure): Note | undefined;
  isAvailable?(context: Availability): boolean | Promise<boolean>;
  start?(): unknown;
  stop?(): unknown;
}

/** What `tool` takes. Without `run`, the call is handed back to the caller of the run. */
export interface ToolDefinition<Schema, Value, Read> extends Contract<Read, Value> {
  /** Absent: a tool without parameters. */
  readonly input?: Schema;
  readonly text?: never;
  /** A last reading after the schema check: what it answers is what runs, and what the notes see. */
  readArguments?(input: Output<Schema>, context: Context): Read | Promise<Read>;
}

/** A tool that takes text as the model writes it, not JSON. */
export interface TextToolDefinition<Value> extends Contract<string, Value> {
  readonly text: TextFormat;
}

/** A tool from a function. `call` runs it as a program would: checked arguments in, the bare value out. */
export interface FunctionTool<Schema, Value, Read = Output<Schema>> extends Contract<Read, Value> {
  readonly input?: Schema;
  call(input: Given<Schema>, context?: Partial<Context>): Promise<Value>;
}

/** A tool that takes text. */
export interface TextTool<Value> extends Contract<string, Value> {
  readonly text: TextFormat;
  call(input: string, context?: Partial<Context>): Promise<Value>;
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
export function tool<Value, Schema extends InputSchema = JsonObject, Read = Output<Schema>>(
  definition: ToolDefinition<Schema, Value, Read>,
): FunctionTool<Schema, Value, Read>;
export function tool<Value>(definition: TextToolDefinition<Value>): TextTool<Value>;
export function tool(definition: AnyTool): unknown {
  const made = {
    ...definition,
    call: (input: unknown, context?: Partial<Context>) => callTool(made, input, context),
  };
  prepareTool(made);
  return made;
}
