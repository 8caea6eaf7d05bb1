import { isJsonObject } from '../src/base/json/value.ts';
import type { JsonObject, JsonValue } from '../src/base/json/value.ts';
import { faultsOf } from './wire-rules.ts';

/** Everything that a provider would refuse of a body as it is sent: by its rules, and by what it is known to have said. */
export function refusalsOf(api: string, sent: string): readonly string[] {
  const body = JSON.parse(sent) as JsonObject;
  return [...faultsOf(api, body), ...known(api, body), ...everybody(body), ...unfitText(sent)];
}

/** What one provider is known to refuse, each by its own words; not by any rule of this house. */
function known(api: string, body: JsonObject): readonly string[] {
  if (/anthropic/.test(api))
    return [...messagesIn(body).flatMap(ofAnthropic), ...unansweredHosted(messagesIn(body))];
  if (/^bedrock/.test(api)) return messagesIn(body).flatMap(ofBedrock);
  return api === 'openai-responses' ? ofResponses(body) : [];
}

function ofAnthropic(message: JsonObject): readonly string[] {
  const blocks = objects(message['content']);
  return [
    ...blocks.flatMap((block) => [
      ...(block['type'] === 'text' && String(block['text']).trim() === ''
        ? ['messages: text content blocks must contain non-whitespace text']
        : []),
      ...(block['type'] === 'thinking' && !block['signature']
        ? ['messages: thinking.signature: Field required']
        : []),
    ]),
  ];
}

/** A call that the provider runs has its result in its own message, or behind results of ours, or it is the last word. */
function unansweredHosted(messages: readonly JsonObject[]): readonly string[] {
  const hosted = new Set<string>();
  const answered = new Set(
    messages.flatMap(({ content }) => idsOf(objects(content), /_tool_result$/, 'tool_use_id')),
  );
  const found: string[] = [];
  for (const [index, { content }] of messages.entries()) {
    const blocks = objects(content);
    const ids = idsOf(blocks, /^(?:server|mcp)_tool_use$/, 'id');
    for (const id of ids) hosted.add(id);
    const goesOn = index === messages.length - 1 || blocks.some(({ type }) => type === 'tool_use');
    for (const id of ids)
      if (!answered.has(id) && !goesOn)
        found.push(`tool use with id ${id} was found without a corresponding tool result block`);
    for (const id of idsOf(blocks, /_tool_result$/, 'tool_use_id'))
      if (!hosted.has(id)) found.push(`unexpected tool_use_id found: ${id}`);
  }
  return found;
}

function ofBedrock(message: JsonObject): readonly string[] {
  return objects(message['content']).flatMap((block) => [
    ...(typeof block['text'] === 'string' && block['text'].trim() === ''
      ? ['The text field in the ContentBlock object is blank. Add text to the text field, and try again.']
      : []),
    ...(isJsonObject(block['reasoningContent']) &&
    isJsonObject(block['reasoningContent']['reasoningText']) &&
    block['reasoningContent']['reasoningText']['signature'] === ''
      ? ['reasoningText.signature: Field required']
      : []),
  ]);
}

function ofResponses(body: JsonObject): readonly string[] {
  const items = objects(body['input']);
  const ids = items.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  return [
    ...items.flatMap((item, index) => {
      const next = items[index + 1];
      const follows = next !== undefined && next['role'] !== 'user' && !/_output$/.test(String(next['type']));
      return item['type'] === 'reasoning' && !follows
        ? ["Item of type 'reasoning' was provided without its required following item."]
        : [];
    }),
    ...(new Set(ids).size < ids.length ? [`Duplicate item found with id ${ids.join(' ')}`] : []),
  ];
}

/** What every host that parses arguments refuses. */
function everybody(body: JsonObject): readonly string[] {
  const found: string[] = [];
  const ids: string[] = [];
  const walk = (value: JsonValue): void => {
    if (Array.isArray(value)) (value as readonly JsonValue[]).forEach(walk);
    if (!isJsonObject(value)) return;
    const { arguments: given } = value;
    if (typeof given === 'string' && !isObjectText(given))
      found.push(`arguments are not an object: ${given}`);
    const isCall =
      value['type'] === 'tool_use' || value['type'] === 'function' || value['type'] === 'function_call';
    const id = value['call_id'] ?? value['id'];
    if (isCall && typeof id === 'string') ids.push(id);
    Object.values(value).forEach((one) => walk(one as JsonValue));
  };
  walk(body['messages'] ?? body['input'] ?? body['contents'] ?? null);
  if (new Set(ids).size < ids.length) found.push(`\`tool_use\` ids must be unique: ${ids.join(' ')}`);
  return found;
}

/** Half a character is refused by whoever parses the body. */
function unfitText(sent: string): readonly string[] {
  const texts: string[] = [];
  JSON.parse(sent, (_key, value: unknown) => {
    if (typeof value === 'string' && !value.isWellFormed()) texts.push(value.slice(0, 40));
    return value;
  });
  return texts.map((text) => `no low surrogate in string: ${JSON.stringify(text)}`);
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text) as JsonValue);
  } catch {
    return false;
  }
}

function idsOf(blocks: readonly JsonObject[], type: RegExp, field: string): readonly string[] {
  return blocks.flatMap((block) => {
    const id = block[field];
    return type.test(String(block['type'])) && typeof id === 'string' ? [id] : [];
  });
}

function messagesIn(body: JsonObject): readonly JsonObject[] {
  return objects(body['messages']);
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
}
