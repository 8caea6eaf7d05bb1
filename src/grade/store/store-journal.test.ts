import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { call, scriptedModel } from '../../../test/scripted-model.ts';
import { fileJournal } from '../../run/loop/journal/file-journal.ts';
import type { Journal, JournalEntry } from '../../run/loop/journal/journal.ts';
import { run } from '../../run/loop/run.ts';
import { tool } from '../../run/tool/define-tool.ts';
import { openStore } from './open-store.ts';
import { storeJournal } from './store-journal.ts';
import { startPostgres } from './testing/postgres-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-journal-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const postgres = await startPostgres();
after(() => postgres.remove());
const database = await postgres.database('journal');

type OpenJournal = () => Promise<Journal & AsyncDisposable>;

const inStore = (place: string): OpenJournal =>
  async function open() {
    const store = await openStore(place);
    return { ...storeJournal(store), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
  };

/** The same promises for every kind of journal; opened again, it is another life of the process. */
const kinds: Readonly<Record<string, OpenJournal>> = {
  file: async () => fileJournal(join(folder, 'files')),
  sqlite: inStore(join(folder, 'journal.db')),
  postgres: inStore(database),
};

const start: JournalEntry = {
  type: 'start',
  at: 1,
  messages: [{ role: 'user', content: 'ü \u0000 \ud800 👋\n' }],
};
const begun = (number: number): JournalEntry => ({ type: 'call', step: number, callId: `call ${number}` });

for (const [kind, open] of Object.entries(kinds)) {
  describe(`a journal in ${kind}`, () => {
    test('gives back the entries of a run as they were, in order, also to another life', async () => {
      const entries = [start, ...Array.from({ length: 30 }, (_, index) => begun(index))];
      {
        await using journal = await open();
        assert.deepEqual(await journal.read('a/b'), []);
        await Promise.all(entries.map((entry) => journal.append('a/b', entry)));
        assert.deepEqual(await journal.read('a/b'), entries);
      }
      await using journal = await open();
      // Without reading first, as with a run that is new to this process.
      await journal.append('a/b', begun(99));
      assert.deepEqual(await journal.read('a/b'), [...entries, begun(99)]);
    });

    test('keeps runs apart that are written at once', async () => {
      await using journal = await open();
      const runs = ['one', 'two', 'three'];
      await Promise.all(
        [1, 2, 3, 4, 5].flatMap((number) => runs.map((id) => journal.append(id, begun(number)))),
      );
      for (const id of runs) assert.deepEqual(await journal.read(id), [1, 2, 3, 4, 5].map(begun));
    });

    test('carries a run from one life into the next: what has ended runs no second time', async () => {
      let runs = 0;
      const count = tool({ name: 'count', description: 'Counts', run: () => ++runs });
      const options = { tools: [count], prompt: 'go', runId: 'lives' } as const;
      {
        await using journal = await open();
        const dying = scriptedModel([call('1', 'count')], () => {
          throw new Error('gone');
        });
        await assert.rejects(async () => void (await run({ ...options, model: dying, journal })));
      }
      await using journal = await open();
      const outcome = await run({ ...options, model: scriptedModel(['Done.']), journal });
      assert.equal(outcome.text, 'Done.');
      assert.equal(runs, 1);
    });
  });
}

for (const kind of ['sqlite', 'postgres'] as const)
  test(`in ${kind}, a run that another process took up is closed to the first one (journal_conflict)`, async () => {
    await using first = await kinds[kind]!();
    await using second = await kinds[kind]!();
    await first.append('taken', start);
    await second.read('taken');
    await second.append('taken', begun(1));
    const late = [first.append('taken', begun(2)), first.append('taken', begun(3))];
    for (const write of late) await assert.rejects(write, { code: 'journal_conflict', message: /"taken"/ });
    await assert.rejects(first.append('taken', begun(4)), { code: 'journal_conflict' });
    assert.deepEqual(await second.read('taken'), [start, begun(1)]);
    await first.read('taken');
    await first.append('taken', begun(5));
    assert.deepEqual(await second.read('taken'), [start, begun(1), begun(5)]);
  });
