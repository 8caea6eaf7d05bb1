import type { JsonObject } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { Message } from '../../base/message/message.ts';
import type { ModelRequest, ToolSpec } from '../../base/message/model.ts';
import type { UserPart } from '../../base/message/part.ts';
import type { ReadRequest } from '../adapter.ts';
import {
  omitUndefined,
  filledText,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  restOf,
  textOf,
} from '../json-fields.ts';
import { providerData } from '../provider-data.ts';
import { readMessage } from './reply.ts';
import { api } from './request.ts';

/** The body of `POST /api/chat` → our request. Fields that we have no word for stay under `providerOptions`. */
export function readRequest(body: JsonObject): ReadRequest {
  const settings = objectOf(body['options']);
  const format = body['format'];
  const options = restOf(settings, ['num_predict', 'temperature', 'top_p', 'seed', 'stop']);
  const rest = {
    // Without a level: only some models know levels.
    ...(body['think'] === true && { think: true }),
    ...restOf(body, isJsonObject(format) ? [...known, 'format'] : known),
    ...(options && { options }),
  };
  const calls = new UnansweredCalls();
  const request: ModelRequest = omitUndefined({
    messages: objectsOf(body['messages']).map((message) => readRequestMessage(message, calls)),
    tools: body['tools'] === undefined ? undefined : objectsOf(body['tools']).map(readTool),
    maxOutputTokens: numberOf(settings['num_predict']),
    temperature: numberOf(settings['temperature']),
    topP: numberOf(settings['top_p']),
    seed: numberOf(settings['seed']),
    stop: settings['stop'] as readonly string[] | undefined,
    output: isJsonObject(format) ? { name: 'answer', schema: format } : undefined,
    reasoning: readThink(body['think']),
    providerOptions: providerData(api, Object.keys(rest).length > 0 ? rest : undefined),
  });
  return { request, model: textOf(body['model']) ?? '', stream: body['stream'] !== false };
}

const known = ['model', 'messages', 'tools', 'options', 'think', 'stream'];

/** Results often name no call: then they answer the calls in their order. */
class UnansweredCalls {
  #calls: { readonly id: string; readonly name: string }[] = [];

  add(call: { readonly id: string; readonly name: string }): void {
    this.#calls.push(call);
  }

  answer(id: string | undefined, name: string | undefined): { readonly id: string; readonly name: string } {
    const at = this.#calls.findIndex((call) =>
      id === undefined ? name === undefined || call.name === name : call.id === id,
    );
    const found = at < 0 ? undefined : this.#calls.splice(at, 1)[0];
    return found ?? { id: id ?? '', name: name ?? '' };
  }
}

function readRequestMessage(message: JsonObject, calls: UnansweredCalls): Message {
  const text = textOf(message['content']) ?? '';
  switch (message['role']) {
    case 'assistant': {
      const ours = readMessage(message);
      for (const part of ours.content) if (part.type === 'call') calls.add(part);
      return { role: 'assistant', content: ours.content, from: { api, model: '' } };
    }
    case 'tool': {
      const call = calls.answer(
        filledText(message['tool_call_id']),
        filledText(message['tool_name']) ?? filledText(message['name']),
      );
      return {
        role: 'tool',
        results: [{ callId: call.id, name: call.name, content: [{ type: 'text', text }] }],
      };
    }
    case 'system':
      return { role: 'system', content: text };
    default: {
      const images = listOf(message['images']).filter((image) => typeof image === 'string');
      if (images.length === 0) return { role: 'user', content: text };
      const parts = images.map((data): UserPart => ({
        type: 'image',
        source: { kind: 'base64', data, mediaType: 'image/png' },
      }));
      return { role: 'user', content: text === '' ? parts : [{ type: 'text', text }, ...parts] };
    }
  }
}

function readTool(tool: JsonObject): ToolSpec {
  const body = objectOf(tool['function']);
  return omitUndefined({
    kind: 'function' as const,
    name: textOf(body['name']) ?? '',
    description: textOf(body['description']),
    input: objectOf(body['parameters']),
    providerOptions: providerData(api, restOf(tool, ['type', 'function'])),
  });
}

function readThink(think: unknown): ModelRequest['reasoning'] {
  if (think === false) return { effort: 'none' };
  if (think === true) return { effort: 'medium' };
  return think === 'low' || think === 'medium' || think === 'high' ? { effort: think } : undefined;
}
