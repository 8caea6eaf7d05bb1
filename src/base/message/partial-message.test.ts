import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../../test/rounds.ts';
import { WhetstoneError } from '../host/errors.ts';
import { JsonReader } from '../json/read/reader.ts';
import { checkValue, loadChecker } from '../schema/check/check.ts';
import { completePartial } from './complete.ts';
import {
  argumentsSoFar,
  partialCall,
  partialMessage,
  partialText,
  mergePartials,
  mergeAllPartials,
} from './partial-message.ts';
import type { PartialCall, PartialMessage, PartialPart } from './partial-message.ts';
import { wordSchema } from './message-schema.ts';

const call = (fields: Partial<Omit<PartialCall, 'type'>>) => partialMessage([partialCall(fields)]);
const callsIn = (message: PartialMessage) =>
  message.content
    .filter((part) => part.type === 'call')
    .map(({ id, name, argumentsText }) => [id, name, argumentsText]);

test('a half begins as nothing, and merging with nothing gives the other side', () => {
  const half = partialCall({ id: 'a' });
  assert.deepEqual(partialCall(), { type: 'call', argumentsText: '' });
  assert.deepEqual(partialText(), { type: 'text', text: '' });
  assert.deepEqual(partialMessage(), { role: 'assistant', content: [] });
  assert.equal(mergePartials(half, undefined), half);
  assert.equal(mergePartials(undefined, half), half);
  assert.deepEqual(mergePartials(partialMessage(), partialMessage([half])), partialMessage([half]));
  assert.deepEqual(mergePartials(partialMessage([half]), partialMessage()), partialMessage([half]));
  assert.deepEqual(mergeAllPartials([]), partialMessage());
});

