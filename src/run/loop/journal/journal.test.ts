import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { z } from 'zod';

import { call, gate, scriptedModel } from '../../../../test/scripted-model.ts';
import type { Act, ScriptedModel } from '../../../../test/scripted-model.ts';
import type { Call } from '../../../base/message/call.ts';
import { systemClock } from '../../../base/host/clock.ts';
import { checkHistory } from '../../../base/message/check-history.ts';
import type { Message } from '../../../base/message/message.ts';
import type { ModelRequest } from '../../../base/message/model.ts';
import type { AssistantPart } from '../../../base/message/part.ts';
import { resultText } from '../../../base/message/result.ts';
import { tool } from '../../tool/define-tool.ts';
import { fileJournal } from './file-journal.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { run } from '../run.ts';

const input = { type: 'object' } as const;

/** A journal in memory that a test can cut off where it likes. */
function memoryJournal(entries: JournalEntry[] = []): Journal & { readonly entries: JournalEntry[] } {
  return {
    entries,
    append: async (_runId, entry) => void entries.push(structuredClone(entry)),
    read: async () => structuredClone(entries),
  };
}

/** Answers by the history it is shown: it asks for what is not there yet. */
function askingFor(...groups: readonly (readonly Call[])[]): ScriptedModel {
  const reply = ({ messages }: ModelRequest): readonly Act[] => {
    const there = new Set(messages.flatMap((message) => callsIn(message).map(({ id }) => id)));
    const group = groups.find((calls) => calls.some(({ id }) => !there.has(id)));
    return group?.filter(({ id }) => !there.has(id)) ?? ['Done.'];
  };
  return scriptedModel(...Array.from({ length: 10 }, () => reply));
}

function callsIn(message: Message): readonly Call[] {
  return message.role === 'assistant' ? message.content.filter((part) => part.type === 'call') : [];
}

test('takes up a run at every entry of its journal: nothing finished runs again, no reply is asked for twice', async () => {
  const script = () => askingFor([call('1', 'a'), call('2', 'b')], [call('3', 'a', { again: true })]);
  const log: string[] = [];
  const tools = ['a', 'b'].map((name) =>
    tool({ name, description: name, input, run: (_, context) => void log.push(context.call.id) }),
  );
  const whole = memoryJournal();
  await run({ model: script(), tools, prompt: 'go', journal: whole, runId: 'r' });
  assert.deepEqual(log.splice(0), ['1', '2', '3']);
  for (let cut = 0; cut <= whole.entries.length; cut++) {
    const journal = memoryJournal(structuredClone(whole.entries.slice(0, cut)));
    const finished = journal.entries.flatMap((entry) => (entry.type === 'result' ? entry.callId : []));
    const begun = journal.entries.flatMap((entry) => (entry.type === 'call' ? entry.callId : []));
    const written = journal.entries.flatMap((entry) => {
      if (entry.type === 'reply') return callsIn(entry.reply.message).map(({ id }) => id);
      return entry.type === 'part' && entry.part.type === 'call' ? entry.part.id : [];
    });
    const open = [['1', '2'], ['3']].filter((group) => group.some((id) => !written.includes(id)));
    const isDone = journal.entries.some((entry) => entry.type === 'reply' && entry.step === 3);
    const left = script();
    const outcome = await run({ model: left, tools, prompt: 'go', journal, runId: 'r' });
    const told = `cut after ${cut}`;
    assert.equal(outcome.text, 'Done.', told);
    assert.deepEqual(checkHistory(outcome.messages), []);
    assert.equal(left.asked.length, open.length + (isDone ? 0 : 1), told);
    assert.deepEqual(
      outcome.calls.map((record) => record.call.id),
      ['1', '2', '3'],
      told,
    );
    const ran = log.splice(0);
    for (const id of begun) assert.ok(!ran.includes(id), `call ${id} ran twice, ${told}`);
    for (const record of outcome.calls) {
      const interrupted = begun.includes(record.call.id) && !finished.includes(record.call.id);
      assert.equal(record.result.errorCode, interrupted ? 'interrupted' : undefined);
    }
    // What it became is in the journal: the next life begins from there and has nothing left to do.
    const silent = scriptedModel();
    const again = await run({ model: silent, tools, prompt: 'go', journal, runId: 'r' });
    assert.deepEqual(again.messages, outcome.messages);
    assert.equal(silent.asked.length + log.length, 0);
  }
});

