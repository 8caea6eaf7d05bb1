import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { messagesOf, pathsOf } from '../scenario/paths.ts';
import { playThrough } from '../play/play-through.ts';
import { buildTask } from '../scenario/build-task.ts';
import type { ExpectedCall, Task } from '../scenario/task.ts';
import { gradeTranscript } from './grade-transcript.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const scenario = findScenario(catalog, 'case-management', 'lumbar-strain');
const task = buildTask(scenario);
const { gold } = pathsOf(scenario, 0);

/** Every expected call follows the one before, and they are in the list as asked. */
function chained(order: (list: readonly ExpectedCall[]) => readonly ExpectedCall[]): Task {
  const chain = task.expected.map((expected, index) => ({
    ...expected,
    follows: index === 0 ? [] : [task.expected[index - 1]!.id],
  }));
  return { ...task, expected: order(chain) };
}

test('what scope allows costs nothing once, though nothing expects it; the same again does', () => {
  const form = { id: 'note', type: 'artifact', name: 'Note', mode: 'json_schema', json_schema: {} } as const;
  const write = (text: string) => ({
    role: 'assistant' as const,
    content: '',
    toolCalls: [{ name: 'note', input: { text } }],
  });
  const graded = (kind: 'may' | 'must_refer', ...texts: readonly string[]) => {
    const check = { called: 'note', input: { text: { present: true } } };
    const scope = [{ id: 'notes', text: 'Takes notes.', kind, penalty: 0, check }];
    const noted: Task = {
      ...task,
      tools: [...task.tools, form],
      criteria: { ...task.criteria, scope: [...task.criteria.scope, ...scope] },
    };
    const { reasons } = gradeTranscript(noted, playThrough(noted, [texts.map(write)]));
    return reasons.filter(({ id }) => id.startsWith('note')).map(({ earned, kind: of }) => [of, earned]);
  };
  assert.deepEqual(graded('must_refer', 'a'), [['stray_call', -0.1]]);
  assert.deepEqual(graded('may', 'a', 'b'), [
    ['may', 0],
    ['may', 0],
  ]);
  assert.deepEqual(graded('may', 'a', 'a'), [
    ['may', 0],
    ['stray_call', -0.05],
  ]);
  assert.deepEqual(graded('may', ''), [['stray_call', -0.1]], 'it is not the call that the rule names');
});

test('to look again costs nothing once something was written, and to look twice at the same does', () => {
  const orders = buildTask(findScenario(catalog, 'travel', 'rebooking'));
  const { cancelled, stranded } = orders.world as {
    readonly cancelled: string;
    readonly stranded: readonly { readonly id: string }[];
  };
  const list = { name: 'list_bookings', input: { departure: cancelled } };
  const hotel = { name: 'put_into_hotel', input: { booking: stranded[0]!.id } };
  const fails = { name: 'put_into_hotel', input: { booking: 'S-1' } };
  const costsOf = (...calls: readonly { readonly name: string; readonly input: JsonObject }[]) =>
    gradeTranscript(
      orders,
      playThrough(orders, [[{ role: 'assistant', content: '', toolCalls: calls }]]),
    ).reasons.filter(({ kind, id }) => kind === 'stray_call' && id.startsWith('list_bookings')).length;
  assert.equal(costsOf(list, list), 1);
  assert.equal(costsOf(list, hotel, list), 0);
  assert.equal(costsOf(list, fails, list), 1, 'it failed');
});

test('a wrong decision costs less once it is openly corrected, and a change of mind back and forth does not', () => {
  // One more call ends the episode: the decision does not.
  const open: Task = { ...task, ends: ['later'] };
  const decision = task.tools.find(({ type }) => type === 'decision')!.id;
  const right = gold.flatMap(({ calls }) => calls ?? []).find(({ name }) => name === decision)!
    .input as JsonObject;
  const decide = (value: JsonValue) => ({ name: decision, input: { ...right, value } });
  const before = gold.map((turn) =>
    messagesOf({ ...turn, calls: turn.calls?.filter(({ name }) => name !== decision) ?? [] }),
  );
  const graded = (...turns: readonly (readonly JsonValue[])[]) => {
    const said = turns.map((values) => [
      { role: 'assistant' as const, content: 'This is what I decide.', toolCalls: values.map(decide) },
    ]);
    return gradeTranscript(open, playThrough(open, [...before, ...said]));
  };
  const yes = right['value']!;
  const no = yes === 'denied' ? 'approved' : 'denied';
  const left = graded([no]);
  const corrected = graded([no], [yes]);
  const atOnce = graded([yes]);
  assert.ok(corrected.progress > left.progress && corrected.progress < atOnce.progress);
  assert.equal(corrected.success, 0);
  assert.match(corrected.reasons.find(({ id }) => id === 'decision')!.reason, /corrects "denied"/);
  assert.ok(graded([yes], [no]).progress <= left.progress, 'what was decided last counts');
  assert.ok(graded([no, yes]).progress < left.progress, 'both at once');
  assert.ok(graded([no], [yes], [no]).progress < left.progress, 'back and forth');
});