test('a call grows piece by piece into a full one', () => {
  const pieces = ['{"ci', 'ty": "O', 'slo"}'];
  let half = partialCall({ id: 'call_1', name: 'weather' });
  for (const argumentsText of pieces) half = mergePartials(half, partialCall({ argumentsText }));
  assert.deepEqual(completePartial(half), {
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
  mergePartials(before, after);
  assert.deepEqual([before, after], copies);
});

test('text joins text, and is kept apart from what lies between', () => {
  const parts: readonly PartialPart[] = [
    partialText('a'),
    partialText('b'),
    partialText('thinks', { type: 'reasoning' }),
    partialText('c'),
    partialText('d'),
  ];
  const whole = mergeAllPartials(parts.map((part) => partialMessage([part])));
  assert.deepEqual(whole.content, [
    partialText('ab'),
    partialText('thinks', { type: 'reasoning' }),
    partialText('cd'),
  ]);
});

test('calls are told apart by slot, then by id, then by place', () => {
  const bySlot = [
    call({ slot: 0, id: 'same', name: 'x', argumentsText: '1' }),
    call({ slot: 1, id: 'same', name: 'y', argumentsText: '2' }),
    call({ slot: 0, argumentsText: '3' }),
    call({ slot: 1, id: '', name: '', argumentsText: '4' }),
  ];
  assert.deepEqual(callsIn(mergeAllPartials(bySlot)), [
    ['same', 'x', '13'],
    ['same', 'y', '24'],
  ]);
  const byId = [
    call({ id: 'a', name: 'x' }),
    call({ id: 'b', name: 'y' }),
    call({ id: 'a', argumentsText: '1' }),
    call({ id: 'b', argumentsText: '2' }),
  ];
  assert.deepEqual(callsIn(mergeAllPartials(byId)), [
    ['a', 'x', '1'],
    ['b', 'y', '2'],
  ]);
  const byPlace = [
    call({ name: 'x' }),
    call({ argumentsText: '1' }),
    call({ name: 'y', argumentsText: '2' }),
  ];
  assert.deepEqual(callsIn(mergeAllPartials(byPlace)), [
    [undefined, 'x', '1'],
    [undefined, 'y', '2'],
  ]);
});

test('in one slot a new id alone is the same call, with a name it is a new one', () => {
  const first = call({ slot: 0, id: 'a', name: 'x', argumentsText: '1' });
  assert.deepEqual(callsIn(mergePartials(first, call({ slot: 0, id: 'b', argumentsText: '2' }))), [
    ['a', 'x', '12'],
  ]);
  const renewed = mergePartials(first, call({ slot: 0, id: 'b', name: 'y', argumentsText: '2' }));
  assert.deepEqual(callsIn(mergePartials(renewed, call({ slot: 0, argumentsText: '3' }))), [
    ['a', 'x', '1'],
    ['b', 'y', '23'],
  ]);
});

test('the first name counts, and an id or a name may come late', () => {
  const late = mergeAllPartials([
    call({ argumentsText: '{' }),
    call({ id: 'a' }),
    call({ name: 'x', argumentsText: '}' }),
  ]);
  assert.deepEqual(callsIn(late), [['a', 'x', '{}']]);
  const repeated = mergePartials(
    call({ id: 'a', name: 'x' }),
    call({ id: 'a', name: 'x', argumentsText: '{}' }),
  );
  assert.deepEqual(callsIn(repeated), [['a', 'x', '{}']]);
});

test('what a provider wants back is gathered, later fields over earlier ones', () => {
  const merged = mergePartials(
    partialText('a', { type: 'reasoning', providerData: { anthropic: { kind: 'x', signature: '' } } }),
    partialText('b', { type: 'reasoning', providerData: { anthropic: { signature: 's' }, other: { n: 1 } } }),
  );
  assert.deepEqual(merged.providerData, { anthropic: { kind: 'x', signature: 's' }, other: { n: 1 } });
});

test('two things that are not one are refused with halves_apart', () => {
  const apart: readonly (readonly [PartialPart, PartialPart])[] = [
    [partialText('a'), partialCall()],
    [partialCall({ id: 'a', name: 'x' }), partialCall({ id: 'b', name: 'y' })],
    [partialText('a', { slot: 1 }), partialText('a', { slot: 2 })],
  ];
  for (const [before, after] of apart) {
    assert.throws(
      () => mergePartials(before as PartialCall, after as PartialCall),
      (error) => error instanceof WhetstoneError && error.code === 'halves_apart',
    );
  }
});

test('a call whose reply broke off is marked as truncated, even where its arguments parse', () => {
  const half = mergePartials(
    call({ slot: 0, id: 'a', name: 'x', argumentsText: '{}', ended: true }),
    call({ slot: 1, id: 'b', name: 'y', argumentsText: '{"n": 1}' }),
  );
  const invalid = completePartial(half, { cut: true }).content.map(
    (part) => part.type === 'call' && part.invalid?.reason,
  );
  assert.deepEqual(invalid, [undefined, 'truncated']);
  assert.deepEqual(
    completePartial(half).content.map((part) => part.type === 'call' && part.invalid),
    [undefined, undefined],
  );
});

test('arguments that are not an object stay as they were written, and the call says what is wrong', () => {
  const broken = completePartial(partialCall({ id: 'a', name: 'x', argumentsText: '{"city": Oslo}' }));
  assert.equal(broken.arguments, '{"city": Oslo}');
  assert.equal(broken.invalid?.reason, 'not-json');
  assert.equal(
    completePartial(partialCall({ id: 'a', name: 'x', argumentsText: '[]' })).invalid?.reason,
    'not-an-object',
  );
  assert.equal(completePartial(partialCall({ id: 'a', name: 'x', argumentsText: '' })).invalid, undefined);
  const free = completePartial(
    partialCall({ id: 'a', name: 'x', kind: 'custom', argumentsText: 'print(1)' }),
  );
  assert.deepEqual([free.arguments, free.invalid], ['print(1)', undefined]);
});

test('arguments that came as an object stay an object', () => {
  assert.deepEqual(
    completePartial(partialCall({ id: 'a', name: 'x', argumentsObject: { n: 1 } })).arguments,
    { n: 1 },
  );
});

test('a call without an id gets one', () => {
  const { id, idMadeUp } = completePartial(partialCall({ name: 'x' }));
  assert.match(id, /^call_/);
  assert.equal(idMadeUp, true, 'an API that knows no ids is never sent it');
  assert.equal(completePartial(partialCall({ id: 'a', name: 'x' })).idMadeUp, undefined);
});

test('a call without a name is refused with half_incomplete; where the reply broke off it is left out', () => {
  assert.throws(
    () => completePartial(partialCall({ argumentsText: '{' })),
    (error) => error instanceof WhetstoneError && error.code === 'half_incomplete',
  );
  assert.deepEqual(completePartial(call({ argumentsText: '{' }), { cut: true }).content, []);
});

test('empty texts are left out of a full message, opaque state is not', () => {
  const signed = partialText('', { type: 'reasoning', providerData: { anthropic: { signature: 's' } } });
  assert.deepEqual(completePartial(partialMessage([partialText(''), signed, partialText('x')])), {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: '', providerData: { anthropic: { signature: 's' } } },
      { type: 'text', text: 'x' },
    ],
  });
});

