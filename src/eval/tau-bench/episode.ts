import { WhetstoneError } from '../../base/host/errors.ts';
import { listOf, requireDict, requireText, wrong } from '../python/field.ts';
import { readJson } from '../python/json.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import { terminateTools } from './shared-tools.ts';
import type { Action } from './task.ts';

/** What an agent did in an episode. */
export interface Episode {
  readonly calls: readonly Action[];
  readonly said: readonly string[];
  readonly ended: boolean;
}

/** The episode of a line: its calls and what was said, or the messages that tau-bench records. */
export function readEpisode(line: PythonDict): Episode {
  if (line.has('messages') && !line.has('calls')) return ofMessages(listOf(line.get('messages'), 'messages'));
  const ended = line.get('ended') ?? true;
  return {
    calls: listOf(line.get('calls'), 'calls').map((call, index) => readCall(call, `calls[${index}]`)),
    said: listOf(line.get('said') ?? [], 'said').map((text, index) => requireText(text, `said[${index}]`)),
    ended: typeof ended === 'boolean' ? ended : wrong(ended, 'ended', 'true or false'),
  };
}

function readCall(value: PythonValue | undefined, where: string): Action {
  const call = requireDict(value, where);
  return {
    name: requireText(call.get('name'), `${where}.name`),
    kwargs: readArguments(call.get('arguments'), `${where}.arguments`),
  };
}

/** Models write their arguments as a text. */
function readArguments(value: PythonValue | undefined, where: string): PythonDict {
  if (typeof value !== 'string') return requireDict(value, where);
  let read: PythonValue;
  try {
    read = readJson(value);
  } catch (cause) {
    throw new WhetstoneError(
      'benchmark_line',
      `“${where}” is a text that is not JSON: ${value.slice(0, 80)}`,
      {
        details: { where },
        cause,
      },
    );
  }
  return requireDict(read, where);
}

function ofMessages(messages: readonly PythonValue[]): Episode {
  const calls: Action[] = [];
  const said: string[] = [];
  let lastOfUser = '';
  for (const [index, value] of messages.entries()) {
    const where = `messages[${index}]`;
    const message = requireDict(value, where);
    const role = requireText(message.get('role'), `${where}.role`);
    if (role === 'user') lastOfUser = textOf(message, where) ?? '';
    if (role !== 'assistant') continue;
    const [first] = listOf(message.get('tool_calls') ?? [], `${where}.tool_calls`);
    if (first === undefined) {
      const text = textOf(message, where);
      if (text !== undefined) said.push(text);
    } else {
      const call = requireDict(first, `${where}.tool_calls[0]`);
      calls.push(readCall(call.get('function'), `${where}.tool_calls[0].function`));
    }
  }
  const ended = lastOfUser.includes('###STOP###') || calls.some(({ name }) => terminateTools.has(name));
  return { calls, said, ended };
}

function textOf(message: PythonDict, where: string): string | undefined {
  const content = message.get('content') ?? null;
  return content === null ? undefined : requireText(content, `${where}.content`);
}
