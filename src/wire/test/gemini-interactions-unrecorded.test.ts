import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Interactions } from '@google/genai';

import type { JsonObject } from '../../base/json/value.ts';
import { adapter } from '../gemini-interactions/adapter.ts';
import { decodeRecord, readEvents } from '../recording.ts';
import type { DecodedReply } from '../recording.ts';

// What the recordings do not hold, in the words of the official types.

type Step = Interactions.Step;
type Delta = Interactions.StepDelta['delta'];

const usage = { total_input_tokens: 5, total_output_tokens: 7, total_tokens: 12 };

/** Steps as they begin, what their deltas add, and the end. */
function eventsOf(
  steps: readonly (readonly [Step, ...Delta[]])[],
  status = 'completed',
): readonly JsonObject[] {
  return [
    { event_type: 'interaction.created', interaction: { id: 'v1_a', model: 'm', status: 'in_progress' } },
    { event_type: 'interaction.status_update', interaction_id: 'v1_a', status: 'in_progress' },
    ...steps.flatMap(([step, ...deltas], index) => [
      { event_type: 'step.start', index, step: step as unknown as JsonObject },
      ...deltas.map((delta) => ({ event_type: 'step.delta', index, delta: delta as unknown as JsonObject })),
      { event_type: 'step.stop', index },
    ]),
    { event_type: 'interaction.completed', interaction: { id: 'v1_a', status, usage } },
  ];
}

function decoded(events: readonly JsonObject[]): DecodedReply {
  const told = events.map((data) => ({ event: data['event_type'] ?? null, data }));
  return decodeRecord({ id: 's', api: 'gemini-interactions', status: 200, events: told });
}

function callsOf(reply: DecodedReply): unknown {
  return reply.calls.map(({ id, name, arguments: given, server }) => [id, name, given, server]);
}

function echoed(events: readonly JsonObject[]): unknown {
  const last = readEvents(
    adapter,
    events.map((data) => ({ data })),
  ).at(-1);
  assert.ok(last?.type === 'finish');
  const { message } = last.reply;
  return adapter.writeRequest({ messages: [message] }, { model: 'm' }).body['input'];
}

const search: Step = {
  type: 'google_search_call',
  id: 'g1',
  arguments: { queries: ['cats'] },
  signature: 'AAAA',
};
const found: Step = { type: 'google_search_result', call_id: 'g1', result: [], signature: 'BBBB' };
const mcp: Step = {
  type: 'mcp_server_tool_call',
  id: 'm1',
  name: 'ask',
  server_name: 'wiki',
  arguments: { q: 'cats' },
};
const hosted: readonly Step[] = [
  search,
  found,
  { type: 'code_execution_call', id: 'c1', arguments: { code: 'print(1)', language: 'PYTHON' } },
  { type: 'code_execution_result', call_id: 'c1', result: '1', is_error: false },
  { type: 'url_context_call', id: 'u1', arguments: { urls: ['https://example.com'] } },
  mcp,
  { type: 'mcp_server_tool_result', call_id: 'm1', name: 'ask', result: 'yes' },
] as readonly Step[];

const expected = [
  ['g1', 'google_search', { queries: ['cats'] }, true],
  ['c1', 'code_execution', { code: 'print(1)', language: 'PYTHON' }, true],
  ['u1', 'url_context', { urls: ['https://example.com'] }, true],
  ['m1', 'ask', { q: 'cats' }, true],
];

test('reads what the service runs itself, whole, streamed whole, and streamed by field', () => {
  const response = { id: 'v1_a', status: 'completed', steps: hosted, usage } as unknown as JsonObject;
  const whole = decodeRecord({ id: 'w', api: 'gemini-interactions', status: 200, response });
  assert.deepEqual(callsOf(whole), expected);
  const events = eventsOf(hosted.map((step) => [step] as const));
  assert.deepEqual(callsOf(decoded(events)), expected);
  assert.deepEqual(echoed(events), hosted);
  const byField = eventsOf([
    [
      { type: 'google_search_call', id: 'g1', arguments: {} },
      { type: 'google_search_call', arguments: { queries: ['cats'] }, signature: 'AAAA' },
    ],
    [
      { type: 'google_search_result', call_id: 'g1', result: [] },
      { type: 'google_search_result', result: [], signature: 'BBBB' },
    ],
    [
      { ...mcp, arguments: {} } as Step,
      { type: 'arguments_delta', arguments: '{"q":' },
      { type: 'arguments_delta', arguments: '"cats"}' },
    ],
  ]);
  assert.deepEqual(callsOf(decoded(byField)), [expected[0], expected[3]]);
  assert.deepEqual(echoed(byField), [search, found, mcp]);
});

test('words, what is said of them, and images of one step stay in their order', () => {
  const annotation: Interactions.Annotation = {
    type: 'url_citation',
    start_index: 0,
    end_index: 4,
    url: 'https://example.com',
  };
  const events = eventsOf([
    [
      { type: 'model_output', content: [] },
      { type: 'text', text: 'Ca' },
      { type: 'text', text: 'ts' },
      { type: 'text_annotation_delta', annotations: [annotation] },
      { type: 'image', data: 'iVBORw0KGgo=', mime_type: 'image/png' },
      { type: 'text', text: '.' },
    ],
    [{ type: 'model_output', content: [{ type: 'text', text: ' Bye' }] }],
  ]);
  assert.equal(decoded(events).text, 'Cats. Bye');
  assert.deepEqual(
    (echoed(events) as readonly { content: unknown }[]).flatMap(({ content }) => content),
    [
      { type: 'text', text: 'Cats', annotations: [annotation] },
      { type: 'image', data: 'iVBORw0KGgo=', mime_type: 'image/png' },
      { type: 'text', text: '.' },
      { type: 'text', text: ' Bye' },
    ],
  );
});