test('what the tool choice ruled out does not run in the next life either', async () => {
  let runs = 0;
  const count = tool({ name: 'count', description: 'Counts', input, run: () => ++runs });
  const asked = { tools: [count], prompt: 'go', toolChoice: 'none', runId: 'r' } as const;
  const whole = memoryJournal();
  await run({ ...asked, model: askingFor([call('1', 'count')]), journal: whole });
  for (let cut = 0; cut <= whole.entries.length; cut++) {
    const journal = memoryJournal(structuredClone(whole.entries.slice(0, cut)));
    const { calls } = await run({ ...asked, model: askingFor([call('1', 'count')]), journal });
    assert.equal(calls[0]?.result.errorCode, 'unknown_tool', `cut after ${cut}`);
  }
  assert.equal(runs, 0);
});

test('with a journal too, a call starts while later ones still stream, and what led to it is written down first', async () => {
  const started = gate();
  const journal = memoryJournal();
  const eager = tool({ name: 'eager', description: 'Starts', input, run: () => started.open() });
  const thought: AssistantPart = {
    type: 'reasoning',
    text: 'Hm.',
    providerData: { test: { signature: 's' } },
  };
  // The second call comes only after the first has run.
  const model = scriptedModel(
    [thought, 'Let me ', 'see.', call('1', 'eager'), started.promise, call('2', 'eager', { again: true })],
    ['ok'],
  );
  await run({ model, tools: [eager], prompt: 'go', journal, runId: 'r' });
  const begun = journal.entries.findIndex((entry) => entry.type === 'call');
  const replied = journal.entries.findIndex((entry) => entry.type === 'reply');
  assert.ok(begun < replied);
  const again = memoryJournal(journal.entries.slice(0, begun + 1));
  const next = scriptedModel(['ok']);
  const outcome = await run({ model: next, tools: [eager], prompt: 'go', journal: again, runId: 'r' });
  assert.equal(outcome.calls[0]?.result.errorCode, 'interrupted');
  assert.deepEqual(next.asked[0]?.messages[1], {
    role: 'assistant',
    content: [thought, { type: 'text', text: 'Let me ' }, { type: 'text', text: 'see.' }, call('1', 'eager')],
  });
});

test('goes on after a reply that broke off when its first calls had run: their results stay', async () => {
  for (const broken of [{ lost: true }, { throws: new Error('gone') }] as const) {
    let runs = 0;
    const count = tool({ name: 'count', description: 'Counts', input, run: () => ++runs });
    const journal = memoryJournal();
    const cut = call('2', 'count', '{"a":', { invalid: { reason: 'truncated', message: 'cut' } });
    const options = { tools: [count], prompt: 'go', journal, runId: 'r' };
    const first = run({ ...options, model: scriptedModel([call('1', 'count'), cut, broken]) });
    await assert.rejects(async () => void (await first), { code: 'model_failed' });
    const outcome = await run({ ...options, model: scriptedModel(['Done.']) });
    assert.equal(runs, 1);
    assert.deepEqual(
      outcome.calls.map(({ success, result }) => [success, result.errorCode]),
      [
        [true, undefined],
        [false, 'truncated'],
      ],
    );
    assert.deepEqual(checkHistory(outcome.messages), []);
  }
});

test('asks again for a reply that broke off before anything came of it', async () => {
  const journal = memoryJournal();
  const options = { prompt: 'go', journal, runId: 'r' };
  const first = run({ ...options, model: scriptedModel(['Let me ', { lost: true }]) });
  await assert.rejects(async () => void (await first), { code: 'model_failed' });
  const outcome = await run({ ...options, model: scriptedModel(['Done.']) });
  assert.equal(outcome.steps, 1);
  assert.equal(outcome.messages.length, 2);
});

test('goes on with a run that was aborted in the middle of a call', async () => {
  const journal = memoryJournal();
  const stop = new AbortController();
  const hangs = tool({
    name: 'hangs',
    description: 'Hangs',
    input,
    run: () => new Promise(() => setImmediate(() => stop.abort())),
  });
  const options = { tools: [hangs], prompt: 'go', journal, runId: 'r' };
  const first = await run({ ...options, model: scriptedModel([call('1', 'hangs')]), signal: stop.signal });
  assert.equal(first.stop, 'aborted');
  const second = await run({ ...options, model: scriptedModel(['Done.']) });
  assert.deepEqual([second.text, second.calls[0]?.result.errorCode], ['Done.', 'cancelled']);
});

test('writes nothing more into the journal of a run that has ended, however often it is asked', async () => {
  const journal = memoryJournal();
  for (let time = 0; time < 3; time++)
    await run({ model: scriptedModel(['Hello.']), prompt: 'hi', journal, runId: 'r' });
  assert.equal(journal.entries.filter((entry) => entry.type === 'end').length, 1);
});

