import { isJsonObject } from '../src/base/json/value.ts';
import type { JsonObject, JsonValue } from '../src/base/json/value.ts';

/**
 * What a provider refuses in a request, written from its published rules and from recorded refusals, apart from
 * the code that writes requests. Answers with every fault; none means that the provider takes the body.
 */
export function faultsOf(api: string, body: JsonObject): readonly string[] {
  const rules = rulesOf[api];
  if (rules === undefined) throw new Error(`no rules are written down for ${api}`);
  return [...rules(body)];
}

type Rules = (body: JsonObject) => Iterable<string>;

const rulesOf: Readonly<Record<string, Rules>> = {
  anthropic: anthropicFaults,
  'vertex-anthropic': anthropicFaults,
  'bedrock-invoke-anthropic': anthropicFaults,
  'openai-chat-compat': (body) => chatFaults(body, { id: /^.+$/s, results: 'tool_call_id' }),
  'openai-chat': (body) => chatFaults(body, { id: /^.{1,40}$/s, results: 'tool_call_id' }),
  mistral: (body) => chatFaults(body, { id: /^[A-Za-z0-9]{9}$/, results: 'tool_call_id' }),
  cohere: (body) => chatFaults(body, { id: /^.+$/s, results: 'tool_call_id' }),
  'openai-responses': responsesFaults,
  'gemini-interactions': interactionsFaults,
  gemini: geminiFaults,
  'vertex-gemini': geminiFaults,
  'bedrock-converse': converseFaults,
  'bedrock-invoke-nova': converseFaults,
  ollama: ollamaFaults,
};

function* anthropicFaults(body: JsonObject): Iterable<string> {
  if (typeof body['max_tokens'] !== 'number') yield 'max_tokens is missing';
  const messages = objects(body['messages']).filter(({ role }) => role !== 'system');
  yield* alternation(
    messages.map(({ role }) => String(role)),
    'user',
    'assistant',
  );
  let asked: readonly string[] = [];
  for (const [index, message] of messages.entries()) {
    const blocks =
      typeof message['content'] === 'string'
        ? [{ type: 'text', text: message['content'] }]
        : objects(message['content']);
    const at = `messages[${index}]`;
    if (blocks.length === 0) yield `${at} is empty`;
    const results = blocks.filter(({ type }) => type === 'tool_result');
    if (message['role'] === 'user') {
      yield* sameIds(
        asked,
        results.map((block) => String(block['tool_use_id'])),
        at,
        false,
      );
      const firstWord = blocks.findIndex(({ type }) => type !== 'tool_result');
      if (firstWord >= 0 && blocks.slice(firstWord).some(({ type }) => type === 'tool_result'))
        yield `${at}: a result is behind words`;
      asked = [];
    } else asked = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => String(id));
    for (const block of blocks) {
      if (block['type'] === 'text' && block['text'] === '') yield `${at}: an empty text`;
      if (block['type'] === 'thinking' && !block['signature']) yield `${at}: thinking without its signature`;
      if (block['type'] === 'image' && message['role'] === 'assistant')
        yield `${at}: an image of the model's`;
      if (block['type'] !== 'tool_use') continue;
      if (!/^[A-Za-z0-9_-]+$/.test(String(block['id']))) yield `${at}: the id ${String(block['id'])}`;
      if (!/^[A-Za-z0-9_-]{1,128}$/.test(String(block['name'])))
        yield `${at}: the name ${String(block['name'])}`;
      if (!isJsonObject(block['input'])) yield `${at}: input is not an object`;
    }
  }
  if (asked.length > 0) yield `calls ${asked.join()} are not answered`;
  if (isForced(object(body['tool_choice'])['type']) && /opus-5-5/.test(String(body['model'])))
    yield 'tool_choice: this model takes no "tool" and no "any"';
  const blocks = messages.flatMap(({ content }) => objects(content));
  const toolsets = new Map(blocks.map((block) => [block['id'], block['toolset_name']]));
  for (const { type, tool_use_id, toolset_name, is_error, content } of blocks) {
    if (type !== 'tool_result') continue;
    if (toolsets.get(tool_use_id) !== toolset_name)
      yield `${String(tool_use_id)}: not the toolset of its call`;
    if (is_error === true && objects(content).some((block) => block['type'] !== 'text'))
      yield `${String(tool_use_id)}: an error that is not text`;
  }
  for (const tool of objects(body['tools'])) {
    const schema = tool['input_schema'];
    if (schema === undefined) continue;
    if (!isJsonObject(schema) || schema['type'] !== 'object')
      yield `tool ${String(tool['name'])}: the root is not an object`;
    for (const keyword of ['anyOf', 'oneOf', 'allOf'])
      if (isJsonObject(schema) && keyword in schema)
        yield `tool ${String(tool['name'])}: ${keyword} at the root`;
  }
}

const isForced = (type: unknown): boolean => type === 'tool' || type === 'any';

