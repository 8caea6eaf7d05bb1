import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { textOf } from '../../base/message/message.ts';
import { modelNamed } from '../../wire/index.ts';
import { mock } from '../../wire/mock/index.ts';
import { seed } from '../../../test/rounds.ts';
import type { Catalog } from '../scenario/load/catalog.ts';
import type { Grade } from '../score/grade.ts';
import { scoringOf } from '../score/scoring.ts';
import { exportStore, importInto } from '../store/export.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { startPostgres } from '../store/testing/postgres-server.ts';
import { modelJudge, type Judge } from './judge/judge.ts';
import { readTurn } from './live-episode.ts';
import { modelVoice } from './voice/model-voice.ts';
import { recordedVoice } from './voice/recorded-voice.ts';
import { regrade } from './regrade.ts';
import { TaskBook } from './task-book.ts';
import { answerOf, bundledCatalog, halfOfBundled, judgedCatalog } from './testing/changed-catalog.ts';
import { hashStored, playStored } from './testing/play-stored.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-determinism-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const postgres = await startPostgres();
after(() => postgres.remove());

/** Everything of one store, put into another. */
async function move(from: Store, to: Store): Promise<void> {
  const lines = async function* (): AsyncGenerator<string> {
    for await (const record of exportStore(from)) yield JSON.stringify(record);
  };
  await importInto(to, lines());
}

/** How many stored grades come out the same, byte for byte, when they are made again. */
async function countSame(store: Store, catalog: Catalog): Promise<number> {
  let count = 0;
  for await (const one of regrade(store, new TaskBook(catalog), {
    owner: 'local',
    scoring: scoringOf('1.0'),
  })) {
    const { grade } = (await store.readEpisode(one.episode))!;
    assert.equal(JSON.stringify(one.after), grade, one.episode);
    count++;
  }
  return count;
}

test('the bundled episodes are stored with the same bytes in another process and on the other store', async () => {
  await using sqlite = await openStore(join(folder, 'one.db'));
  const hashes = await playStored(sqlite, bundledCatalog);
  const count = Object.keys(hashes).length;
  assert.ok(count >= 64, `${count} episodes`);

  // Half of them there and half of them in another process: which half, the seed says.
  const from = seed('determinism') % 2;
  const samePlayed = (played: Readonly<Record<string, string>>, where: string): void => {
    assert.ok(Object.keys(played).length >= 32, where);
    for (const [id, hash] of Object.entries(played)) assert.equal(hash, hashes[id], `${id} played ${where}`);
  };
  const onPostgres = halfOfBundled(from);
  await using other = await openStore(await postgres.database('played'));
  samePlayed(await playStored(other, onPostgres), 'on Postgres');

  const module = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const script = `
    import { openStore } from ${module('../store/open-store.ts')};
    import { halfOfBundled } from ${module('./testing/changed-catalog.ts')};
    import { playStored } from ${module('./testing/play-stored.ts')};
    await using store = await openStore(process.argv[1]);
    console.log(JSON.stringify(await playStored(store, halfOfBundled(${from + 1}))));`;
  const child = spawnSync(
    process.execPath,
    ['--conditions=whetstone-source', ...['--input-type=module', '--eval', script, join(folder, 'two.db')]],
    {
      encoding: 'utf8',
      timeout: 300_000, // It learns what all persons were asked, also beside other tests.
      env: { ...process.env, TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
    },
  );
  assert.equal(child.status, 0, child.stderr);
  samePlayed(JSON.parse(child.stdout) as Record<string, string>, 'in another process');

  assert.equal(await countSame(sqlite, bundledCatalog), count);
  assert.ok((await countSame(other, onPostgres)) >= 32);
});

test('what models said replays and grades again without them, on the store it was moved to', async () => {
  const strain = judgedCatalog();
  const catalog: Catalog = {
    ...strain,
    collections: strain.collections.map((one) => ({
      ...one,
      scenarios: one.scenarios.filter(({ slug }) => ['lumbar-strain', 'broken-wrist'].includes(slug)),
    })),
  };
  await using sqlite = await openStore(join(folder, 'models.db'));
  // In turn a model fails, says what must not be heard, or does as it is told; asked the same, it does the same.
  const known = new Map<string, number>();
  await using provider = await mock(({ request }) => {
    const asked = request.messages.map(textOf).join('\n');
    const turn = known.get(asked) ?? known.size;
    known.set(asked, turn);
    if (asked.includes('\nThe point')) return answerOf(asked, { plain: turn % 4 > 1, cold: turn % 4 === 1 });
    const answer = /^The answer, as it was decided: (.*)$/m.exec(asked)![1]!;
    if (turn % 4 === 0) return { fault: { status: 500 } };
    return turn % 4 === 1 ? 'There were seventeen of us.' : `Well… ${JSON.parse(answer) as string}`;
  });
  const options = { baseUrl: `${provider.url}/v1`, apiKey: 'none', retry: { retries: 0 } };
  const voice = modelVoice(modelNamed('openai/person', options));
  const judge = modelJudge(modelNamed('openai/judge', options));
  const hashes = await playStored(sqlite, catalog, { voice, judge });
  const asked = provider.asked.length;
  assert.ok(asked > 20, `${asked} requests`);

  await using moved = await openStore(await postgres.database('moved'));
  await move(sqlite, moved);
  for (const [id, hash] of Object.entries(hashes)) assert.equal(await hashStored(moved, id), hash, id);
  assert.equal(await countSame(moved, catalog), Object.keys(hashes).length);

  // Played anew from what is stored: the person says what it said, and the judge what it judged.
  const stored = await Promise.all(
    Object.keys(hashes).map(async (id) => {
      const { grade, collection, scenario } = (await moved.readEpisode(id))!;
      const turns = (await moved.readTurns(id)).map(readTurn);
      return { task: { collection, scenario }, turns, grade: JSON.parse(grade!) as Grade };
    }),
  );
  const voices = stored.flatMap(({ turns }) => turns.map(({ voice: said }) => said));
  assert.ok(voices.some((said) => said?.fault) && voices.some((said) => said?.refused && !said.fault));
  assert.ok(stored.some(({ grade }) => grade.verdicts) && stored.some(({ grade }) => grade.personFault));
  const storedJudge: Judge = {
    judge: async (_task, { turns }) =>
      stored.find((one) => JSON.stringify(one.turns) === JSON.stringify(turns))?.grade.verdicts ?? {},
  };
  await using replayed = await openStore(await postgres.database('replayed'));
  const by = { voice: recordedVoice(stored), judge: storedJudge };
  assert.deepEqual(await playStored(replayed, catalog, by), hashes);
  assert.equal(provider.asked.length, asked, 'no model was asked for any of it');
});