test('runs an interrupted tool again when that does no harm', async () => {
  let runs = 0;
  const read = tool({ name: 'read', description: 'Reads', input, idempotent: true, run: () => ++runs });
  const journal = memoryJournal();
  await run({
    model: scriptedModel([call('1', 'read')], ['ok']),
    tools: [read],
    prompt: 'go',
    journal,
    runId: 'r',
  });
  const cut = journal.entries.findIndex((entry) => entry.type === 'result');
  const again = memoryJournal(journal.entries.slice(0, cut));
  const outcome = await run({
    model: scriptedModel(['ok']),
    tools: [read],
    prompt: 'go',
    journal: again,
    runId: 'r',
  });
  assert.equal(runs, 2);
  assert.equal(outcome.calls[0]?.success, true);
});

test('gives the same outcome again for a run that has ended, and asks nobody', async () => {
  const journal = memoryJournal();
  const first = await run({ model: scriptedModel(['Hello.']), prompt: 'hi', journal, runId: 'r' });
  const silent = scriptedModel();
  const second = await run({ model: silent, prompt: 'hi', journal, runId: 'r' });
  assert.equal(silent.asked.length, 0);
  assert.deepEqual(second.messages, first.messages);
  assert.equal(second.stop, 'done');
  assert.equal(second.usage.total, first.usage.total);
});

test('refuses to go on with another run under the same id (journal_conflict)', async () => {
  const journal = memoryJournal();
  await run({ model: scriptedModel(['a']), prompt: 'one', journal, runId: 'r' });
  await assert.rejects(
    async () => void (await run({ model: scriptedModel(['b']), prompt: 'two', journal, runId: 'r' })),
    {
      code: 'journal_conflict',
    },
  );
});

test('goes on from a journal when a person has decided', async () => {
  let runs = 0;
  const pay = tool({ name: 'pay', description: 'Pays', input, approval: 'always', run: () => ++runs });
  const journal = memoryJournal();
  const first = await run({
    model: scriptedModel([call('1', 'pay')]),
    tools: [pay],
    prompt: 'go',
    journal,
    runId: 'r',
  });
  const [request] = first.waiting.approvals;
  assert.ok(request);
  const approvals = [{ callId: '1', hash: request.hash, decision: 'approve' as const }];
  const second = await run({ model: scriptedModel(['Paid.']), tools: [pay], journal, runId: 'r', approvals });
  assert.equal(second.text, 'Paid.');
  assert.equal(runs, 1);
  assert.deepEqual(
    second.usage.tools.calls.map((use) => use.success),
    [true],
  );
  // A replayed approval finds nothing that waits.
  await assert.rejects(
    async () => void (await run({ model: scriptedModel([]), tools: [pay], journal, runId: 'r', approvals })),
    {
      code: 'approval_stale',
    },
  );
  assert.equal(runs, 1);
});

test('keeps a run in a file, and reads past a line that a crash has torn', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-journal-'));
  {
    await using journal = fileJournal(folder);
    const entries: JournalEntry[] = [{ type: 'start', at: 1, messages: [{ role: 'user', content: 'ü' }] }];
    await Promise.all([...entries, ...entries].map((entry) => journal.append('a/b', entry)));
  }
  const [name] = ['a%2Fb.jsonl'];
  appendFileSync(join(folder, name), '{"type":"reply","st');
  await using journal = fileJournal(folder);
  assert.equal((await journal.read('a/b')).length, 2);
  await journal.append('a/b', { type: 'end', at: 2, stop: 'done' });
  assert.deepEqual((await journal.read('a/b')).at(-1), { type: 'end', at: 2, stop: 'done' });
  assert.equal(readFileSync(join(folder, name), 'utf8').split('\n').length, 4);
});

/** A journal knows its folder by its path, so this one is taken for another's. */
function asAnotherProcess(folder: string): string {
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  return link;
}