function* chatFaults(
  body: JsonObject,
  rules: { readonly id: RegExp; readonly results: string },
): Iterable<string> {
  let open: string[] = [];
  for (const [index, message] of objects(body['messages']).entries()) {
    const at = `messages[${index}]`;
    if (message['role'] === 'function') {
      if (!isJsonObject(objects(body['messages'])[index - 1]?.['function_call']))
        yield `${at} answers no function_call`;
      continue;
    }
    if (message['role'] === 'tool') {
      const id = String(message[rules.results]);
      if (!open.includes(id)) yield `${at} answers ${id}, which is not open`;
      open = open.filter((each) => each !== id);
      const { content } = message;
      if (
        typeof content !== 'string' &&
        objects(content).some(({ type }) => type !== 'text' && type !== 'document')
      )
        yield `${at}: a result that is not text`;
      continue;
    }
    if (open.length > 0) yield `${at} comes before ${open.join()} are answered`;
    if (Array.isArray(message['content']) && message['content'].length === 0) yield `${at} is empty`;
    const calls = objects(message['tool_calls']);
    open = calls.map(({ id }) => String(id));
    if (new Set(open).size !== open.length) yield `${at}: two calls have one id`;
    for (const call of calls) {
      const { name, arguments: given } = object(call['function']);
      if (!rules.id.test(String(call['id']))) yield `${at}: the id ${String(call['id'])}`;
      if (call['type'] === 'function' && !/^[A-Za-z0-9_-]{1,64}$/.test(String(name)))
        yield `${at}: the name ${String(name)}`;
      if (call['type'] === 'function' && typeof given !== 'string') yield `${at}: arguments are not text`;
    }
    if (
      message['role'] === 'assistant' &&
      !message['content'] &&
      calls.length === 0 &&
      !message['refusal'] &&
      !message['function_call']
    )
      yield `${at} says nothing`;
  }
  if (open.length > 0) yield `calls ${open.join()} are not answered`;
}

function* responsesFaults(body: JsonObject): Iterable<string> {
  const items = objects(body['input']);
  const open = new Map<string, string>();
  for (const [index, item] of items.entries()) {
    const type = String(item['type'] ?? 'message');
    const id = String(item['call_id']);
    const isSearch = type === 'tool_search_call' && item['execution'] === 'client';
    if (['function_call', 'custom_tool_call', 'computer_call'].includes(type) || isSearch) {
      if (open.has(id)) yield `input[${index}]: ${id} is called twice`;
      open.set(id, type);
      if (type === 'function_call' && typeof item['arguments'] !== 'string')
        yield `input[${index}]: arguments are not text`;
      if (type === 'computer_call' && !isJsonObject(item['action']) && objects(item['actions']).length === 0)
        yield `input[${index}]: a computer call without actions`;
    } else if (
      type === 'function_call_output' ||
      type === 'custom_tool_call_output' ||
      type === 'computer_call_output' ||
      (type === 'tool_search_output' && item['execution'] !== 'server')
    ) {
      if (type === 'tool_search_output' && !Array.isArray(item['tools']))
        yield `input[${index}]: the answer to a search holds no tools`;
      const { image_url, file_id } = object(item['output']);
      if (type === 'computer_call_output' && !image_url && !file_id)
        yield `input[${index}]: a screenshot without a picture`;
      const call = type === 'tool_search_output' ? 'tool_search_call' : type.replace('_output', '');
      if (open.get(id) !== call) yield `input[${index}] answers ${id}, which is not open`;
      open.delete(id);
    }
    if (type === 'message' && Array.isArray(item['content']) && item['content'].length === 0)
      yield `input[${index}] is empty`;
    if (type === 'reasoning' && item['encrypted_content'] === undefined && item['id'] === undefined)
      yield `input[${index}]: reasoning that nobody can read`;
  }
  for (const id of open.keys()) yield `call ${id} is not answered`;
}

function* geminiFaults(body: JsonObject): Iterable<string> {
  for (const part of objects(object(body['systemInstruction'])['parts']))
    if (typeof part['text'] !== 'string') yield 'systemInstruction: a part that is not text';
  const contents = objects(body['contents']);
  yield* alternation(
    contents.map(({ role }) => String(role ?? 'user')),
    'user',
    'model',
  );
  let asked: readonly string[] = [];
  for (const [index, content] of contents.entries()) {
    const at = `contents[${index}]`;
    const parts = objects(content['parts']);
    if (parts.length === 0) yield `${at} is empty`;
    const answered = parts
      .filter((part) => 'functionResponse' in part)
      .map((part) => object(part['functionResponse']));
    if (content['role'] !== 'model') {
      yield* sameIds(
        asked,
        answered.map(({ name }) => String(name)),
        at,
        true,
      );
      for (const { response } of answered)
        if (!isJsonObject(response)) yield `${at}: a response that is not an object`;
    }
    const calls = parts.filter((part) => 'functionCall' in part).map((part) => object(part['functionCall']));
    asked = calls.map(({ name }) => String(name));
    for (const { name } of calls)
      if (!/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/.test(String(name))) yield `${at}: the name ${String(name)}`;
  }
  if (asked.length > 0) yield `calls of ${asked.join()} are not answered`;
  const newest = contents.findLastIndex(
    ({ role, parts }) => role !== 'model' && objects(parts).some((part) => !('functionResponse' in part)),
  );
  for (const [index, content] of contents.entries()) {
    const first = objects(content['parts']).find((part) => 'functionCall' in part);
    if (index > newest && first !== undefined && !first['thoughtSignature'])
      yield `contents[${index}]: no thoughtSignature`;
  }
}

