import type { JsonObject } from '../../../base/json/value.ts';
import type { Context, InputSchema, Output, ToolSettings } from '../../tool/contract.ts';
import { tool } from '../../tool/define-tool.ts';
import type { FunctionTool } from '../../tool/define-tool.ts';
import { failCall } from '../../tool/failure.ts';
import type { NestedOptions } from './nested.ts';
import { runWithin } from './run-within.ts';

/** An agent that another one may call: a tool's name and description, and the run behind it. */
export interface AgentTool<Schema extends InputSchema> extends Omit<NestedOptions, 'prompt' | 'messages'> {
  readonly name: string;
  /** What it can be asked for, for the model that asks. */
  readonly description: string;
  /** Without it, the tool takes `{ task: string }`. */
  readonly input?: Schema;
  /** What the agent is told to do. Without it: the task, or the arguments as JSON. */
  readonly prompt?: (input: Output<Schema>) => string;
  readonly settings?: ToolSettings;
}

const task = {
  type: 'object',
  properties: {
    task: { type: 'string', description: 'What is to be done, with everything that one must know to do it' },
  },
  required: ['task'],
  additionalProperties: false,
} as const;

/**
 * A sub-agent as a tool. It works with tools and a history of its own, and its last words (or its `output`) are the
 * result. See `runWithin` for what it shares with the run that calls it.
 * @example const research = agentTool({ name: 'research', description: 'Finds facts', tools: [search], system: 'Cite sources.' })
 */
export function agentTool<Schema extends InputSchema = JsonObject>(
  agent: AgentTool<Schema>,
): FunctionTool<Schema, Promise<unknown>> {
  const { name, description, input, prompt, settings, ...options } = agent;
  return tool({
    // A journal goes on with the run inside it, so that it may begin again.
    idempotent: true,
    ...settings,
    name,
    description,
    input: (input ?? task) as Schema,
    run: async (given: Output<Schema>, context: Context): Promise<unknown> => {
      const words = prompt === undefined ? wordsOf(given) : prompt(given);
      const { stop, text, output, waiting } = await runWithin(context, { ...options, prompt: words });
      if (stop === 'waiting') {
        const names = [...waiting.approvals, ...waiting.calls].map((each) => each.name).join(', ');
        return failCall(`It needs an answer that nobody here can give, for: ${names}.`);
      }
      if (output !== undefined) return output;
      return stop === 'done' || stop === 'returned'
        ? text
        : failCall(`It ended early (${stop}).${text === '' ? '' : ` Its last words: ${text}`}`);
    },
  });
}

function wordsOf(given: unknown): string {
  const { task: said } = (given ?? {}) as { readonly task?: unknown };
  return typeof said === 'string' ? said : JSON.stringify(given);
}
