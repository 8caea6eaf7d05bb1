import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../../test/rounds.ts';
import { WhetstoneError } from '../host/errors.ts';
import { JsonReader } from '../json/reader.ts';
import { checkValue, loadChecker } from '../schema/check/check.ts';
import { complete } from './complete.ts';
import { argumentsSoFar, halfCall, halfMessage, halfText, merge, mergeAll } from './half.ts';
import type { HalfCall, HalfMessage, HalfPart } from './half.ts';
import { wordSchema } from './message-schema.ts';

const call = (fields: Partial<Omit<HalfCall, 'type'>>) => halfMessage([halfCall(fields)]);
const callsIn = (message: HalfMessage) =>
  message.content
    .filter((part) => part.type === 'call')
    .map(({ id, name, argumentsText }) => [id, name, argumentsText]);

test('a half begins as nothing, and merging with nothing gives the other side', () => {
  const half = halfCall({ id: 'a' });
  assert.deepEqual(halfCall(), { type: 'call', argumentsText: '' });
  assert.deepEqual(halfText(), { type: 'text', text: '' });
  assert.deepEqual(halfMessage(), { role: 'assistant', content: [] });
  assert.equal(merge(half, undefined), half);
  assert.equal(merge(undefined, half), half);
  assert.deepEqual(merge(halfMessage(), halfMessage([half])), halfMessage([half]));
  assert.deepEqual(merge(halfMessage([half]), halfMessage()), halfMessage([half]));
  assert.deepEqual(mergeAll([]), halfMessage());
});

test('a call grows piece by piece into a full one', () => {
  const pieces = ['{"ci', 'ty": "O', 'slo"}'];
  let half = halfCall({ id: 'call_1', name: 'weather' });
  for (const argumentsText of pieces) half = merge(half, halfCall({ argumentsText }));
  assert.deepEqual(complete(half), {
    type: 'call',
    id: 'call_1',
    name: 'weather',
    arguments: '{"city": "Oslo"}',
    kind: 'function',
    requiresLocalExecution: true,
  });
});

test('neither side is changed by a merge', () => {
  const before = call({ id: 'a', name: 'x', argumentsText: '{' });
  const after = call({ argumentsText: '}' });
  const copies = structuredClone([before, after]);
  merge(before, after);
  assert.deepEqual([before, after], copies);
});

test('text joins text, and stands apart from what lies between', () => {
  const parts: readonly HalfPart[] = [
    halfText('a'),
    halfText('b'),
    halfText('thinks', { type: 'reasoning' }),
    halfText('c'),
    halfText('d'),
  ];
  const whole = mergeAll(parts.map((part) => halfMessage([part])));
  assert.deepEqual(whole.content, [
    halfText('ab'),
    halfText('thinks', { type: 'reasoning' }),
    halfText('cd'),
  ]);
});

test('calls are told apart by slot, then by id, then by place', () => {
  const bySlot = [
    call({ slot: 0, id: 'same', name: 'x', argumentsText: '1' }),
    call({ slot: 1, id: 'same', name: 'y', argumentsText: '2' }),
    call({ slot: 0, argumentsText: '3' }),
    call({ slot: 1, id: '', name: '', argumentsText: '4' }),
  ];
  assert.deepEqual(callsIn(mergeAll(bySlot)), [
    ['same', 'x', '13'],
    ['same', 'y', '24'],
  ]);
  const byId = [
    call({ id: 'a', name: 'x' }),
    call({ id: 'b', name: 'y' }),
    call({ id: 'a', argumentsText: '1' }),
    call({ id: 'b', argumentsText: '2' }),
  ];
  assert.deepEqual(callsIn(mergeAll(byId)), [
    ['a', 'x', '1'],
    ['b', 'y', '2'],
  ]);
  const byPlace = [
    call({ name: 'x' }),
    call({ argumentsText: '1' }),
    call({ name: 'y', argumentsText: '2' }),
  ];
  assert.deepEqual(callsIn(mergeAll(byPlace)), [
    [undefined, 'x', '1'],
    [undefined, 'y', '2'],
  ]);
});

test('in one slot a new id alone is the same call, with a name it is a new one', () => {
  const first = call({ slot: 0, id: 'a', name: 'x', argumentsText: '1' });
  assert.deepEqual(callsIn(merge(first, call({ slot: 0, id: 'b', argumentsText: '2' }))), [['a', 'x', '12']]);
  const renewed = merge(first, call({ slot: 0, id: 'b', name: 'y', argumentsText: '2' }));
  assert.deepEqual(callsIn(merge(renewed, call({ slot: 0, argumentsText: '3' }))), [
    ['a', 'x', '1'],
    ['b', 'y', '23'],
  ]);
});

test('the first name stands, and an id or a name may come late', () => {
  const late = mergeAll([
    call({ argumentsText: '{' }),
    call({ id: 'a' }),
    call({ name: 'x', argumentsText: '}' }),
  ]);
  assert.deepEqual(callsIn(late), [['a', 'x', '{}']]);
  const repeated = merge(call({ id: 'a', name: 'x' }), call({ id: 'a', name: 'x', argumentsText: '{}' }));
  assert.deepEqual(callsIn(repeated), [['a', 'x', '{}']]);
});

