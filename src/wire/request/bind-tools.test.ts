import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../base/json/value.ts';
import type { ModelEvent, ModelRequest, ToolSpec } from '../../base/message/model.ts';
import { adapterOf } from '../catalog.ts';

const tool = (name: string, input: JsonObject, strict?: boolean): ToolSpec => ({
  kind: 'function',
  name,
  input,
  ...(strict === undefined ? {} : { strict }),
});

const plain = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const optional = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
};
const union = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] };

const asked = (tools: readonly ToolSpec[], rest: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', content: 'hi' }],
  tools,
  ...rest,
});

function chatReply(name: string, text: string): JsonObject {
  const call = { id: 'c1', type: 'function', function: { name, arguments: text } };
  return {
    id: 'r',
    choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }],
  };
}

test('brings strict arguments back to the shape of the tool, and sends the history as the model wrote it', () => {
  const adapter = adapterOf('openai-chat');
  const request = asked([tool('weather', optional, true)]);
  const { body, tools } = adapter.writeRequest(request, { model: 'm' });
  const sent = (body['tools'] as { function: { strict: boolean; parameters: JsonObject } }[])[0]!.function;
  assert.equal(sent.strict, true);
  assert.deepEqual(sent.parameters['required'], ['city', 'days']);
  const { message } = adapter.readReply(chatReply('weather', '{"city":"Oslo","days":null}'), { tools });
  const [call] = message.content;
  assert.ok(call?.type === 'call');
  assert.deepEqual(call.arguments, { city: 'Oslo' });
  assert.equal(call.wireArguments, '{"city":"Oslo","days":null}');
  const again = adapter.writeRequest(
    { ...request, messages: [...request.messages, message] },
    { model: 'm' },
  );
  assert.match(JSON.stringify(again.body['messages']), /\{\\"city\\":\\"Oslo\\",\\"days\\":null\}/);
  const elsewhere = adapterOf('anthropic').writeRequest(
    { ...request, messages: [...request.messages, message] },
    { model: 'm' },
  );
  assert.match(JSON.stringify(elsewhere.body['messages']), /"input":\{"city":"Oslo"\}/);
});

test('is strict without being asked only where the schema loses nothing by it', () => {
  const strictness = (spec: ToolSpec, api: string) => {
    const { body } = adapterOf(api).writeRequest(asked([spec]), { model: 'm' });
    return JSON.stringify(body).match(/"strict":(true|false)/)?.[1];
  };
  const closed = { ...plain, additionalProperties: false };
  assert.equal(strictness(tool('a', closed), 'openai-chat'), 'true');
  assert.equal(strictness(tool('a', optional), 'openai-chat'), undefined);
  assert.equal(strictness(tool('a', closed, false), 'openai-chat'), 'false');
  assert.equal(strictness(tool('a', closed), 'anthropic'), undefined);
  assert.equal(strictness(tool('a', closed, true), 'anthropic'), 'true');
});

test('pain 22, pain 27: a tool that a provider cannot take is refused by name, or left out without harm to the others', () => {
  const free = tool('anything', { type: 'object', additionalProperties: true }, true);
  const hosted: ToolSpec = {
    kind: 'hosted',
    name: 'web_search',
    api: 'anthropic',
    entry: { type: 'web_search_20250305' },
  };
  const adapter = adapterOf('openai-chat');
  for (const unfit of [free, hosted]) {
    assert.throws(() => adapter.writeRequest(asked([unfit, tool('weather', plain)]), { model: 'm' }), {
      code: 'tool_unfit',
      message: new RegExp(unfit.name),
    });
    const { body, reports } = adapter.writeRequest(asked([unfit, tool('weather', plain)]), {
      model: 'm',
      unfitTools: 'leave-out',
    });
    assert.equal((body['tools'] as unknown[]).length, 1);
    assert.deepEqual(
      reports.map((report) => report.tool),
      [unfit.name],
    );
  }
});

test('wraps a root that is not an object, and unwraps what the model answers', () => {
  for (const api of ['openai-chat', 'anthropic']) {
    const { tools } = adapterOf(api).writeRequest(asked([tool('either', union)]), { model: 'm' });
    const schema = tools.tools[0]!.schema as JsonObject;
    assert.equal(schema['type'], 'object');
  }
  const adapter = adapterOf('openai-chat');
  const { tools } = adapter.writeRequest(asked([tool('either', union)]), { model: 'm' });
  const [call] = adapter.readReply(chatReply('either', '{"value":[1,2]}'), { tools }).message.content;
  assert.ok(call?.type === 'call');
  assert.equal(call.arguments, '[1,2]');
});

test('sends names that a provider allows and reads them back; a free-text tool stands as a function where there is none', () => {
  const adapter = adapterOf('anthropic');
  const request = asked([tool('files/read me', plain), { kind: 'custom', name: 'patch' }], {
    toolChoice: { name: 'files/read me' },
  });
  const { body, tools } = adapter.writeRequest(request, { model: 'm' });
  const [read, patch] = body['tools'] as { name: string; input_schema: JsonObject }[];
  assert.match(read!.name, /^[\w-]{1,64}$/);
  assert.deepEqual(body['tool_choice'], { type: 'tool', name: read!.name });
  assert.deepEqual(patch!.input_schema['required'], ['input']);
  const content = [
    { type: 'tool_use', id: 'a', name: read!.name, input: { city: 'x' } },
    { type: 'tool_use', id: 'b', name: 'patch', input: { input: 'free text' } },
  ];
  const { message } = adapter.readReply({ content, stop_reason: 'tool_use' }, { tools });
  const calls = message.content.filter((part) => part.type === 'call');
  assert.deepEqual(
    calls.map((call) => [call.name, call.kind, call.arguments]),
    [
      ['files/read me', 'function', { city: 'x' }],
      ['patch', 'custom', 'free text'],
    ],
  );
  const again = adapter.writeRequest(
    { ...request, messages: [...request.messages, message] },
    { model: 'm' },
  );
  assert.deepEqual((again.body['messages'] as { content: unknown }[])[1]!.content, content);
});