test('what shows that a criterion holds is beside it, and what is missing where it does not', () => {
  const orders = buildTask(findScenario(catalog, 'customer-support', 'cancel-order'));
  const inTheEnd = { id: 'end', text: 'It is done.', required: true, weight: 1 } as const;
  const reasonsOf = (world: Record<string, string>) => {
    const one: Task = {
      ...orders,
      world: { lamp: 'on' },
      criteria: { ...orders.criteria, success: [{ ...inTheEnd, check: { world } }] },
    };
    return gradeTranscript(one, playThrough(one, [messagesOf({ say: 'Hello.' })])).dimensions.success_metrics
      .criteria;
  };
  const [held] = reasonsOf({ lamp: 'on' }).slice(-1);
  assert.deepEqual([held!.turn, held!.evidence, held!.reason], [1, 'lamp: "on"', 'Achieved: It is done.']);
  const [missed] = reasonsOf({ lamp: 'off' }).slice(-1);
  assert.equal(missed!.reason, 'Not achieved: It is done. lamp: expected "off", got "on".');
  const { dimensions } = gradeTranscript(task, playThrough(task, gold.map(messagesOf)));
  for (const { id, turn, evidence } of dimensions.discovery.criteria)
    assert.ok(turn !== undefined && evidence !== undefined && evidence !== '', id);
});

test('a call may follow one that stands further below in the list', () => {
  assert.ok(task.expected.length > 1);
  const reversed = chained((list) => list.toReversed());
  assert.equal(gradeTranscript(reversed, playThrough(reversed, gold.map(messagesOf))).reward, 1);
  const early = gold.slice(0, -1).filter((turn) => !turn.calls);
  const turns = [...early, gold.at(-1)!].map(messagesOf);
  const [forth, back] = [chained((list) => list), reversed].map((one) =>
    gradeTranscript(one, playThrough(one, turns)),
  );
  assert.equal(forth!.reward, back!.reward);
  assert.ok(back!.reasons.some(({ reason }) => reason.includes(`it came before ${task.expected[0]!.id}`)));
});

test('calls that follow each other in some variant hold nowhere, and hang nothing', () => {
  const [first, second] = task.expected as [ExpectedCall, ExpectedCall];
  const circle: Task = {
    ...task,
    expected: [
      { ...first, follows: [second.id] },
      { ...second, follows: [first.id] },
    ],
  };
  assert.equal(gradeTranscript(circle, playThrough(circle, gold.map(messagesOf))).success, 0);
});

test('a call that failed does not stand for the same one that worked later', () => {
  const orders = buildTask(findScenario(catalog, 'customer-support', 'cancel-order'));
  const { cancel_order: cancel, look_up_order: look } = orders.functions;
  const world: Task = {
    ...orders,
    functions: {
      ...orders.functions,
      look_up_order: { ...look!, steps: [{ set: { seen: true }, reveals: ['record'] }] },
      cancel_order: {
        ...cancel!,
        steps: [{ if: { 'seen?': false }, error: 'Look it up first.' }, ...(cancel!.steps ?? [])],
      },
    },
  };
  const turns = orders.gold.map(messagesOf);
  const calls = turns.flatMap((turn) => turn.flatMap(({ toolCalls = [] }) => toolCalls));
  const early = calls.filter(({ name }) => name === 'cancel_order');
  assert.equal(early.length, 1);
  const tried = [[{ ...turns[0]![0]!, toolCalls: early }], ...turns.slice(1)];
  const { success, reward } = gradeTranscript(world, playThrough(world, tried));
  assert.deepEqual({ success, reward }, { success: 1, reward: 1 });
});

test('a decision may be sent as the option alone', () => {
  const gold = pathsOf(scenario, 0).gold.map(messagesOf);
  const decided = (option: string) =>
    gold.map((messages) =>
      messages.map((message) => ({
        ...message,
        ...(message.toolCalls && {
          toolCalls: message.toolCalls.map((call) =>
            isJsonObject(call.input) && 'value' in call.input ? { ...call, input: option } : call,
          ),
        }),
      })),
    );
  const value = gold
    .flat()
    .flatMap(({ toolCalls }) => toolCalls ?? [])
    .map(({ input }) => (isJsonObject(input) ? input['value'] : undefined))
    .find((one) => typeof one === 'string')!;
  const played = playThrough(task, decided(value));
  assert.equal(gradeTranscript(task, played).reward, 1);
  assert.deepEqual(played.state?.calls.at(-1)?.value, value);
  assert.ok(gradeTranscript(task, playThrough(task, decided('perhaps'))).success === 0);
});

test('of several calls of one tool, one that is missing spoils no other', () => {
  const report = buildTask(findScenario(catalog, 'office', 'expense-report'), 3);
  const [read, look, book, close] = report.gold;
  const [first, ...others] = book!.calls!;
  const played = (calls: typeof others) =>
    gradeTranscript(
      report,
      playThrough(report, [read!, look!, { say: 'I book them.', calls }, close!].map(messagesOf)),
    );
  const whole = played([first!, ...others]);
  const part = played(others);
  const lost = whole.progress - part.progress;
  assert.ok(lost > 0 && lost < 0.3, `one of four lines costs ${lost}`);
});

test('of calls that are all wrong, the one that is most like what was expected answers', () => {
  const report = buildTask(findScenario(catalog, 'office', 'expense-report'), 3);
  const paid = report.expected.filter(({ call }) => call === 'pay_line').at(-1)!;
  const line = Number(paid.id.slice(-1));
  const wrong = (amounts: readonly number[]) =>
    amounts.map((amount, place) => ({
      name: 'pay_line',
      input: { line: place === amounts.length - 1 ? line : (line % 4) + 1, amount },
    }));
  const graded = gradeTranscript(
    report,
    playThrough(report, [report.gold[0]!, { calls: wrong([0.01, 0.02, 0.03]) }].map(messagesOf)),
  );
  assert.match(graded.reasons.find(({ id }) => id === paid.id)!.reason, /got 0\.03/);
});
