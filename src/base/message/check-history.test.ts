import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../../test/rounds.ts';
import type { Call } from './call.ts';
import { checkHistory, mendHistory, noResultRecorded } from './check-history.ts';
import { assistantMessage, localCallsOf, systemMessage, toolMessage, userMessage } from './message.ts';
import type { Message } from './message.ts';
import { errorResult, textResult } from './result.ts';

const call = (id: string, local = true): Call => ({
  type: 'call',
  id,
  name: 'look',
  arguments: {},
  kind: 'function',
  requiresLocalExecution: local,
});
const answer = (id: string, text = 'found') => textResult(call(id), text);
const kinds = (messages: readonly Message[]) =>
  checkHistory(messages).map(({ kind, callId }) => [kind, callId]);

test('a whole history is found whole and comes back itself', () => {
  const history = [
    systemMessage('Be kind.'),
    userMessage('Hi'),
    assistantMessage([{ type: 'text', text: 'I look.' }, call('a'), call('hosted', false), call('b')]),
    toolMessage([answer('a'), answer('b')]),
    assistantMessage('Done.'),
  ];
  assert.deepEqual(checkHistory(history), []);
  assert.equal(mendHistory(history).messages, history);
});

test('results may be in several tool messages, as long as they are together and in order', () => {
  const history = [
    assistantMessage([call('a'), call('b')]),
    toolMessage([answer('a')]),
    toolMessage([answer('b')]),
  ];
  assert.deepEqual(checkHistory(history), []);
});

test('an id that comes again in a later step is found, and stays as it was written', () => {
  const step = [assistantMessage([call('a')]), toolMessage([answer('a')])];
  const history = [...step, ...step];
  assert.deepEqual(checkHistory(history), [
    {
      kind: 'repeated-id',
      message: 2,
      callId: 'a',
      text: 'The call a of "look" has the id of an earlier call of "look".',
    },
  ]);
  assert.deepEqual(mendHistory(history), { messages: history, changes: [] });
  assert.deepEqual(kinds([assistantMessage([call('h', false)]), assistantMessage([call('h', false)])]), [
    ['repeated-id', 'h'],
  ]);
});

test('two calls of one message may share an id, and are answered in order', () => {
  assert.deepEqual(
    kinds([assistantMessage([call('a'), call('a')]), toolMessage([answer('a'), answer('a')])]),
    [['repeated-id', 'a']],
  );
  assert.deepEqual(kinds([assistantMessage([call('a'), call('a')]), toolMessage([answer('a')])]), [
    ['unanswered', 'a'],
    ['repeated-id', 'a'],
  ]);
});

test('an unanswered call gets an error that says that no result was recorded', () => {
  const history = [
    assistantMessage([call('a'), call('b')]),
    toolMessage([answer('b')]),
    userMessage('Well?'),
  ];
  assert.deepEqual(kinds(history), [['unanswered', 'a']]);
  const { messages, changes } = mendHistory(history);
  assert.equal(messages[0], history[0]);
  assert.equal(messages[2], history[2]);
  const [tool] = messages.filter((message) => message.role === 'tool');
  assert.deepEqual(
    tool?.results.map(({ callId, isError, errorCode }) => ({ callId, isError, errorCode })),
    [
      { callId: 'a', isError: true, errorCode: noResultRecorded },
      { callId: 'b', isError: undefined, errorCode: undefined },
    ],
  );
  assert.match(JSON.stringify(tool), /No result of this call was recorded/);
  assert.deepEqual(
    changes.map(({ kind, problem }) => [kind, problem.callId]),
    [['added', 'a']],
  );
});

test('an invalid call wants an answer as any other does', () => {
  const broken: Call = {
    ...call('a'),
    arguments: '{"ci',
    invalid: { reason: 'truncated', message: 'cut off' },
  };
  assert.deepEqual(kinds([assistantMessage([broken])]), [['unanswered', 'a']]);
});

test('of two results for one call the first is kept', () => {
  const history = [assistantMessage([call('a')]), toolMessage([answer('a', 'one'), answer('a', 'two')])];
  assert.deepEqual(kinds(history), [['answered-twice', 'a']]);
  assert.deepEqual(mendHistory(history).messages, [history[0], toolMessage([answer('a', 'one')])]);
});

test('a late real result takes the place of one that says that none was recorded', () => {
  const mended = mendHistory([assistantMessage([call('a')]), userMessage('Well?')]).messages;
  const late = [...mended, toolMessage([answer('a', 'late')])];
  assert.deepEqual(kinds(late), [['answered-twice', 'a']]);
  assert.deepEqual(mendHistory(late).messages, [mended[0], toolMessage([answer('a', 'late')]), mended[2]]);
});

test('a result without a call, or for a call that the provider ran, is taken out', () => {
  const history = [
    toolMessage([answer('ghost')]),
    assistantMessage([call('hosted', false), call('a')]),
    toolMessage([answer('hosted'), answer('a')]),
  ];
  assert.deepEqual(kinds(history), [
    ['orphaned', 'ghost'],
    ['orphaned', 'hosted'],
  ]);
  assert.deepEqual(mendHistory(history).messages, [history[1], toolMessage([answer('a')])]);
});