test('a run goes on once at a time: in one process, and in a file that another process takes up (journal_conflict)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-journal-'));
  let round = 0;
  for (const journals of [
    [memoryJournal(), undefined],
    [fileJournal(folder), undefined],
    [fileJournal(folder), fileJournal(join(folder, '.'))],
    [fileJournal(folder), fileJournal(asAnotherProcess(folder))],
  ] as const) {
    const [first, second = first] = journals;
    let runs = 0;
    let asked = 0;
    const runId = `run ${++round}`;
    const slow = tool({
      name: 'slow',
      description: 'Slow',
      input,
      run: () => new Promise((resolve) => setImmediate(() => resolve(++runs))),
    });
    const go = async (journal: Journal) =>
      run({
        model: scriptedModel([call('1', 'slow')], ['ok']),
        tools: [slow],
        prompt: 'go',
        journal,
        runId,
        on: (event) => void (event.type === 'step-start' && asked++),
      });
    const ended = await Promise.allSettled([go(first), go(second)]);
    const codes = ended.map((each) =>
      each.status === 'fulfilled' ? each.value.stop : (each.reason as { code: string }).code,
    );
    assert.ok(codes.includes('journal_conflict'), codes.join());
    assert.ok(runs <= 1);
    if (round > 3) continue;
    assert.deepEqual([codes, asked], [['done', 'journal_conflict'], 2]);
    const [, refused] = ended;
    assert.match(
      String(refused.status === 'rejected' && refused.reason),
      /is already running, in this process/,
    );
  }
});

