import type { JsonObject } from '../../../base/json/value.ts';
import {
  callsOf,
  type AssistantMessage,
  type Message,
  reasoningOf,
  textOf,
} from '../../../base/message/message.ts';
import { type Result, resultText } from '../../../base/message/result.ts';
import type { ToolDefinition, Trajectory } from '../../../eval/exchange/trajectory.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { EpisodeDetail, EpisodeTurn } from '../../api/episode.ts';
import type { EpisodeTool, Message as MessageView, ToolResult } from '../../api/message.ts';
import { writeSummary } from '../rest/write-answer.ts';

/** What a log is called, and what it is. */
export interface LogName {
  readonly file: string;
  readonly format: string;
}

/** A trajectory as the page shows episodes: a turn is a reply with its results, and what was said to it then. */
export function logDetail(record: EpisodeRecord, trajectory: Trajectory, log: LogName): EpisodeDetail {
  const { messages, tools, ended, error, metadata } = trajectory;
  const first = messages.findIndex(({ role }) => role === 'assistant');
  const opening = messages.slice(0, first < 0 ? messages.length : first);
  const briefing = opening.filter(({ role }) => role === 'system').map(saidIn);
  const turns = first < 0 ? [] : turnsOf(messages.slice(first), record);
  return {
    ...writeSummary(record),
    turn_count: turns.length,
    scenario_name: record.scenario,
    briefing: briefing.join('\n\n'),
    score_turns: false,
    max_turns: turns.length,
    tools: tools.map(writeTool),
    initial_observation: { role: 'assistant', content: opening.map(saidIn).join('\n\n') },
    turns,
    log: {
      ...log,
      id: trajectory.id,
      ...(ended !== undefined && { ended }),
      ...(error !== undefined && { error }),
      metadata: metadata as JsonObject,
    },
  };
}

function turnsOf(messages: readonly Message[], { createdAt }: EpisodeRecord): readonly EpisodeTurn[] {
  const begins = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
  return begins.map((begin, place) => {
    const end = begins[place + 1] ?? messages.length;
    const reply = messages[begin] as AssistantMessage;
    const after = messages.slice(begin + 1, end);
    const results = resultsOf(
      reply,
      after.flatMap((message) => (message.role === 'tool' ? message.results : [])),
    );
    const said = after.filter(({ role }) => role !== 'tool').map(saidIn);
    return {
      turn: place + 1,
      messages: repliesOf(reply),
      observation: { role: 'assistant', content: said.join('\n\n') },
      reward: 0,
      episode_complete: end === messages.length,
      ...(results.length > 0 && { results }),
      at: new Date(createdAt).toISOString(),
    };
  });
}

/** A reply; what its model thought goes before it, as a quotation. */
function repliesOf(reply: AssistantMessage): readonly MessageView[] {
  const thought = reasoningOf(reply).trim();
  const calls = callsOf(reply).map(({ name, arguments: input }) => ({ name, input }));
  return [
    ...(thought === '' ? [] : [{ role: 'assistant' as const, content: thought.replaceAll(/^/gm, '> ') }]),
    { role: 'assistant', content: saidIn(reply), ...(calls.length > 0 && { tool_calls: calls }) },
  ];
}

/** In the order of the calls: one that nobody answered has an empty result, so that the next one keeps its place. */
function resultsOf(reply: AssistantMessage, results: readonly Result[]): readonly ToolResult[] {
  const rest = [...results];
  const answers = callsOf(reply).map(({ id, name }): ToolResult => {
    const found = rest.findIndex((result) => result.callId === id);
    const [result] = found < 0 ? [] : rest.splice(found, 1);
    return result === undefined ? { name, output: '' } : writeResult(result);
  });
  return [...answers, ...rest.map(writeResult)];
}

function writeResult(result: Result): ToolResult {
  const pictures = result.content.filter(({ type }) => type !== 'text').map(({ type }) => `[${type}]`);
  const output = [resultText(result), ...pictures].filter((text) => text !== '').join('\n');
  return { name: result.name, output, ...(result.isError === true && { is_error: true }) };
}

/** The text of a message; of what is not text, that it was there. */
function saidIn(message: Message): string {
  if (message.role === 'tool' || typeof message.content === 'string') return textOf(message);
  const parts: readonly { readonly type: string }[] = message.content;
  const others = parts
    .filter(({ type }) => !['text', 'call', 'reasoning'].includes(type))
    .map((part) => ('text' in part && typeof part.text === 'string' ? part.text : `[${part.type}]`));
  return [textOf(message), ...others].filter((text) => text !== '').join('\n');
}

function writeTool({ name, description, parameters }: ToolDefinition): EpisodeTool {
  return {
    id: name,
    type: 'function',
    name,
    mode: 'json_schema',
    ...(description !== undefined && { description }),
    json_schema: parameters,
  };
}