test('what comes at once stays apart and whole', () => {
  const image = { type: 'image', slot: 3, source: { kind: 'url', url: 'https://example.org' } } as const;
  const merged = mergeAllPartials([partialMessage([image]), partialMessage([image])]);
  assert.equal(merged.content.length, 2);
  const { slot: _slot, ...whole } = image;
  assert.deepEqual(completePartial(merged).content, [whole, whole]);
});

test('arguments can be read while they stream', () => {
  let half = partialCall({ id: 'a', name: 'x' });
  assert.equal(argumentsSoFar(half), undefined);
  const seen: unknown[] = [];
  for (const argumentsText of ['{"a": [1', ', 2], "b": "x', 'y"', '}']) {
    half = mergePartials(half, partialCall({ argumentsText }));
    seen.push(structuredClone(argumentsSoFar(half)));
  }
  assert.deepEqual(seen, [{ a: [] }, { a: [1, 2], b: 'x' }, { a: [1, 2], b: 'xy' }, { a: [1, 2], b: 'xy' }]);
});

test('what was read before the text stopped being JSON can still be read', () => {
  const half = mergePartials(
    partialCall({ argumentsText: '{"a": 1' }),
    partialCall({ argumentsText: ' oops' }),
  );
  assert.deepEqual(argumentsSoFar(half), { a: 1 });
  assert.deepEqual(argumentsSoFar(mergePartials(half, partialCall({ argumentsText: '}' }))), { a: 1 });
});

test('arguments that begin as an empty object and go on as text are read as the text, as the full call has them', () => {
  const half = mergePartials(
    partialCall({ id: 'a', name: 'x', argumentsObject: {} }),
    partialCall({ argumentsText: '{"n": 1}' }),
  );
  assert.deepEqual(argumentsSoFar(half), { n: 1 });
  assert.equal(completePartial(half).arguments, '{"n": 1}');
});

test('a half without its text is refused by the published schema and by name, never joined as "undefined"', async () => {
  await loadChecker();
  const check = (value: unknown) => checkValue(wordSchema('HalfMessage'), value);
  for (const part of [{ type: 'text' }, { type: 'call', slot: 0 }]) {
    const more = { text: 'more', argumentsText: '{}', ...part };
    assert.equal(check({ role: 'assistant', content: [part] }).length > 0, true);
    assert.deepEqual(check({ role: 'assistant', content: [more] }), []);
    for (const run of [
      () => mergePartials(part as PartialCall, more as PartialCall),
      () => mergePartials(more as PartialCall, part as PartialCall),
      () => completePartial(part as PartialCall),
    ]) {
      assert.throws(run, (error) => error instanceof WhetstoneError && error.code === 'message_invalid');
    }
  }
});