test('of two processes that write at the same moment at most one goes on, and only the first is read (journal_conflict)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-journal-'));
  const other = asAnotherProcess(folder);
  // Until both have written at the same moment: mostly at once.
  let met = 0;
  for (let round = 0; met < 5; round++) {
    const runId = `r${round}`;
    const journals = [fileJournal(folder), fileJournal(other)];
    await Promise.all(journals.map((journal) => journal.read(runId)));
    const written = await Promise.allSettled(
      journals.map((journal, at) => journal.append(runId, { type: 'start', at, messages: [] })),
    );
    const went = written.flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []));
    for (const each of written)
      if (each.status === 'rejected')
        assert.equal((each.reason as { code: string }).code, 'journal_conflict');
    const read = await fileJournal(folder).read(runId);
    assert.equal(read.length, 1);
    assert.ok(went.length <= 1);
    if (went.length === 1) assert.deepEqual(read, [{ type: 'start', at: went[0], messages: [] }]);
    const lines = readFileSync(join(folder, `${runId}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n');
    if (lines.length === 2) met++;
  }
});

test('reads a journal of before its lines said where they begin', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-journal-'));
  const entries: JournalEntry[] = [
    { type: 'start', at: 1, messages: [{ role: 'user', content: 'ü' }] },
    { type: 'end', at: 2, stop: 'done' },
  ];
  writeFileSync(join(folder, 'r.jsonl'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  await using journal = fileJournal(folder);
  assert.deepEqual(await journal.read('r'), entries);
  await journal.append('r', entries[1]!);
  assert.deepEqual(await journal.read('r'), [...entries, entries[1]]);
});

test('needs no closing, and takes a run id of any length', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-journal-'));
  for (const runId of ['x'.repeat(400), `${'x'.repeat(400)}y`, '../../..', '..']) {
    const model = scriptedModel(['Hello.']);
    await run({ model, prompt: 'hi', journal: fileJournal(folder), runId });
    assert.equal((await fileJournal(folder).read(runId)).length, 3);
  }
  assert.equal(readdirSync(folder).length, 4);
});

test('says which line of a damaged journal cannot be read (journal_conflict)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-journal-'));
  writeFileSync(join(folder, 'r.jsonl'), '{"type":"start","at":1,"messages":[]}\n{oops}\n{"type":"end"}\n');
  await using journal = fileJournal(folder);
  await assert.rejects(journal.read('r'), { code: 'journal_conflict', message: /line 2/ });
});

test('ends with the error of a journal that cannot be written, and leaves nothing running', async () => {
  const journal: Journal = {
    append: (_runId, entry) =>
      entry.type === 'call' ? Promise.reject(new Error('disk full')) : Promise.resolve(),
    read: async () => [],
  };
  const a = tool({ name: 'a', description: 'A', input, run: () => assert.fail('must not run unwritten') });
  const model = scriptedModel([call('1', 'a'), call('2', 'a', { b: 1 })]);
  await assert.rejects(
    async () => void (await run({ model, tools: [a], prompt: 'go', journal, runId: 'r' })),
    { message: 'disk full' },
  );
});

test(
  'a journal that never answers is left at the end of its time, and when the run is aborted',
  { timeout: 10_000 },
  async () => {
    const never = new Promise<never>(() => undefined);
    const answers = memoryJournal();
    // What a run grants its journal after the end is over at once.
    const clock = {
      ...systemClock,
      after: (ms: number, ring: () => void) => systemClock.after(ms && 1, ring),
    };
    const model = () => scriptedModel([call('1', 'a')], ['Done.']);
    const tools = [tool({ name: 'a', description: 'a', input, run: () => 'ran' })];
    const silentFrom = (type: JournalEntry['type'] | 'read'): Journal => ({
      append: (runId, entry) => (entry.type === type ? never : answers.append(runId, entry)),
      read: async () => (type === 'read' ? never : []),
    });
    for (const type of ['read', 'start', 'reply', 'call', 'result'] as const) {
      const asked = () => ({ model: model(), tools, prompt: 'go', clock, runId: 'r' });
      const late = await run({ ...asked(), journal: silentFrom(type), limits: { time: 5 } });
      assert.equal(late.stop, 'time-limit', type);
      assert.deepEqual(checkHistory(late.messages), [], type);
      const stopped = run({ ...asked(), journal: silentFrom(type) });
      setImmediate(() => stopped.abort());
      assert.equal((await stopped).stop, 'aborted', type);
    }
  },
);

test('a journal that works gets what is still to be written when a run is aborted', async () => {
  const journal = memoryJournal();
  const running = gate();
  const slow = tool({
    name: 'slow',
    description: 'slow',
    input,
    run: () => {
      running.open();
      return new Promise(() => undefined);
    },
  });
  const live = run({
    model: scriptedModel([call('1', 'slow')]),
    tools: [slow],
    prompt: 'go',
    runId: 'r',
    journal: {
      ...journal,
      append: async (runId, entry) => {
        await new Promise(setImmediate);
        await journal.append(runId, entry);
      },
    },
  });
  void running.promise.then(() => live.abort());
  assert.equal((await live).stop, 'aborted');
  assert.deepEqual(
    journal.entries.map(({ type }) => type),
    ['start', 'part', 'call', 'reply', 'result'],
  );
});

test('a resumed run knows the results that were cut', async () => {
  const long = tool({
    name: 'long',
    description: 'Long',
    input,
    outputBudget: 10,
    run: () => 'abcdefghijklmnopqrstuvwxyz',
  });
  const journal = memoryJournal();
  const script = [
    [call('1', 'long')],
    [call('2', 'read_result', { call_id: '1', from: 5, characters: 3 })],
    ['ok'],
  ] as const;
  await run({ model: scriptedModel(...script), tools: [long], prompt: 'go', journal, runId: 'r' });
  const cut = journal.entries.findIndex((entry) => entry.type === 'reply' && entry.step === 2);
  const again = memoryJournal(journal.entries.slice(0, cut));
  const outcome = await run({
    model: scriptedModel(...script.slice(1)),
    tools: [long],
    prompt: 'go',
    journal: again,
    runId: 'r',
  });
  assert.equal(resultText(outcome.calls[1]?.result ?? assert.fail()), 'fgh');
});

test('takes up identical calls at every entry of its journal: what ran once for both does not run again', async () => {
  let runs = 0;
  const a = tool({ name: 'a', description: 'A', input, run: () => ++runs });
  const script = () => askingFor([call('1', 'a'), call('2', 'a')]);
  const whole = memoryJournal();
  await run({ model: script(), tools: [a], prompt: 'go', journal: whole, runId: 'r' });
  // Before that, only the first of the two is known, which then stands alone.
  const known = whole.entries.findLastIndex((entry) => entry.type === 'part') + 1;
  assert.equal(runs, 1);
  for (let cut = known; cut <= whole.entries.length; cut++) {
    const journal = memoryJournal(structuredClone(whole.entries.slice(0, cut)));
    const { calls } = await run({ model: script(), tools: [a], prompt: 'go', journal, runId: 'r' });
    assert.equal(runs, 1, `cut at ${cut}`);
    const [first, second] = calls.map(({ result }) => resultText(result));
    assert.equal(first, second);
  }
});

for (const by of ['provider', 'call'] as const) {
  test(`a run that had ended gives its checked answer again, and why it ended (${by})`, async () => {
    const schema = z.object({ n: z.string().transform(Number) });
    const reply = by === 'call' ? [call('1', 'answer', { n: '4' })] : ['{"n":"4"}'];
    const journal = memoryJournal();
    const go = (model: ScriptedModel) =>
      run({ model, prompt: 'go', output: { schema, by }, journal, runId: 'r' });
    const before = await go(scriptedModel(reply));
    const after = await go(scriptedModel());
    assert.deepEqual(before.output, { n: 4 });
    assert.deepEqual(after.output, before.output);
    assert.deepEqual(after.finish, before.finish);
    // Its end was not written down any more, or not even that it was answered.
    const cut = memoryJournal(journal.entries.slice(0, -1));
    const again = await run({
      model: scriptedModel(),
      prompt: 'go',
      output: { schema, by },
      journal: cut,
      runId: 'r',
    });
    assert.deepEqual([again.stop, again.output], ['done', before.output]);
  });
}