function* interactionsFaults(body: JsonObject): Iterable<string> {
  const open: string[] = [];
  for (const [index, step] of objects(body['input']).entries()) {
    const at = `input[${index}]`;
    if (step['type'] === 'function_call') {
      if (!isJsonObject(step['arguments'])) yield `${at}: arguments are not an object`;
      if (open.includes(String(step['id']))) yield `${at}: ${String(step['id'])} is called twice`;
      open.push(String(step['id']));
    } else if (step['type'] === 'function_result') {
      if (open.shift() !== String(step['call_id']))
        yield `${at} answers ${String(step['call_id'])} out of order`;
      if (step['result'] === undefined) yield `${at} holds no result`;
    } else if (open.length > 0 && step['type'] === 'user_input')
      yield `${at} comes before ${open.join()} are answered`;
    if (step['type'] === 'user_input' && objects(step['content']).length === 0) yield `${at} is empty`;
    if (step['type'] === undefined) yield `${at} has no type`;
  }
  if (open.length > 0) yield `calls ${open.join()} are not answered`;
}

function* converseFaults(body: JsonObject): Iterable<string> {
  const messages = objects(body['messages']);
  yield* alternation(
    messages.map(({ role }) => String(role)),
    'user',
    'assistant',
  );
  let asked: readonly string[] = [];
  let called = false;
  const documents = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    const blocks = objects(message['content']);
    if (blocks.length === 0) yield `${at} is empty`;
    const uses = blocks.filter((block) => 'toolUse' in block).map((block) => object(block['toolUse']));
    const results = blocks
      .filter((block) => 'toolResult' in block)
      .map((block) => object(block['toolResult']));
    if (message['role'] === 'user')
      yield* sameIds(
        asked,
        results.map((each) => String(each['toolUseId'])),
        at,
        false,
      );
    asked = uses.filter(({ type }) => type !== 'server_tool_use').map((each) => String(each['toolUseId']));
    called ||= uses.length > 0;
    for (const { toolUseId, name, input, type } of uses) {
      if (type !== undefined && type !== 'server_tool_use') yield `${at}: the type ${String(type)}`;
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(String(toolUseId))) yield `${at}: the id ${String(toolUseId)}`;
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(String(name))) yield `${at}: the name ${String(name)}`;
      if (!isJsonObject(input)) yield `${at}: input is not an object`;
    }
    for (const block of blocks) if (block['text'] === '') yield `${at}: an empty text`;
    if (blocks.some((block) => 'document' in block) && !blocks.some((block) => 'text' in block))
      yield `${at}: a document without words`;
    for (const block of [...blocks, ...results.flatMap(({ content }) => objects(content))]) {
      if (!('document' in block)) continue;
      const { name, source, citations } = object(block['document']);
      if (documents.has(String(name)) || String(name).length > 200)
        yield `${at}: the document ${String(name)}`;
      documents.add(String(name));
      if ('text' in object(source) && citations === undefined) yield `${at}: a document of text`;
    }
  }
  if (asked.length > 0) yield `calls ${asked.join()} are not answered`;
  if (called && body['toolConfig'] === undefined) yield 'a history with calls needs toolConfig';
}

function* ollamaFaults(body: JsonObject): Iterable<string> {
  let open = 0;
  for (const [index, message] of objects(body['messages']).entries()) {
    if (typeof message['content'] !== 'string') yield `messages[${index}]: content is not text`;
    if (message['role'] === 'tool') {
      if (open-- <= 0) yield `messages[${index}] answers nothing`;
      continue;
    }
    if (open > 0) yield `messages[${index}] comes before ${open} calls are answered`;
    const calls = objects(message['tool_calls']);
    open = calls.length;
    for (const call of calls)
      if (!isJsonObject(object(call['function'])['arguments']))
        yield `messages[${index}]: arguments are not an object`;
  }
  if (open > 0) yield `${open} calls are not answered`;
}

function* alternation(roles: readonly string[], first: string, second: string): Iterable<string> {
  if (roles[0] !== undefined && roles[0] !== first) yield `the first role is ${roles[0]}`;
  for (const [index, role] of roles.entries()) {
    if (role !== first && role !== second) yield `role ${role}`;
    if (index > 0 && role === roles[index - 1]) yield `two messages of ${role} in a row, at ${index}`;
  }
}

function* sameIds(
  asked: readonly string[],
  answered: readonly string[],
  at: string,
  ordered: boolean,
): Iterable<string> {
  const sorted = (ids: readonly string[]): string => (ordered ? ids : [...ids].sort()).join(', ');
  if (sorted(asked) !== sorted(answered))
    yield `${at} answers [${answered.join(', ')}], asked was [${asked.join(', ')}]`;
}

function object(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
}
