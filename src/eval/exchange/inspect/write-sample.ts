import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { callsOf, type Message, textOf } from '../../../base/message/message.ts';
import type { AssistantPart, UserPart } from '../../../base/message/part.ts';
import { resultText } from '../../../base/message/result.ts';
import { imageUrl } from '../chat-messages.ts';
import { headOf, type Trajectory } from '../trajectory.ts';

/** What Python writes as NaN: `writeInspectLog` puts the bare word there. */
export const unscored = '\u0000NaN';

interface Place {
  readonly id: string;
  readonly epoch: number;
}

/** A trajectory as a sample of Inspect; what it has no field for is in `metadata.whetstone`. */
export function writeSample(trajectory: Trajectory, { id, epoch }: Place): JsonObject {
  const { agent, messages, error } = trajectory;
  const model = agent.model ?? agent.name;
  const written = messages.flatMap((message) => writeMessage(message, model));
  const first = messages.findIndex(({ role }) => role === 'assistant');
  const last = messages.findLast((message) => message.role === 'assistant');
  return {
    id,
    epoch,
    input: inputOf(messages.slice(0, first < 0 ? messages.length : first)),
    target: '',
    messages: written,
    output: {
      model,
      choices:
        last === undefined
          ? []
          : [
              {
                message: writeMessage(last, model)[0]!,
                stop_reason: callsOf(last).length > 0 ? 'tool_calls' : 'stop',
              },
            ],
    },
    scores: writeScores(trajectory),
    metadata: {
      ...trajectory.metadata,
      episode_id: trajectory.id,
      player: agent.name,
      whetstone: headOf(trajectory),
    },
    store: {},
    events: [],
    model_usage: {},
    attachments: {},
    uuid: trajectory.id,
    ...timesOf(trajectory),
    ...(error !== undefined && { error: { message: error, traceback: '', traceback_ansi: '' } }),
  };
}

export function writeSummary(trajectory: Trajectory, { id, epoch }: Place): JsonObject {
  const { messages, error } = trajectory;
  const asked = messages.find(({ role }) => role === 'user');
  return {
    id,
    epoch,
    input: (asked === undefined ? '' : textOf(asked)).slice(0, 1000),
    target: '',
    metadata: { episode_id: trajectory.id, player: trajectory.agent.name },
    scores: writeScores(trajectory),
    model_usage: {},
    uuid: trajectory.id,
    ...timesOf(trajectory),
    ...(error !== undefined && { error }),
    completed: true,
    message_count: messages.length,
  };
}

function timesOf({ startedAt, endedAt }: Trajectory): JsonObject {
  return {
    ...(startedAt !== undefined && { started_at: startedAt }),
    ...(endedAt !== undefined && { completed_at: endedAt }),
  };
}

/** The reward, and each dimension as a scorer of its own. */
function writeScores({ grade }: Trajectory): JsonObject {
  if (grade === undefined) return {};
  const score = (value: number | null): JsonObject => ({ value: value ?? unscored, history: [] });
  return {
    whetstone: score(grade.reward),
    ...Object.fromEntries(Object.entries(grade.scores).map(([name, value]) => [name, score(value)])),
  };
}

function inputOf(messages: readonly Message[]): JsonValue {
  const [only] = messages;
  if (messages.length === 1 && only?.role === 'user' && typeof only.content === 'string') return only.content;
  return messages.flatMap((message) => writeMessage(message, ''));
}

function writeMessage(message: Message, model: string): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: textOf(message) }];
    case 'user':
      return [
        {
          role: 'user',
          content: typeof message.content === 'string' ? message.content : message.content.map(writePart),
        },
      ];
    case 'assistant': {
      const calls = callsOf(message);
      const texts = calls.flatMap(({ id, arguments: given }) =>
        typeof given === 'string' ? [[id, given] as const] : [],
      );
      const parts = message.content.filter((part) => part.type !== 'call');
      return [
        {
          role: 'assistant',
          content: contentOf(parts),
          source: 'generate',
          ...(calls.length > 0 && {
            tool_calls: calls.map(({ id, name, arguments: given }) => ({
              id,
              function: name,
              arguments: typeof given === 'string' ? {} : given,
              type: 'function',
              ...(typeof given === 'string' && { parse_error: 'The arguments are not an object.' }),
            })),
          }),
          model: message.from?.model ?? model,
          ...(texts.length > 0 && { metadata: { arguments_text: Object.fromEntries(texts) } }),
        },
      ];
    }
    case 'tool':
      return message.results.map((result) => ({
        role: 'tool',
        content: resultText(result),
        tool_call_id: result.callId,
        function: result.name,
        ...(result.isError === true && { error: { type: 'unknown', message: resultText(result) } }),
      }));
  }
}

/** Words alone are a text. Inspect would cut thinking out of one that has tags of it, and out of no list. */
function contentOf(parts: readonly Exclude<AssistantPart, { type: 'call' }>[]): JsonValue {
  const [only] = parts;
  if (only === undefined) return '';
  if (parts.length === 1 && only.type === 'text' && !only.text.includes('<think')) return only.text;
  return parts.map(writePart);
}

function writePart(part: Exclude<AssistantPart | UserPart, { type: 'call' }>): JsonObject {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: part.text };
    case 'reasoning':
      return { type: 'reasoning', reasoning: part.text };
    case 'image':
      return { type: 'image', image: imageUrl(part) };
    case 'other':
      return part.api === 'inspect' ? part.raw : { type: 'text', text: JSON.stringify(part.raw) };
    case 'document':
    case 'hosted-result':
      return { type: 'text', text: JSON.stringify(part) };
  }
}
