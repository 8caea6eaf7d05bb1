import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { rounds } from '../../../test/rounds.ts';
import { PageStage } from '../play/page/page-stage.ts';
import { buildTask } from '../scenario/build-task.ts';
import { loadCatalog } from '../scenario/load/catalog.ts';
import { actPaths } from './act-paths.ts';
import { checkCollection } from './check-collection.ts';
import { checkScenario } from './check-scenario.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));

test('every bundled scenario can be read', () => {
  assert.deepEqual(catalog.faults, []);
  assert.ok(catalog.collections.length > 0);
});

for (const collection of catalog.collections) {
  test(`the splits of ${collection.slug} offer the same tools within each`, () => {
    assert.deepEqual(checkCollection(collection), []);
  });
  for (const scenario of collection.scenarios)
    test(`${collection.slug}/${scenario.slug}: gold earns 1, flawed paths come in order, cheats do not pay`, async () => {
      // A browser takes its time.
      const onPage = buildTask(scenario).page !== undefined;
      const variants = onPage ? 1 : rounds(6);
      await using stage = new PageStage();
      const report = checkScenario(scenario, {
        variants,
        acted: await actPaths(scenario, { variants, stage, paths: 'all' }),
      });
      assert.deepEqual(
        report.faults.map((fault) => `${fault.place.line}: ${fault.message}`),
        [],
      );
      if (report.person) {
        const { questions, answered, nearMisses, falseReveals } = report.person;
        const recall = (answered / questions).toFixed(3);
        console.log(
          `# ${scenario.slug}: recall ${recall} of ${questions} questions, ${falseReveals} of ${nearMisses} near misses draw a fact out`,
        );
      }
      if (onPage) assert.equal(report.answers?.skills.gold, 1, 'an interview does on a page what gold did');
      assert.ok(report.variants >= 64);
      assert.ok(report.paths.length >= 5, 'gold and four flawed paths');
    });
}
