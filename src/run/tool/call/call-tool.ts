import { WhetstoneError } from '../../../base/host/errors.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import type { AnyTool, Context } from '../contract.ts';
import { Failure } from '../failure.ts';
import { ToolOutput } from '../output.ts';
import { hasLife, programUse } from '../lifecycle.ts';
import { prepareTool } from '../prepare-tool.ts';
import { noRunAround } from './no-run-around.ts';
import { readCall } from './read-call.ts';

const notCancelled = new AbortController().signal;

/**
 * Runs a tool as a program would: its arguments are checked, and the bare value comes back. What a model would read as
 * a result is thrown here.
 */
export async function callTool(
  tool: AnyTool,
  input: unknown,
  given: Partial<Context> = {},
): Promise<unknown> {
  const prepared = prepareTool(tool);
  const call: Call = {
    type: 'call',
    id: 'direct',
    name: tool.name,
    arguments: input as JsonObject | string,
    kind: prepared.spec.kind === 'custom' ? 'custom' : 'function',
    requiresLocalExecution: true,
  };
  const context: Context = {
    ...{ call, messages: [], step: 1, injected: {}, model: undefined, tools: undefined, usage: undefined },
    note: () => undefined,
    run: async () => noRunAround(),
    ...given,
    // The signal of a call in a run is a getter, which does not come along with the rest.
    signal: given.signal ?? notCancelled,
  };
  const read = await readCall(call, prepared, { injected: context.injected, repair: false, coerce: false });
  if (!read.ok) {
    throw new WhetstoneError('arguments_invalid', read.text, {
      details: { name: tool.name },
      ...('cause' in read && { cause: read.cause }),
    });
  }
  if (tool.run === undefined) {
    throw new WhetstoneError(
      'tool_failed',
      `The tool "${tool.name}" has no \`run\`: only the program that the run hands it to can answer it.`,
      { details: { name: tool.name } },
    );
  }
  if (hasLife(tool)) await programUse.ensureStarted(tool);
  const own: unknown =
    tool.readArguments === undefined ? read.input : await tool.readArguments(read.input as never, context);
  const answer = own instanceof Failure ? own : await lastOf(tool.run(own as never, context));
  if (answer instanceof ToolOutput) return answer.content;
  if (!(answer instanceof Error)) return answer;
  if (!(answer instanceof Failure)) throw answer;
  throw new WhetstoneError(
    'tool_failed',
    `The tool "${tool.name}" failed: ${answer.reason ?? 'no reason given'}`,
    {
      details: { name: tool.name },
    },
  );
}

/** A generator's progress is for those who watch; here only its answer counts. */
async function lastOf(running: unknown): Promise<unknown> {
  if (typeof running !== 'object' || running === null || !('next' in running)) return running;
  const generator = running as AsyncGenerator<unknown, unknown>;
  for (;;) {
    const { value, done } = await generator.next();
    if (done === true) return value;
  }
}
