import assert from 'node:assert/strict';
import { test } from 'node:test';

import { testServer } from '../server/testing/test-server.ts';
import { connect, type Client } from './client.ts';
import { playEpisode } from './play-episode.ts';

const task = { collection_slug: 'case-management', scenario_slug: 'lumbar-strain', variant: 0 };
const words = ['Hello. How did it happen?', 'When did it happen?'];
const player = () => ({
  next: (turn: number) =>
    Promise.resolve(
      words[turn - 1] === undefined ? undefined : [{ role: 'assistant', content: words[turn - 1]! } as const],
    ),
});

test('an episode whose server did not answer is gone on with by the repeat of its key, and ended without a key', async () => {
  const server = await testServer({});
  const client = connect({ url: server.url });
  let left = 1;
  const failing: Client = {
    ...client,
    submitTurn: (...given) => {
      if (given[1].turn === 2 && left-- > 0) throw new Error('the server is away');
      return client.submitTurn(...given);
    },
  };
  await assert.rejects(playEpisode(failing, task, { player, idempotencyKey: 'one' }), /away/);
  const [open] = (await client.episodes({ limit: 1 })).episodes;
  assert.equal(open?.status, 'open');
  const played = await playEpisode(failing, task, { player, idempotencyKey: 'one' });
  assert.equal(played.episode_id, open.episode_id);
  assert.equal(played.turn_count, 2);

  left = 1;
  await assert.rejects(playEpisode(failing, task, { player }), /away/);
  const [ended] = (await client.episodes({ limit: 1 })).episodes;
  assert.notEqual(ended?.episode_id, open.episode_id);
  assert.notEqual(ended?.status, 'open');
});
