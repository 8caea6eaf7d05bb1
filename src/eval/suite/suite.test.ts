import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { isWhetstoneError } from '../../base/host/errors.ts';
import { loadCatalog } from '../../grade/scenario/load/catalog.ts';
import { cellsOf } from './cells.ts';
import { readSuite } from './read-suite.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));

const whole = `
tasks:
  - { scenarios: customer-support/*, split: test, variants: 2 }
  - { scenarios: case-management/lumbar-strain }
players:
  - { operator: gold }
  - { name: small, model: openai/gpt-5 }
trials: 3
`;

test('a suite names every episode once, trial by trial', () => {
  const cells = cellsOf(readSuite(whole, 'a.yaml'), catalog);
  const keys = cells.map(({ key }) => key);
  assert.equal(keys.length, 3 * 2 * 3);
  assert.equal(new Set(keys).size, keys.length);
  assert.deepEqual(keys.slice(0, 3), [
    'gold/customer-support/charged-twice/0/0',
    'small/customer-support/charged-twice/0/0',
    'gold/customer-support/charged-twice/1/0',
  ]);
  assert.ok(cells.slice(0, 6).every(({ trial }) => trial === 0));
});

test('a task that is named twice is played once', () => {
  const twice = readSuite(
    'tasks: [{ scenarios: "*/lumbar-strain" }, { scenarios: case-management/lumbar-strain }]\nplayers: [{ operator: gold }]',
    'a.yaml',
  );
  assert.equal(cellsOf(twice, catalog).length, 1);
});

const refusals: readonly (readonly [yaml: string, message: RegExp])[] = [
  ['tasks: [', /a\.yaml:1/],
  ['players: [{ operator: gold }]', /tasks: It should be a list/],
  [whole.replace('trials', 'trails'), /There is no "trails" here\. Did you mean "trials"\?/],
  [whole.replace('split', 'splits'), /tasks\[0\]: There is no "splits" here/],
  [whole.replace('trials: 3', 'trials: 0'), /trials: It should be a whole number of at least 1, not 0/],
  [whole.replace('model: openai/gpt-5', 'operator: gold, model: a/b'), /players\[1\]: A player is either/],
  [whole.replace('name: small, model: openai/gpt-5', 'operator: gold'), /Two are called "gold"/],
];

test('a suite with a fault is refused with the place', () => {
  for (const [yaml, message] of refusals) {
    assert.throws(
      () => readSuite(yaml, 'a.yaml'),
      (error) => isWhetstoneError(error) && error.code === 'suite_invalid' && message.test(error.message),
      yaml,
    );
  }
});

test('a scenario or split that is not there is told', () => {
  const refused = (yaml: string, message: RegExp) =>
    assert.throws(() => cellsOf(readSuite(yaml, 'a.yaml'), catalog), { code: 'suite_invalid', message });
  refused(whole.replace('lumbar-strain', 'lumbar-strian'), /Did you mean "case-management\/lumbar-strain"\?/);
  refused(whole.replace('split: test', 'split: tests'), /in the split "tests"/);
});
