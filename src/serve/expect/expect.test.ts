import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { WhetstoneError } from '../../base/host/errors.ts';
import { operators } from '../../grade/play/operators.ts';
import { buildTask } from '../../grade/scenario/build-task.ts';
import { findScenario, loadCatalog } from '../../grade/scenario/load/catalog.ts';
import { operator } from '../../run/bridge/operator/operator.ts';
import { operatorPlayer } from '../evaluate/player/operator-player.ts';
import { expect, matchers, playGate, type TestedPlayer } from './index.ts';

const scenarios = fileURLToPath(new URL('../../../scenarios', import.meta.url));
const one = { scenarios, concurrency: 1 } as const;
const name = 'customer-support/damaged-item';
const scenario = findScenario(loadCatalog(scenarios), 'customer-support', 'damaged-item');

/** Knows the answer to the trials in their order, and gives it in so many of ten. */
function knows(inTen: number): TestedPlayer {
  const gold = operators.find((each) => each.name === 'gold')!;
  const random = operators.find((each) => each.name === 'random')!;
  let trial = 0;
  return () => {
    const plays = trial % 10 < inTen ? gold : random;
    return operatorPlayer(plays, buildTask(scenario, trial++));
  };
}

test('who succeeds passes long before the last trial, and who does not fails', async () => {
  const passed = await playGate(knows(10), name, { atLeast: 0.8, trials: 200, ...one });
  assert.equal(passed.verdict, 'pass');
  assert.ok(passed.trials < 60, `${passed.trials} trials`);
  await expect(knows(10)).toPass(name, one);
  const silent = operator(() => undefined);
  await assert.rejects(expect(silent).toPass(name, { scenarios }), {
    name: 'AssertionError',
    message:
      /^0 of \d+ trials of customer-support\/damaged-item succeeded .* at least 80 % were asked for\.$/,
  });
  const { pass, message } = await matchers.toPass(knows(2), name, one);
  assert.equal(pass, false);
  assert.match(message(), /were asked for/);
});

test('too few trials leave it open, and that is not a pass', async () => {
  await assert.rejects(
    expect(knows(10)).toPass(name, { trials: 3, ...one }),
    /too few to tell.*allow more trials/,
  );
});

test('a scenario that is not there, or a rate that is none, is told', async () => {
  await assert.rejects(expect(knows(10)).toPass('customer-support/damaged', { scenarios }), {
    code: 'scenario_unknown',
  });
  await assert.rejects(expect(knows(10)).toPass(name, { atLeast: 80, scenarios }), /atLeast is 80/);
  await assert.rejects(expect(knows(10)).toPass(name, { trials: 0, scenarios }), /trials is 0/);
});

test('a trial whose model cannot be reached is tried again, and an error of the agent is told at once', async () => {
  const good = knows(10);
  let created = 0;
  const unlucky: TestedPlayer = (episode) => {
    if (created++ > 0) return good(episode);
    throw new WhetstoneError('model_failed', 'Too many requests.', { details: { kind: 'rate_limit' } });
  };
  const { verdict, successes, trials } = await playGate(unlucky, name, { atLeast: 0.5, ...one });
  assert.deepEqual([verdict, successes], ['pass', trials]);
  const broken = operator(() => {
    throw new TypeError('no such tool');
  });
  await assert.rejects(playGate(broken, name, one), /no such tool/);
});