test('the same tools give the same bytes, and are bound once', () => {
  const tools = [tool('weather', optional, true), tool('b', plain)];
  const adapter = adapterOf('openai-chat');
  const first = adapter.writeRequest(asked(tools), { model: 'm' });
  const second = adapter.writeRequest(asked(tools), { model: 'm' });
  assert.equal(JSON.stringify(first.body), JSON.stringify(second.body));
  assert.equal(first.tools, second.tools);
});

test('a choice that names no tool of the request is refused (tool_choice_unknown)', () => {
  assert.throws(
    () =>
      adapterOf('anthropic').writeRequest(asked([tool('a', plain)], { toolChoice: { name: 'b' } }), {
        model: 'm',
      }),
    { code: 'tool_choice_unknown', message: /"b".*: a\./ },
  );
});

test('strict tools beyond what Anthropic counts over a request are refused by name, or left out', () => {
  const adapter = adapterOf('anthropic');
  const many = Array.from({ length: 21 }, (_, n) => tool(`t${n}`, plain, true));
  assert.throws(() => adapter.writeRequest(asked(many), { model: 'm' }), /t20.*20 strict tools/s);
  const wide = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`p${n}`, { type: 'string' }])),
  };
  const two = [tool('first', wide, true), tool('second', wide, true), tool('third', plain, true)];
  assert.throws(() => adapter.writeRequest(asked(two), { model: 'm' }), /second.*24 optional members/s);
  const { body, reports } = adapter.writeRequest(asked(two), {
    model: 'm',
    unfitTools: 'leave-out',
  } as never);
  assert.deepEqual(
    (body['tools'] as { name: string }[]).map((one) => one.name),
    ['first', 'third'],
  );
  assert.match(JSON.stringify(reports), /"second"/);
});

test('a call of a free-text tool says so from its start, and shows its text, where it is a function to the provider', () => {
  const tools: readonly ToolSpec[] = [{ kind: 'custom', name: 'sql' }];
  const text = 'SELECT "ä" FROM t;\n-- 1';
  for (const { api, chunks, cut } of emulations(JSON.stringify({ input: text }))) {
    const adapter = adapterOf(api);
    const { tools: binding } = adapter.writeRequest(asked(tools), { model: 'm' });
    const eventsOf = (given: readonly JsonObject[]): readonly ModelEvent[] => {
      let state = adapter.reader.begin({ tools: binding });
      const events = given.flatMap((data) => {
        const [next, told] = adapter.reader.read(state, { data });
        state = next;
        return told;
      });
      return [...events, ...adapter.reader.end(state)[1]];
    };
    const events = eventsOf(chunks);
    const start = events.find((event) => event.type === 'call-start');
    assert.deepEqual([start?.kind, start?.name], ['custom', 'sql'], api);
    const told = events.flatMap((event) => (event.type === 'call-delta' ? [event.text] : [])).join('');
    assert.equal(told, text, api);
    const end = events.find((event) => event.type === 'call-end');
    assert.deepEqual([end?.call.kind, end?.call.arguments, end?.call.invalid], ['custom', text, undefined]);
    const half = eventsOf(cut).find((event) => event.type === 'call-end');
    assert.deepEqual([half?.call.kind, half?.call.invalid?.reason], ['custom', 'truncated'], api);
    assert.ok(text.startsWith(String(half?.call.arguments)), String(half?.call.arguments));
  }
});

/** A call of `sql` by two APIs that have only functions: its arguments in pieces, and cut in the middle. */
function emulations(given: string): readonly {
  readonly api: string;
  readonly chunks: readonly JsonObject[];
  readonly cut: readonly JsonObject[];
}[] {
  const pieces = [given.slice(0, 4), given.slice(4, 15), given.slice(15)];
  const block = { type: 'tool_use', id: 'a', name: 'sql', input: {} };
  const anthropic: readonly JsonObject[] = [
    { type: 'content_block_start', index: 0, content_block: block },
    ...pieces.map((partial_json) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  ];
  const call = { index: 0, type: 'function', id: 'a', function: { name: 'sql', arguments: '' } };
  const deltas: readonly JsonObject[] = [
    call,
    ...pieces.map((text) => ({ index: 0, function: { arguments: text } })),
  ];
  const compatible: readonly JsonObject[] = [
    ...deltas.map((delta) => ({ choices: [{ delta: { tool_calls: [delta] } }] })),
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
  ];
  return [
    { api: 'anthropic', chunks: anthropic, cut: anthropic.slice(0, 3) },
    { api: 'openai-chat-compat', chunks: compatible, cut: compatible.slice(0, 3) },
  ];
}

test('a name with what is left of a template around it is the name of its tool', () => {
  const adapter = adapterOf('openai-chat');
  const { tools } = adapter.writeRequest(asked([tool('weather', plain), tool('functions.time', plain)]), {
    model: 'm',
  });
  for (const [said, meant] of [
    ['weather<|channel|>commentary', 'weather'],
    ['functions.weather', 'weather'],
    ['functions.weather<|constrain|>json', 'weather'],
    ['functions.time', 'functions.time'],
    ['assistant<|channel|>commentary', 'assistant<|channel|>commentary'],
  ] as const) {
    const [call] = adapter.readReply(chatReply(said, '{"city":"Oslo"}'), { tools }).message.content;
    assert.ok(call?.type === 'call');
    assert.equal(call.name, meant);
  }
});
