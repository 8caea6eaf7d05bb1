import type { Context } from '../../tool/contract.ts';
import type { OutputFor, RunOptions, WantedOutput } from '../option/options.ts';
import type { Outcome } from '../outcome.ts';
import { run } from '../run.ts';
import type { NestedOptions } from './nested.ts';

/**
 * Runs a model from inside a tool, as a part of the run that called it: it ends with the call, its events are heard
 * there as `nested`, its tokens and costs count there and are held to the limits there, the same person is asked for
 * approvals, and with a journal it goes on after a crash where it was. `context.run(…)` is the same, where there is a
 * run around the tool; a tool that a program calls by itself needs a `model`.
 * @example run: async ({ question }, context) => (await runWithin(context, { tools: [search], prompt: question })).text
 */
export async function runWithin<const Wanted extends WantedOutput = WantedOutput>(
  context: Context,
  options: NestedOptions<Wanted>,
): Promise<Outcome<OutputFor<Wanted>>> {
  // It is checked by the schema that the type is read from.
  if (context.model !== undefined)
    return (await context.run(options as NestedOptions)) as unknown as Outcome<OutputFor<Wanted>>;
  const { model } = options;
  // A missing model is told by the run itself.
  return run({ ...options, model: model!, signal: context.signal } as RunOptions<Wanted>);
}
