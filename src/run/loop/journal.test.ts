import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { call, scriptedModel } from '../../../test/scripted-model.ts';
import { checkHistory } from '../../base/message/history.ts';
import { resultText } from '../../base/message/result.ts';
import { tool } from '../tool/define-tool.ts';
import { fileJournal } from './file-journal.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { run } from './run.ts';

const input = { type: 'object' } as const;

/** A journal in memory that a test can cut off where it likes. */
function memoryJournal(entries: JournalEntry[] = []): Journal & { readonly entries: JournalEntry[] } {
  return {
    entries,
    append: async (_runId, entry) => void entries.push(structuredClone(entry)),
    read: async () => structuredClone(entries),
  };
}

test('takes up a run at every entry of its journal: nothing finished runs again, no reply is asked for twice', async () => {
  const script = () =>
    scriptedModel([call('1', 'a'), call('2', 'b')], [call('3', 'a', { again: true })], ['Done.']);
  const log: string[] = [];
  const tools = ['a', 'b'].map((name) =>
    tool({ name, description: name, input, run: (_, context) => void log.push(context.call.id) }),
  );
  const whole = memoryJournal();
  await run({ model: script(), tools, prompt: 'go', journal: whole, runId: 'r' });
  assert.deepEqual(log.splice(0), ['1', '2', '3']);
  for (let cut = 0; cut <= whole.entries.length; cut++) {
    const journal = memoryJournal(structuredClone(whole.entries.slice(0, cut)));
    const replies = journal.entries.filter((entry) => entry.type === 'reply').length;
    const finished = journal.entries.flatMap((entry) => (entry.type === 'result' ? entry.callId : []));
    const begun = journal.entries.flatMap((entry) => (entry.type === 'call' ? entry.callId : []));
    const left = script();
    // The model answers by what it was asked: the replies that were recorded are behind it.
    for (let reply = 0; reply < replies; reply++) left.asked.push({ messages: [] });
    const outcome = await run({ model: left, tools, prompt: 'go', journal, runId: 'r' });
    assert.equal(outcome.text, 'Done.', `cut after ${cut}`);
    assert.equal(left.asked.length, 3);
    assert.deepEqual(checkHistory(outcome.messages), []);
    const ran = log.splice(0);
    for (const id of begun) assert.ok(!ran.includes(id), `call ${id} ran twice, cut after ${cut}`);
    for (const record of outcome.calls) {
      const interrupted = begun.includes(record.call.id) && !finished.includes(record.call.id);
      assert.equal(record.result.errorCode, interrupted ? 'interrupted' : undefined);
    }
  }
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
