import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { actionArguments } from '../../../base/message/action-object.ts';
import {
  callsOf,
  type AssistantMessage,
  type Message,
  reasoningOf,
  textOf,
} from '../../../base/message/message.ts';
import type { ImagePart } from '../../../base/message/part.ts';
import { type Result, resultText } from '../../../base/message/result.ts';
import { numbersAt } from '../../../eval/exchange/fields.ts';
import type { ToolDefinition, Trajectory } from '../../../eval/exchange/trajectory.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import { pictureName } from '../../../run/computer/record/record.ts';
import type { EpisodeDetail } from '../../api/episode.ts';
import type { EpisodeTurn } from '../../api/turn.ts';
import type { EpisodeTool, Message as MessageView, ResultImage, ToolResult } from '../../api/message.ts';
import { writeSummary } from '../rest/write-answer.ts';
import { actionsOf } from './call-actions.ts';

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
  const frames = turns.flatMap(({ turn, results = [] }) =>
    results.flatMap(({ images }, result) => (images === undefined ? [] : [{ turn, result }])),
  );
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
      ...(frames.length > 0 && { frames }),
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
    const results = resultsOf(reply, toolsOf(after));
    const said = after.filter(({ role }) => role !== 'tool').map(saidIn);
    return {
      turn: place + 1,
      messages: repliesOf(reply),
      observation: { role: 'assistant', content: said.join('\n\n') },
      reward: 0,
      episode_complete: end === messages.length,
      ...(results.length > 0 && { results }),
      at: new Date(toolsOf(after).at(-1)?.startedAt ?? createdAt).toISOString(),
    };
  });
}

function toolsOf(messages: readonly Message[]): readonly Result[] {
  return messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
}

/** A reply; what its model thought goes before it, as a quotation. */
function repliesOf(reply: AssistantMessage): readonly MessageView[] {
  const thought = reasoningOf(reply).trim();
  const calls = callsOf(reply).map((call) => {
    const actions = actionsOf(call).map(actionArguments);
    return { name: call.name, input: call.arguments, ...(actions.length > 0 && { actions }) };
  });
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
  const images = result.content.flatMap((part) => (part.type === 'image' ? (imageOf(part) ?? []) : []));
  const others = result.content
    .filter((part) => part.type !== 'text' && !(part.type === 'image' && imageOf(part)))
    .map(({ type }) => `[${type}]`);
  const output = [resultText(result), ...others].filter((text) => text !== '').join('\n');
  const cursor = cursorIn(result.artifact);
  return {
    name: result.name,
    output,
    ...(result.isError === true && { is_error: true }),
    ...(images.length > 0 && { images }),
    ...(cursor && { cursor }),
  };
}

const shownTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** A picture that can be shown without asking anybody else: the picture itself, or the name that its log knows it by. */
function imageOf({ source }: ImagePart): ResultImage | undefined {
  const { mediaType } = source;
  if (mediaType === undefined || !shownTypes.has(mediaType)) return undefined;
  if (source.kind === 'base64')
    return { media_type: mediaType, href: `data:${mediaType};base64,${source.data}` };
  return pictureName.test(source.url) ? { media_type: mediaType, href: source.url } : undefined;
}

function cursorIn(artifact: JsonValue | undefined): readonly [number, number] | undefined {
  const [x, y] = isJsonObject(artifact) ? (numbersAt(artifact, 'cursor') ?? []) : [];
  return x === undefined || y === undefined ? undefined : [x, y];
}

/** The text of a message; for anything else, a note that it was there. */
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
