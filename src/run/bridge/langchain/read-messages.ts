import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../../base/message/message.ts';
import type { AssistantPart } from '../../../base/message/part.ts';
import type { Result } from '../../../base/message/result.ts';
import { filledText, objectOf, objectsOf, omitUndefined, textOf } from '../../../wire/json-fields.ts';
import { blocksOf, readBlock, readSaidBlock } from './content-block.ts';
import { api, fieldsOf } from './message-fields.ts';

/**
 * Messages of LangChain as our history: instances, stored or serialized ones, and whatever else its models take. Calls
 * that were not answered stay so; a run mends that. `invalid_tool_calls` become calls that never run.
 * @example await run({ model, tools, messages: fromLangChainMessages(state.messages) });
 */
export function fromLangChainMessages(given: Iterable<unknown>): readonly Message[] {
  const messages: Message[] = [];
  const names = new Map<string, string>();
  for (const message of given) {
    const { kind, fields } = fieldsOf(message);
    if (kind === 'ai') {
      const said = readSaid(fields, `${messages.length}`);
      for (const part of said.content) if (part.type === 'call') names.set(part.id, part.name);
      messages.push(said);
    } else if (kind === 'tool') addResult(messages, readResult(fields, names));
    else if (kind === 'system')
      messages.push({
        role: 'system',
        content: blocksOf(fields['content'])
          .map(({ text }) => textOf(text) ?? '')
          .join('\n'),
      });
    else
      messages.push(
        typeof fields['content'] === 'string'
          ? { role: 'user', content: fields['content'] }
          : { role: 'user', content: blocksOf(fields['content']).map(readBlock) },
      );
  }
  return messages;
}

/** The results of one reply are one message. */
function addResult(messages: Message[], result: Result): void {
  const last = messages.at(-1);
  if (last?.role !== 'tool') messages.push({ role: 'tool', results: [result] });
  else messages[messages.length - 1] = { role: 'tool', results: [...last.results, result] } as ToolMessage;
}

/** Blocks that say a call again which is in `tool_calls`; they tell its place among the words. */
const callBlocks: ReadonlySet<unknown> = new Set([
  'tool_call',
  'tool_use',
  'function_call',
  'functionCall',
  'invalid_tool_call',
  'tool_call_chunk',
  'input_json_delta',
]);

function readSaid(fields: JsonObject, place: string): AssistantMessage {
  const calls = [
    ...objectsOf(fields['tool_calls']).map((call, index) => readCall(call, `${place}_${index}`)),
    ...objectsOf(fields['invalid_tool_calls']).map((call, index) => readInvalid(call, `${place}_x${index}`)),
  ];
  const waiting = new Map(calls.map((call) => [call.id, call]));
  const content: AssistantPart[] = [];
  for (const block of blocksOf(fields['content'])) {
    if (callBlocks.has(block['type'])) {
      const id = textOf(block['id']) ?? textOf(block['call_id']) ?? '';
      const call = waiting.get(id) ?? (calls.length === 0 ? readBlockCall(block, place) : undefined);
      if (call !== undefined) content.push(call);
      waiting.delete(id);
    } else content.push(readHosted(block) ?? readSaidBlock(block));
  }
  const refusal = filledText(objectOf(fields['additional_kwargs'])['refusal']);
  if (refusal !== undefined) content.push({ type: 'refusal', text: refusal });
  content.push(...waiting.values());
  const model = filledText(objectOf(fields['response_metadata'])['model_name']);
  return { role: 'assistant', content, ...(model !== undefined && { from: { api, model } }) };
}

function readCall(call: JsonObject, place: string): Call {
  const id = filledText(call['id']);
  return omitUndefined({
    type: 'call' as const,
    id: id ?? `call_${place}`,
    idMadeUp: id === undefined ? true : undefined,
    name: textOf(call['name']) ?? '',
    arguments: isJsonObject(call['args']) ? call['args'] : (textOf(call['args']) ?? ''),
    kind: 'function' as const,
    requiresLocalExecution: true,
  });
}

function readInvalid(call: JsonObject, place: string): Call {
  const message = filledText(call['error']) ?? 'The arguments are not JSON.';
  return { ...readCall(call, place), invalid: { reason: 'not-json', message } };
}

/** In content of the first version the blocks alone hold the calls. */
function readBlockCall(block: JsonObject, place: string): Call | undefined {
  const args = block['args'] ?? block['input'] ?? block['arguments'];
  if (block['type'] === 'input_json_delta' || args === undefined) return undefined;
  const call = { ...block, args };
  return block['type'] === 'invalid_tool_call' ? readInvalid(call, place) : readCall(call, place);
}

function readHosted(block: JsonObject): AssistantPart | undefined {
  if (block['type'] === 'server_tool_call')
    return { ...readCall(block, 'hosted'), requiresLocalExecution: false };
  if (block['type'] !== 'server_tool_call_result') return undefined;
  return omitUndefined({
    type: 'hosted-result' as const,
    callId: textOf(block['toolCallId']) ?? '',
    name: textOf(block['name']) ?? '',
    content: block['output'] ?? null,
    isError: block['status'] === 'error' ? true : undefined,
  });
}

function readResult(fields: JsonObject, names: ReadonlyMap<string, string>): Result {
  const callId = textOf(fields['tool_call_id']) ?? '';
  const content = blocksOf(fields['content']).map(readBlock);
  return omitUndefined({
    callId,
    name: filledText(fields['name']) ?? names.get(callId) ?? '',
    content: content.length === 0 ? [{ type: 'text' as const, text: '' }] : content,
    isError: fields['status'] === 'error' ? true : undefined,
    artifact: fields['artifact'] ?? undefined,
  });
}
