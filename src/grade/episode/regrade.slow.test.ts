import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { rounds } from '../../../test/rounds.ts';
import { loadCatalog } from '../scenario/load/catalog.ts';
import { messagesOf, pathsOf } from '../scenario/paths.ts';
import { playThrough } from '../play/play-through.ts';
import { buildTask } from '../scenario/build-task.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import { scoringOf } from '../score/scoring.ts';
import type { Scoring } from '../score/scoring.ts';
import { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import { endOf } from './grade-turn.ts';
import { bareEpisode, bareTurn } from '../store/testing/bare-record.ts';
import { regrade } from './regrade.ts';
import { TaskBook } from './task-book.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-regrade-'));
const store = new SqliteStore(join(folder, 'data.db'));
after(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const scenarios = catalog.collections.flatMap((collection) => collection.scenarios);

/** An episode of a path, stored as the engine stores it. */
async function storeEpisode(index: number): Promise<void> {
  const scenario = scenarios[index % scenarios.length]!;
  const variant = index % scenario.variants;
  const task = buildTask(scenario, variant);
  const paths = pathsOf(scenario, variant);
  const turns = [paths.gold, ...paths.flawed.map((path) => path.turns)][index % 3]!;
  const transcript = playThrough(task, turns.map(messagesOf));
  const grade = gradeTranscript(task, transcript);
  const id = `ep_${String(index).padStart(6, '0')}`;
  const { collection, version } = task.reference;
  await store.insertEpisode(
    bareEpisode(id, {
      collection,
      scenario: scenario.slug,
      version: index === 0 ? '0.1' : version,
      variant,
      opening: JSON.stringify(task.opening),
      createdAt: 1000 + index,
    }),
  );
  for (const turn of transcript.turns) {
    const isLast = turn.turn === transcript.turns.length;
    await store.appendTurn(
      bareTurn(id, turn.turn, {
        messages: JSON.stringify(turn.messages),
        outcomes: JSON.stringify(turn.outcomes),
        answer: JSON.stringify({ turn: turn.turn, observation: turn.observation, results: [] }),
      }),
      {
        state: JSON.stringify(transcript.state),
        expiresAt: 9e12,
        totalUsage: '{}',
        ...(isLast
          ? {
              end: endOf(grade, 'completed'),
            }
          : {}),
      },
    );
  }
}

const count = rounds(30);

test('stored episodes graded again give the same grade, bit for bit', async () => {
  for (let from = 0; from < count; from += 60)
    await Promise.all(
      Array.from({ length: Math.min(60, count - from) }, (_, index) => storeEpisode(from + index)),
    );
  let seen = 0;
  for await (const one of regrade(store, new TaskBook(catalog), {
    owner: 'local',
    scoring: scoringOf('1.0'),
  })) {
    seen++;
    assert.deepEqual(one.after, one.before);
    assert.equal(one.change, 0);
    assert.equal(one.versionChanged, one.episode === 'ep_000000' ? true : undefined);
  }
  assert.equal(seen, count);
});

test('another scoring version is beside the old one, and the store keeps what it had', async () => {
  const stricter: Scoring = (task, transcript, options) => {
    const grade = gradeTranscript(task, transcript, options);
    return { ...grade, scoringVersion: 'test-2', reward: grade.success };
  };
  const moved = new Set<number>();
  for await (const { before, after, change } of regrade(store, new TaskBook(catalog), {
    owner: 'local',
    scoring: stricter,
  })) {
    assert.equal(before?.scoringVersion, '1.0');
    assert.equal(after?.scoringVersion, 'test-2');
    assert.equal(change, after!.reward - before!.reward);
    moved.add(Math.sign(change!));
  }
  assert.ok(moved.has(0) && moved.has(-1));
  assert.equal((await store.readEpisode('ep_000001'))?.grade?.includes('test-2'), false);
});

test('an episode whose scenario is gone is told, and the others are graded', async () => {
  const fewer = { ...catalog, collections: catalog.collections.slice(1) };
  let faults = 0;
  let graded = 0;
  for await (const one of regrade(store, new TaskBook(fewer), { owner: 'local', scoring: gradeTranscript })) {
    if (one.fault !== undefined) faults++;
    else graded++;
  }
  assert.ok(faults > 0 && graded > 0);
});

test('an unknown scoring version is refused with what there is', () => {
  assert.throws(() => scoringOf('9.9'), { code: 'scoring_unknown', message: /Known: 1\.0/ });
});
