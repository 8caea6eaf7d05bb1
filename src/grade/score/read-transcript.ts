import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { Task } from '../scenario/task.ts';
import type { Transcript, TurnCall, TurnMessage } from '../scenario/transcript.ts';
import { transcriptFromMessages } from './from-messages.ts';
import type { Verdicts } from './verdict.ts';

/**
 * A transcript as somebody wrote it down: a stored one with its turns, `{messages}`, or a list of messages, with
 * `tool_calls` or `toolCalls`. It is played again from the model's words: what it claims of the person counts for nothing.
 * The words of the person in a stored one are kept all the same, for a judge to read.
 */
export function readTranscript(value: JsonValue, task: Task): Transcript {
  const played = transcriptFromMessages(task, messagesIn(value));
  const stored = isJsonObject(value) && Array.isArray(value['turns']) ? saidIn(value['turns']) : [];
  if (stored.length < played.turns.length) return played;
  const turns = played.turns.map((turn, index) => ({
    ...turn,
    observation: { ...turn.observation, content: stored[index]! },
  }));
  return { ...played, turns };
}

/** Verdicts that were stored with a transcript, or come with an episode as the HTTP API gives it. */
export function verdictsIn(value: JsonValue): Verdicts {
  const at = (name: string, of: JsonValue | undefined): JsonValue | undefined =>
    isJsonObject(of) ? of[name] : undefined;
  const verdicts = at('verdicts', value) ?? at('verdicts', at('grade', at('explain', value)));
  if (!isJsonObject(verdicts)) return {};
  return Object.fromEntries(
    Object.entries(verdicts).flatMap(([id, verdict]) => {
      if (!isJsonObject(verdict) || typeof verdict['score'] !== 'number') return [];
      const { prompt_hash: promptHash, ...rest } = verdict;
      return [[id, { ...rest, ...(promptHash !== undefined && { promptHash }) }]];
    }),
  ) as unknown as Verdicts;
}

/** What the person says in the turns in which the model said or did something. */
function saidIn(turns: readonly JsonValue[]): readonly string[] {
  return turns
    .filter(isJsonObject)
    .filter(({ messages }) => messagesIn(messages ?? []).some(({ role }) => role === 'assistant'))
    .map(({ observation }) => (isJsonObject(observation) ? String(observation['content'] ?? '') : ''));
}

/** Which variant and seed a stored transcript names, if it does. */
export function taskNamedBy(value: JsonValue): { readonly variant?: number; readonly seed?: number } {
  const task =
    isJsonObject(value) && isJsonObject(value['task']) ? value['task'] : isJsonObject(value) ? value : {};
  const number = (name: string) => (typeof task[name] === 'number' ? { [name]: task[name] } : {});
  return { ...number('variant'), ...number('seed') };
}

function messagesIn(value: JsonValue): readonly TurnMessage[] {
  if (Array.isArray(value)) return readMessages(value);
  if (isJsonObject(value) && Array.isArray(value['turns'])) {
    // A stored transcript: each turn's messages, with the person's answer between, so that turns stay turns.
    return (value['turns'] as readonly JsonValue[]).filter(isJsonObject).flatMap((turn) => {
      const observation = isJsonObject(turn['observation'])
        ? String(turn['observation']['content'] ?? '')
        : '';
      return [...messagesIn(turn['messages'] ?? []), { role: 'user' as const, content: observation }];
    });
  }
  if (isJsonObject(value) && Array.isArray(value['messages'])) return messagesIn(value['messages']);
  throw new WhetstoneError(
    'transcript_unreadable',
    'This is not a transcript: it should be a list of messages, or an object with "messages" or "turns".',
  );
}

export function readMessages(list: readonly JsonValue[]): readonly TurnMessage[] {
  return list.map(readMessage);
}

function readMessage(value: JsonValue, index: number): TurnMessage {
  if (!isJsonObject(value)) throw unreadable(index, 'it is not an object');
  const role = value['role'] ?? 'assistant';
  if (role !== 'assistant' && role !== 'user')
    throw unreadable(
      index,
      `its role is ${JSON.stringify(role)}; "assistant" (the model) and "user" (the person) are known`,
    );
  const content = value['content'] ?? '';
  if (typeof content !== 'string') throw unreadable(index, 'its content is not text');
  const calls = value['tool_calls'] ?? value['toolCalls'] ?? [];
  if (!Array.isArray(calls)) throw unreadable(index, 'its tool_calls are not a list');
  const toolCalls = (calls as readonly JsonValue[]).map((call) => readCall(call, index));
  return { role, content, ...(toolCalls.length > 0 ? { toolCalls } : {}) };
}

function readCall(call: JsonValue, index: number): TurnCall {
  if (!isJsonObject(call) || typeof call['name'] !== 'string')
    throw unreadable(index, 'one of its tool calls has no name');
  const type = call['type'];
  const known = type === 'artifact' || type === 'decision' || type === 'function';
  return { ...(known ? { type } : {}), name: call['name'], input: call['input'] ?? ({} as JsonObject) };
}

function unreadable(index: number, why: string): WhetstoneError {
  return new WhetstoneError('transcript_unreadable', `Message ${index + 1} cannot be read: ${why}.`, {
    details: { index },
  });
}
