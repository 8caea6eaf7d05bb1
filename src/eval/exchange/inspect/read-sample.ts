import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Message } from '../../../base/message/message.ts';
import type { AssistantPart, UserPart } from '../../../base/message/part.ts';
import { callOf, chatText, imageAt, imagesIn, joinResult, resultOf } from '../chat-messages.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../fields.ts';
import { type Trajectory, type TrajectoryGrade, withHead } from '../trajectory.ts';

/** A sample of a log of Inspect. Its attachments are put where they are spoken of. */
export function readSample(sample: JsonObject, header: JsonObject): Trajectory {
  const resolved = withAttachments(sample, objectAt(sample, 'attachments')) as JsonObject;
  const messages = readMessages(messagesOf(resolved));
  const { whetstone, ...metadata } = objectAt(resolved, 'metadata');
  const own = withHead(whetstone, messages);
  if (own !== undefined) return own;
  const spec = objectAt(header, 'eval');
  const id = String(resolved['id'] ?? '');
  const trial = numberAt(resolved, 'epoch') ?? 1;
  const model = textAt(objectAt(resolved, 'output'), 'model') || textAt(spec, 'model');
  const error = resolved['error'];
  const limit = resolved['limit'];
  const startedAt = textAt(resolved, 'started_at');
  const endedAt = textAt(resolved, 'completed_at');
  const target = resolved['target'] ?? '';
  return {
    id:
      textAt(resolved, 'uuid') ?? `${textAt(spec, 'run_id') ?? textAt(spec, 'task') ?? 'log'}-${id}-${trial}`,
    task: `${textAt(spec, 'task') ?? 'task'}/${id}`,
    trial,
    agent: { name: textAt(spec, 'model') ?? 'unknown', ...(model && { model }) },
    tools: [],
    messages,
    ...gradeOf(objectAt(resolved, 'scores')),
    tokens: [],
    ...(isJsonObject(limit) && { ended: `limit: ${textAt(limit, 'type') ?? 'unknown'}` }),
    ...(isJsonObject(error) && { error: textAt(error, 'message') ?? JSON.stringify(error) }),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
    metadata: { ...metadata, ...(target !== '' && { target }) },
  };
}

/** The words of the last reply are in the output, also where no conversation was kept. */
function messagesOf(sample: JsonObject): readonly JsonObject[] {
  const messages = objectsAt(sample, 'messages');
  if (messages.length > 0) return messages;
  const { input } = sample;
  const asked = typeof input === 'string' ? [{ role: 'user', content: input }] : objectsAt(sample, 'input');
  const [choice] = objectsAt(objectAt(sample, 'output'), 'choices');
  return choice === undefined ? asked : [...asked, objectAt(choice, 'message')];
}

/** The first score is the reward, where it is a number, a letter of a grade or a yes. */
function gradeOf(scores: JsonObject): { readonly grade?: TrajectoryGrade } {
  const read = Object.entries(scores).map(([name, score]): [string, number | null] => [
    name,
    isJsonObject(score) ? numberOf(score['value']) : null,
  ]);
  return read.length === 0 ? {} : { grade: { reward: read[0]![1], scores: Object.fromEntries(read) } };
}

const letters: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

function numberOf(value: JsonValue | undefined): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return null;
  return letters[value] ?? (value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : null);
}

function readMessages(written: readonly JsonObject[]): readonly Message[] {
  const names = new Map<string, string>();
  const messages: Message[] = [];
  for (const message of written) {
    const { content } = message;
    switch (message['role']) {
      case 'system':
        messages.push({ role: 'system', content: chatText(content) });
        break;
      case 'assistant': {
        const texts = objectAt(objectAt(message, 'metadata'), 'arguments_text');
        const calls = objectsAt(message, 'tool_calls').map((call) => {
          const id = textAt(call, 'id') ?? '';
          const name = textAt(call, 'function') ?? '';
          const read = callOf(id, name, call['arguments']);
          const text = texts[id];
          return typeof text === 'string' ? { ...read, arguments: text } : read;
        });
        for (const { id, name } of calls) names.set(id, name);
        const model = textAt(message, 'model');
        messages.push({
          role: 'assistant',
          content: [...replyParts(content), ...calls],
          ...(model !== undefined && { from: { api: 'inspect', model } }),
        });
        break;
      }
      case 'tool': {
        const id = textAt(message, 'tool_call_id') ?? '';
        const error = objectAt(message, 'error');
        const failed = textAt(error, 'message') ?? textAt(message, 'tool_error');
        const text = chatText(content);
        const name = textAt(message, 'function') ?? names.get(id) ?? '';
        joinResult(
          messages,
          resultOf(id, name, {
            text: failed === undefined || text !== '' ? text : failed,
            images: imagesIn(userParts(content)),
            isError: failed !== undefined,
          }),
        );
        break;
      }
      default:
        messages.push({ role: 'user', content: userParts(content) });
    }
  }
  return messages;
}

function replyParts(content: JsonValue | undefined): readonly AssistantPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return objectsAt({ content: content ?? [] }, 'content').map((part): AssistantPart => {
    const text = textAt(part, 'text');
    if (text !== undefined) return { type: 'text', text };
    const reasoning = textAt(part, 'reasoning');
    if (reasoning !== undefined) return { type: 'reasoning', text: reasoning };
    const image = textAt(part, 'image');
    return image === undefined ? { type: 'other', api: 'inspect', raw: part } : imageAt(image);
  });
}

function userParts(content: JsonValue | undefined): string | readonly UserPart[] {
  if (!Array.isArray(content)) return chatText(content);
  return objectsAt({ content }, 'content').map((part): UserPart => {
    const text = textAt(part, 'text');
    if (text !== undefined) return { type: 'text', text };
    const image = textAt(part, 'image');
    return image === undefined ? { type: 'other', api: 'inspect', raw: part } : imageAt(image);
  });
}

function withAttachments(value: JsonValue, attachments: JsonObject): JsonValue {
  if (typeof value === 'string')
    return value.includes('attachment://')
      ? value.replaceAll(/attachment:\/\/([0-9a-f]+)/g, (whole, hash: string) => {
          const text = attachments[hash];
          return typeof text === 'string' ? text : whole;
        })
      : value;
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item) => withAttachments(item, attachments));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      // Events repeat what messages say, and are most of a log.
      .filter(([key]) => key !== 'events' && key !== 'attachments' && key !== 'events_data')
      .map(([key, item]) => [key, withAttachments(item, attachments)]),
  );
}