test('a result behind a user message, before its call or out of order is moved', () => {
  const asks = assistantMessage([call('a'), call('b')]);
  const whole = [asks, toolMessage([answer('a'), answer('b')])];
  const swapped = [asks, toolMessage([answer('b'), answer('a')])];
  assert.deepEqual(kinds(swapped), [['misplaced', 'a']]);
  assert.deepEqual(mendHistory(swapped).messages, whole);
  const late = [asks, toolMessage([answer('a')]), userMessage('Hurry'), toolMessage([answer('b')])];
  assert.deepEqual(kinds(late), [['misplaced', 'b']]);
  assert.deepEqual(mendHistory(late).messages, [...whole, userMessage('Hurry')]);
  const early = [toolMessage([answer('a')]), asks, toolMessage([answer('b')])];
  assert.deepEqual(mendHistory(early).messages, whole);
});

test('an empty tool message is taken out', () => {
  const history = [
    assistantMessage([call('a')]),
    toolMessage([]),
    toolMessage([answer('a')]),
    toolMessage([]),
  ];
  assert.deepEqual(kinds(history), [
    ['empty', undefined],
    ['empty', undefined],
  ]);
  assert.deepEqual(mendHistory(history).messages, [history[0], toolMessage([answer('a')])]);
});

/** The rule itself, told without looking at how it is kept. */
function isSendable(messages: readonly Message[]): boolean {
  const results = (from: number): string[] => {
    const ids: string[] = [];
    for (let at = from; messages[at]?.role === 'tool'; at++) {
      const message = messages[at];
      if (message?.role !== 'tool' || message.results.length === 0) return ['(empty)'];
      ids.push(...message.results.map((result) => result.callId));
    }
    return ids;
  };
  return messages.every((message, index) => {
    if (message.role === 'tool')
      return index > 0 && ['assistant', 'tool'].includes(messages[index - 1]?.role ?? '');
    const wanted = localCallsOf(message).map(({ id }) => id);
    return JSON.stringify(results(index + 1)) === JSON.stringify(wanted);
  });
}

const ids = fc.constantFrom('a', 'b', 'c', 'd');
const anyResult = fc.oneof(
  fc.tuple(ids, fc.nat()).map(([id, n]) => answer(id, String(n))),
  ids.map((id) => errorResult(call(id), noResultRecorded, 'nothing')),
);
const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.constant(userMessage('go on')),
  fc.constant(systemMessage('be brief')),
  fc
    .array(fc.tuple(ids, fc.boolean()), { maxLength: 4 })
    .map((calls) => assistantMessage(calls.map(([id, local]) => call(id, local)))),
  fc.array(anyResult, { maxLength: 4 }).map(toolMessage),
);

test('whatever is broken, mending makes it sendable, once and for all, and leaves what was written alone', () => {
  let wholes = 0;
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 12 }), (history) => {
      const before = JSON.stringify(history);
      const problems = checkHistory(history).filter(({ kind }) => kind !== 'repeated-id');
      const { messages, changes } = mendHistory(history);
      assert.equal(problems.length === 0, isSendable(history));
      assert.ok(isSendable(messages), JSON.stringify(messages));
      assert.ok(checkHistory(messages).every(({ kind }) => kind === 'repeated-id'));
      assert.equal(mendHistory(messages).messages, messages);
      assert.deepEqual(
        changes.map((change) => change.problem),
        problems,
      );
      if (problems.length === 0) wholes++;
      if (problems.length === 0) assert.equal(messages, history);
      assert.equal(JSON.stringify(history), before);
      const written = (all: readonly Message[]) => all.filter((message) => message.role !== 'tool');
      const kept = written(messages);
      assert.equal(kept.length, written(history).length);
      written(history).forEach((message, index) => assert.equal(message, kept[index]));
      // No answer is made up beside the stand-ins, and none is used twice.
      const given = history.flatMap((message) => (message.role === 'tool' ? message.results : []));
      const used = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
      const real = used.filter((result) => given.includes(result));
      assert.ok(used.every((result) => given.includes(result) || result.errorCode === noResultRecorded));
      assert.ok(real.length <= given.length);
    }),
    { numRuns: rounds(3000), seed: seed('broken histories') },
  );
  assert.ok(wholes > 0, 'the generator never made a whole history');
});

test('a call that somebody answered is never mended with an error', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 10 }), (history) => {
      const count = (all: readonly Message[], id: string, errors: boolean) =>
        all
          .flatMap((message) => (message.role === 'tool' ? message.results : []))
          .filter((result) => result.callId === id && (result.errorCode === noResultRecorded) === errors)
          .length;
      const { messages } = mendHistory(history);
      for (const id of ['a', 'b', 'c', 'd']) {
        const asked = history.flatMap(localCallsOf).filter((each) => each.id === id).length;
        assert.equal(count(messages, id, false), Math.min(asked, count(history, id, false)), id);
      }
    }),
    { numRuns: rounds(3000), seed: seed('answered calls') },
  );
});