test('thoughts go back with all that was shown of them, and only with that', () => {
  const thought: Step = { type: 'thought', summary: [{ type: 'text', text: 'Hm' }], signature: 'AAAA' };
  const call: Step = { type: 'function_call', id: 'f1', name: 'f', arguments: { a: 1 } };
  const events = eventsOf(
    [
      [
        { type: 'thought' },
        { type: 'thought_summary', content: { type: 'text', text: 'Hm' } },
        { type: 'thought_signature', signature: 'AAAA' },
      ],
      [{ type: 'thought' }, { type: 'thought_signature', signature: 'BBBB' }],
      [{ type: 'thought', signature: 'CCCC' }],
      [
        { type: 'function_call', id: 'f1', name: 'f', arguments: {} },
        { type: 'thought_signature', signature: '' },
        { type: 'arguments_delta', arguments: '{"a":1}' },
      ],
    ],
    'requires_action',
  );
  // The result that mends the history is behind them.
  assert.deepEqual((echoed(events) as readonly unknown[]).slice(0, 4), [
    thought,
    { type: 'thought', signature: 'BBBB' },
    { type: 'thought', signature: 'CCCC' },
    call,
  ]);
  // A step that began whole and was never stopped is ended with the interaction.
  const unstopped = eventsOf([[call]], 'requires_action').filter(
    ({ event_type }) => event_type !== 'step.stop',
  );
  assert.deepEqual(callsOf(decoded(unstopped)), [['f1', 'f', { a: 1 }, false]]);
});

test('every end is told as the service says it', () => {
  for (const status of [
    'completed',
    'requires_action',
    'incomplete',
    'budget_exceeded',
    'requires_continuation',
  ])
    assert.equal(decoded(eventsOf([], status)).finish, status);
  const failed = decoded([
    ...eventsOf([]).slice(0, 2),
    { event_type: 'error', error: { code: 'internal', message: 'It broke.' } },
  ]);
  assert.deepEqual([failed.error, failed.truncated], ['It broke.', false]);
  assert.equal(decoded(eventsOf([]).slice(0, 2)).truncated, true);
});

test("what broke off the model's output ends the reply as its error, also where the status says completed", () => {
  const error = { code: 13, message: 'It broke.' };
  const step = { type: 'model_output', content: [{ type: 'text', text: 'Half' }], error } as const;
  const [created, , ...rest] = eventsOf([[step as unknown as Step]]);
  const whole = { id: 'v1_a', status: 'completed', steps: [step], usage };
  const lastOnly = { event_type: 'interaction.completed', interaction: whole };
  const body = decodeRecord({ id: 'w', api: 'gemini-interactions', status: 200, response: whole });
  for (const reply of [decoded([created!, ...rest]), decoded([created!, lastOnly]), body])
    assert.equal(reply.error, 'It broke.');
  assert.equal(body.text, 'Half');
});

test('what the service said before it had steps is read as they are, streamed and whole', () => {
  const annotations = [{ type: 'url_citation', url: 'https://example.com', start_index: 0, end_index: 4 }];
  const contents: readonly (readonly [JsonObject, ...JsonObject[]])[] = [
    [{ type: 'thought' }, { type: 'thought_signature', signature: 'AAAA' }],
    [search as unknown as JsonObject],
    [found as unknown as JsonObject],
    [
      { type: 'text' },
      { type: 'text', text: 'Ca' },
      { type: 'text', text: 'ts' },
      { type: 'text_annotation', annotations },
    ],
    [
      { type: 'function_call', id: 'f1' },
      { type: 'function_call', id: 'f1', name: 'look', arguments: { q: 1 } },
    ],
  ];
  const interaction = { id: '', model: 'm', status: 'requires_action', usage };
  const events: readonly JsonObject[] = [
    { event_type: 'interaction.start', interaction: { id: '', model: 'm', status: 'in_progress' } },
    ...contents.flatMap(([content, ...deltas], index) => [
      { event_type: 'content.start', index, content },
      ...deltas.map((delta) => ({ event_type: 'content.delta', index, delta })),
      { event_type: 'content.stop', index },
    ]),
    { event_type: 'interaction.complete', interaction },
  ];
  const outputs = [
    { type: 'thought', signature: 'AAAA' },
    search as unknown as JsonObject,
    found as unknown as JsonObject,
    { type: 'text', text: 'Cats', annotations },
    { type: 'function_call', id: 'f1', name: 'look', arguments: { q: 1 } },
  ];
  const response = { ...interaction, outputs };
  const whole = decodeRecord({ id: 's', api: 'gemini-interactions', status: 200, response });
  assert.deepEqual(decoded(events), whole);
  assert.deepEqual([whole.text, whole.finish, whole.truncated], ['Cats', 'requires_action', false]);
  assert.deepEqual(callsOf(whole), [
    ['g1', 'google_search', { queries: ['cats'] }, true],
    ['f1', 'look', { q: 1 }, false],
  ]);
  const steps = outputs.map((each) =>
    each.type === 'text' ? { type: 'model_output', content: [each] } : each,
  );
  const { message, id } = adapter.readReply(response);
  assert.equal(id, undefined);
  const again = adapter.writeRequest({ messages: [message] }, { model: 'm' }).body['input'];
  for (const input of [echoed(events), again])
    assert.deepEqual((input as readonly JsonObject[]).slice(0, 5), steps);
});
