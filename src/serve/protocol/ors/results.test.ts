import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Results } from './results.ts';

test('results that clients may come back for are kept by what they weigh, the latest of them', async () => {
  const results = new Results();
  const large = 'x'.repeat(1_000_000);
  for (let number = 0; number < 100; number++) await results.run(`${number}`, () => Promise.resolve(large));
  const kept = Array.from({ length: 100 }, (_, number) => results.get(`${number}`)).filter(Boolean).length;
  assert.ok(kept >= 7 && kept <= 16, `${kept} are kept`);
  assert.equal(results.get('99'), large);
  assert.equal(results.get('0'), undefined);
});

test('a result that is large by itself is kept by nobody, and one that failed neither', async () => {
  const results = new Results();
  await results.run('huge', () => Promise.resolve('x'.repeat(20_000_000)));
  await assert.rejects(results.run('failed', () => Promise.reject(new Error('no'))));
  assert.deepEqual([results.get('huge'), results.get('failed')], [undefined, undefined]);
  const running = results.run('running', () => Promise.resolve('done'));
  assert.ok(results.get('running') instanceof Promise);
  assert.equal(await running, 'done');
});
