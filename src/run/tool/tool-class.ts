import type { Context, InputSchema, Given, Output, Running, TextFormat } from './contract.ts';
import { callTool } from './call/call-tool.ts';

/**
 * A tool with state: extend it, set `name`, `description` and `input`, and write `run`. Everything that `tool` takes
 * may be in the class as well: `start` and `stop`, notes, `approval`, `timeout`, … (`AnyTool` lists them).
 * @example
 * class Counter extends Tool<typeof Input, number> {
 *   name = 'count';
 *   description = 'Adds to a counter';
 *   input = Input;
 *   #total = 0;
 *   run({ by }: Output<typeof Input>) {
 *     return (this.#total += by);
 *   }
 * }
 */
export abstract class Tool<Schema extends InputSchema = InputSchema, Value = unknown> {
  abstract readonly name: string;
  abstract readonly description: string;
  abstract readonly input: Schema;
  // The optional members are not declared here: a class that has one would have to write `override` under
  // `noImplicitOverride`. They are checked where the tool is used, against `AnyTool`.
  abstract run(input: Output<Schema>, context: Context): Running<Value>;

  /** Runs it as a program would: checked arguments in, the bare value out. */
  call(input: Given<Schema>, context?: Partial<Context>): Promise<Value> {
    return callTool(this, input, context) as Promise<Value>;
  }
}

export type { TextFormat };