test('one half may be continued twice, and each continuation reads its own arguments', () => {
  const start = partialCall({ argumentsText: '{"a": ' });
  argumentsSoFar(start);
  const one = mergePartials(start, partialCall({ argumentsText: '1}' }));
  const two = mergePartials(start, partialCall({ argumentsText: '2}' }));
  assert.deepEqual(
    [argumentsSoFar(one), argumentsSoFar(two), argumentsSoFar(one)],
    [{ a: 1 }, { a: 2 }, { a: 1 }],
  );
});

test('each character of the arguments is read once, however many deltas there are and however often one looks', () => {
  let read = 0;
  const push = JsonReader.prototype.push;
  const spy = mock.method(JsonReader.prototype, 'push', function (this: JsonReader, piece: string) {
    read += piece.length;
    push.call(this, piece);
  });
  const deltas = 10_000;
  let half = call({ slot: 0, id: 'a', name: 'x', argumentsText: '[' });
  for (let n = 0; n < deltas; n++) {
    half = mergePartials(half, call({ slot: 0, argumentsText: `"item ${n}", ` }));
    argumentsSoFar(half.content[0] as PartialCall);
  }
  spy.mock.restore();
  const [only] = half.content as readonly PartialCall[];
  assert.equal(read, only?.argumentsText.length);
  assert.equal((argumentsSoFar(only as PartialCall) as unknown[]).length, deltas);
});

const anyHalf: fc.Arbitrary<PartialMessage> = fc
  .array(
    fc.oneof(
      fc
        .record({ slot: fc.nat({ max: 3 }), text: fc.string({ maxLength: 3 }) })
        .map(({ slot, text }) => partialText(text, { slot })),
      fc
        .record({ slot: fc.nat({ max: 3 }), argumentsText: fc.string({ maxLength: 3 }) })
        .map(({ slot, argumentsText }) =>
          partialCall({ slot: slot + 10, argumentsText, name: `tool ${slot}` }),
        ),
    ),
    { maxLength: 4 },
  )
  .map((content) => partialMessage(content));

test('the end of one call and the head of the next stay apart, also where they are merged before what they follow', () => {
  for (const slot of [undefined, 0]) {
    const at = slot === undefined ? {} : { slot };
    const head = call({ ...at, id: 'a', name: 'x', argumentsText: '{"n"' });
    const tail = call({ ...at, argumentsText: ': 1}', ended: true });
    const next = call({ ...at, id: 'b', name: 'y' });
    assert.deepEqual(
      mergePartials(head, mergePartials(tail, next)),
      mergePartials(mergePartials(head, tail), next),
    );
    assert.deepEqual(callsIn(mergePartials(head, mergePartials(tail, next))), [
      ['a', 'x', '{"n": 1}'],
      ['b', 'y', ''],
    ]);
  }
  assert.equal(mergePartials(partialCall(), partialCall({ id: 'a', name: 'x' })).name, 'x');
});

test('however a stream is grouped, its merge is the same', () => {
  fc.assert(
    fc.property(anyHalf, anyHalf, anyHalf, (a, b, c) => {
      const start = partialMessage();
      const left = mergePartials(mergePartials(mergePartials(start, a), b), c);
      const right = mergePartials(
        start,
        mergeAllPartials([mergePartials(start, a), mergePartials(mergePartials(start, b), c)]),
      );
      const grouped = mergeAllPartials([
        start,
        ...[a, b, c].flatMap(({ content }) => content.map((part) => partialMessage([part]))),
      ]);
      assert.deepEqual(left, grouped);
      const normal = (message: PartialMessage) =>
        mergeAllPartials([start, ...message.content.map((part) => partialMessage([part]))]);
      assert.deepEqual(normal(right), normal(left));
    }),
    { numRuns: rounds(500), seed: seed('groupings') },
  );
});
