import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import { assistantMessage, toolMessage, userMessage } from '../../../base/message/message.ts';
import type { Message } from '../../../base/message/message.ts';
import { textResult, type Result } from '../../../base/message/result.ts';
import type { AnyTool } from '../../tool/contract.ts';
import { tool } from '../../tool/define-tool.ts';
import type { OperatorStep, Seat, Seated, SeatTool } from './episode.ts';

/** What a function hears in one exchange. */
export interface Heard {
  /** What the person said. */
  readonly words: string;
  /** The whole conversation, these words last: what `run({ messages })` takes. */
  readonly messages: readonly Message[];
  /** The episode's tools, as `run({ tools })` takes them. */
  readonly tools: readonly AnyTool[];
  /** Calls a tool of the episode by hand. */
  readonly call: (name: string, input: JsonValue) => Promise<string>;
  readonly signal: AbortSignal;
}

/** What a function says: words, or the outcome of a run. Nothing, without a call, means that it is done. */
export type Said = string | { readonly text: string; readonly messages?: readonly Message[] } | undefined;

/** A function that plays. */
export type FunctionAgent = (heard: Heard) => Said | Promise<Said>;

export function seatFunction(agent: FunctionAgent, { tools, signal, record }: Seat): Seated {
  let messages: readonly Message[] = [];
  return async (words) => {
    const given = [...messages, userMessage(words)];
    const made: { readonly call: Call; readonly result: Result }[] = [];
    const ask = async (name: string, input: JsonValue): Promise<string> => {
      const output = await toolNamed(name, tools).call(input);
      const call = callOf(`call_${given.length}_${made.length}`, name, input);
      made.push({ call, result: textResult(call, output) });
      return output;
    };
    const heard: Heard = {
      words,
      messages: given,
      tools: tools.map(({ name, description, input }) =>
        tool({ name, description, input, run: (value) => ask(name, value as JsonValue) }),
      ),
      call: ask,
      signal,
    };
    const said = (await agent(heard)) ?? '';
    const text = typeof said === 'string' ? said : said.text;
    const written = typeof said === 'string' ? undefined : said.messages?.slice(given.length);
    const steps = written === undefined ? [stepOf(text, made)] : stepsOf(written);
    steps.forEach(record);
    messages = [...given, ...(written ?? steps.flatMap(messagesOf))];
    return text;
  };
}

function toolNamed(name: string, tools: readonly SeatTool[]): SeatTool {
  const found = tools.find((each) => each.name === name);
  if (found !== undefined) return found;
  const known = tools.map((each) => each.name).join(', ');
  throw new WhetstoneError('tool_unknown', `The episode has no tool "${name}". Known: ${known}.`, {
    details: { name },
  });
}

function callOf(id: string, name: string, input: JsonValue): Call {
  const given = isJsonObject(input) ? input : JSON.stringify(input);
  return { type: 'call', id, name, arguments: given, kind: 'function', requiresLocalExecution: true };
}

function stepOf(
  text: string,
  made: readonly { readonly call: Call; readonly result: Result }[],
): OperatorStep {
  const words = text === '' ? [] : [{ type: 'text' as const, text }];
  return {
    message: assistantMessage([...words, ...made.map(({ call }) => call)]),
    results: made.map(({ result }) => result),
  };
}

/** The steps of a run, from the messages that it added. */
function stepsOf(messages: readonly Message[]): readonly OperatorStep[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'assistant') return [];
    const next = messages[index + 1];
    return [{ message, results: next?.role === 'tool' ? next.results : [] }];
  });
}

function messagesOf({ message, results }: OperatorStep): readonly Message[] {
  return results.length === 0 ? [message] : [message, toolMessage(results)];
}