test('what a provider wants back is gathered, later fields over earlier ones', () => {
  const merged = merge(
    halfText('a', { type: 'reasoning', providerData: { anthropic: { kind: 'x', signature: '' } } }),
    halfText('b', { type: 'reasoning', providerData: { anthropic: { signature: 's' }, other: { n: 1 } } }),
  );
  assert.deepEqual(merged.providerData, { anthropic: { kind: 'x', signature: 's' }, other: { n: 1 } });
});

test('two things that are not one are refused with halves_apart', () => {
  const apart: readonly (readonly [HalfPart, HalfPart])[] = [
    [halfText('a'), halfCall()],
    [halfCall({ id: 'a', name: 'x' }), halfCall({ id: 'b', name: 'y' })],
    [halfText('a', { slot: 1 }), halfText('a', { slot: 2 })],
  ];
  for (const [before, after] of apart) {
    assert.throws(
      () => merge(before as HalfCall, after as HalfCall),
      (error) => error instanceof WhetstoneError && error.code === 'halves_apart',
    );
  }
});

test('a call whose reply broke off is marked as truncated, even where its arguments parse', () => {
  const half = merge(
    call({ slot: 0, id: 'a', name: 'x', argumentsText: '{}', ended: true }),
    call({ slot: 1, id: 'b', name: 'y', argumentsText: '{"n": 1}' }),
  );
  const invalid = complete(half, { cut: true }).content.map(
    (part) => part.type === 'call' && part.invalid?.reason,
  );
  assert.deepEqual(invalid, [undefined, 'truncated']);
  assert.deepEqual(
    complete(half).content.map((part) => part.type === 'call' && part.invalid),
    [undefined, undefined],
  );
});

test('arguments that are no object stay as they were written, and the call says what is wrong', () => {
  const broken = complete(halfCall({ id: 'a', name: 'x', argumentsText: '{"city": Oslo}' }));
  assert.equal(broken.arguments, '{"city": Oslo}');
  assert.equal(broken.invalid?.reason, 'not-json');
  assert.equal(
    complete(halfCall({ id: 'a', name: 'x', argumentsText: '[]' })).invalid?.reason,
    'not-an-object',
  );
  assert.equal(complete(halfCall({ id: 'a', name: 'x', argumentsText: '' })).invalid, undefined);
  const free = complete(halfCall({ id: 'a', name: 'x', kind: 'custom', argumentsText: 'print(1)' }));
  assert.deepEqual([free.arguments, free.invalid], ['print(1)', undefined]);
});

test('arguments that came as an object stay an object', () => {
  assert.deepEqual(complete(halfCall({ id: 'a', name: 'x', argumentsObject: { n: 1 } })).arguments, { n: 1 });
});

test('a call without an id gets one', () => {
  const { id, idMadeUp } = complete(halfCall({ name: 'x' }));
  assert.match(id, /^call_/);
  assert.equal(idMadeUp, true, 'an API that knows no ids is never sent it');
  assert.equal(complete(halfCall({ id: 'a', name: 'x' })).idMadeUp, undefined);
});

test('a call without a name is refused with half_incomplete; where the reply broke off it is left out', () => {
  assert.throws(
    () => complete(halfCall({ argumentsText: '{' })),
    (error) => error instanceof WhetstoneError && error.code === 'half_incomplete',
  );
  assert.deepEqual(complete(call({ argumentsText: '{' }), { cut: true }).content, []);
});

test('empty texts are left out of a full message, opaque state is not', () => {
  const signed = halfText('', { type: 'reasoning', providerData: { anthropic: { signature: 's' } } });
  assert.deepEqual(complete(halfMessage([halfText(''), signed, halfText('x')])), {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: '', providerData: { anthropic: { signature: 's' } } },
      { type: 'text', text: 'x' },
    ],
  });
});

test('what comes at once stays apart and whole', () => {
  const image = { type: 'image', slot: 3, source: { kind: 'url', url: 'https://example.org' } } as const;
  const merged = mergeAll([halfMessage([image]), halfMessage([image])]);
  assert.equal(merged.content.length, 2);
  const { slot: _slot, ...whole } = image;
  assert.deepEqual(complete(merged).content, [whole, whole]);
});

test('arguments can be read while they stream', () => {
  let half = halfCall({ id: 'a', name: 'x' });
  assert.equal(argumentsSoFar(half), undefined);
  const seen: unknown[] = [];
  for (const argumentsText of ['{"a": [1', ', 2], "b": "x', 'y"', '}']) {
    half = merge(half, halfCall({ argumentsText }));
    seen.push(structuredClone(argumentsSoFar(half)));
  }
  assert.deepEqual(seen, [{ a: [] }, { a: [1, 2], b: 'x' }, { a: [1, 2], b: 'xy' }, { a: [1, 2], b: 'xy' }]);
});

test('what was read before the text stopped being JSON can still be read', () => {
  const half = merge(halfCall({ argumentsText: '{"a": 1' }), halfCall({ argumentsText: ' oops' }));
  assert.deepEqual(argumentsSoFar(half), { a: 1 });
  assert.deepEqual(argumentsSoFar(merge(half, halfCall({ argumentsText: '}' }))), { a: 1 });
});

test('arguments that begin as an empty object and go on as text are read as the text, as the full call has them', () => {
  const half = merge(
    halfCall({ id: 'a', name: 'x', argumentsObject: {} }),
    halfCall({ argumentsText: '{"n": 1}' }),
  );
  assert.deepEqual(argumentsSoFar(half), { n: 1 });
  assert.equal(complete(half).arguments, '{"n": 1}');
});

test('a half without its text is refused by the published schema and by name, never joined as "undefined"', async () => {
  await loadChecker();
  const check = (value: unknown) => checkValue(wordSchema('HalfMessage'), value);
  for (const part of [{ type: 'text' }, { type: 'call', slot: 0 }]) {
    const more = { text: 'more', argumentsText: '{}', ...part };
    assert.equal(check({ role: 'assistant', content: [part] }).length > 0, true);
    assert.deepEqual(check({ role: 'assistant', content: [more] }), []);
    for (const run of [
      () => merge(part as HalfCall, more as HalfCall),
      () => merge(more as HalfCall, part as HalfCall),
      () => complete(part as HalfCall),
    ]) {
      assert.throws(run, (error) => error instanceof WhetstoneError && error.code === 'message_invalid');
    }
  }
});

test('one half may be continued twice, and each continuation reads its own arguments', () => {
  const start = halfCall({ argumentsText: '{"a": ' });
  argumentsSoFar(start);
  const one = merge(start, halfCall({ argumentsText: '1}' }));
  const two = merge(start, halfCall({ argumentsText: '2}' }));
  assert.deepEqual(
    [argumentsSoFar(one), argumentsSoFar(two), argumentsSoFar(one)],
    [{ a: 1 }, { a: 2 }, { a: 1 }],
  );
});

test('pain 10, pain 11, pain 13: each character of the arguments is read once, however many deltas there are and however often one looks', () => {
  let read = 0;
  const push = JsonReader.prototype.push;
  const spy = mock.method(JsonReader.prototype, 'push', function (this: JsonReader, piece: string) {
    read += piece.length;
    push.call(this, piece);
  });
  const deltas = 10_000;
  let half = call({ slot: 0, id: 'a', name: 'x', argumentsText: '[' });
  for (let n = 0; n < deltas; n++) {
    half = merge(half, call({ slot: 0, argumentsText: `"item ${n}", ` }));
    argumentsSoFar(half.content[0] as HalfCall);
  }
  spy.mock.restore();
  const [only] = half.content as readonly HalfCall[];
  assert.equal(read, only?.argumentsText.length);
  assert.equal((argumentsSoFar(only as HalfCall) as unknown[]).length, deltas);
});

const anyHalf: fc.Arbitrary<HalfMessage> = fc
  .array(
    fc.oneof(
      fc
        .record({ slot: fc.nat({ max: 3 }), text: fc.string({ maxLength: 3 }) })
        .map(({ slot, text }) => halfText(text, { slot })),
      fc
        .record({ slot: fc.nat({ max: 3 }), argumentsText: fc.string({ maxLength: 3 }) })
        .map(({ slot, argumentsText }) => halfCall({ slot: slot + 10, argumentsText, name: `tool ${slot}` })),
    ),
    { maxLength: 4 },
  )
  .map((content) => halfMessage(content));

test('the end of one call and the head of the next stay apart, also where they are merged before what they follow', () => {
  for (const slot of [undefined, 0]) {
    const at = slot === undefined ? {} : { slot };
    const head = call({ ...at, id: 'a', name: 'x', argumentsText: '{"n"' });
    const tail = call({ ...at, argumentsText: ': 1}', ended: true });
    const next = call({ ...at, id: 'b', name: 'y' });
    assert.deepEqual(merge(head, merge(tail, next)), merge(merge(head, tail), next));
    assert.deepEqual(callsIn(merge(head, merge(tail, next))), [
      ['a', 'x', '{"n": 1}'],
      ['b', 'y', ''],
    ]);
  }
  assert.equal(merge(halfCall(), halfCall({ id: 'a', name: 'x' })).name, 'x');
});

test('however a stream is grouped, its merge is the same', () => {
  fc.assert(
    fc.property(anyHalf, anyHalf, anyHalf, (a, b, c) => {
      const start = halfMessage();
      const left = merge(merge(merge(start, a), b), c);
      const right = merge(start, mergeAll([merge(start, a), merge(merge(start, b), c)]));
      const grouped = mergeAll([
        start,
        ...[a, b, c].flatMap(({ content }) => content.map((part) => halfMessage([part]))),
      ]);
      assert.deepEqual(left, grouped);
      const normal = (message: HalfMessage) =>
        mergeAll([start, ...message.content.map((part) => halfMessage([part]))]);
      assert.deepEqual(normal(right), normal(left));
    }),
    { numRuns: rounds(500), seed: seed('groupings') },
  );
});
