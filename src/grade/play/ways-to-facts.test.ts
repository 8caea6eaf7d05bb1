import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { buildTask } from '../scenario/build-task.ts';
import { findScenario, loadCatalog } from '../scenario/load/catalog.ts';
import { waysToFacts } from './ways-to-facts.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));

test('what a person tells is asked for, and what a tool shows is looked up', () => {
  const ways = waysToFacts(buildTask(findScenario(catalog, 'customer-support', 'damaged-item')));
  assert.match(ways.get('wish')?.question ?? '', /refund or a replacement/);
  assert.deepEqual(ways.get('record'), { call: 'look_up_order' });
});

test('every fact of a bundled scenario has its way, and one way alone', () => {
  for (const { slug, read, slugs } of catalog.collections) {
    // What a page shows is found on the page.
    if (slug === 'web') continue;
    const task = buildTask(read(slugs[0]!).scenario!, 1);
    const ways = waysToFacts(task);
    for (const { id, reveal } of task.facts) {
      if (reveal === 'volunteered') continue;
      const { question, call } = ways.get(id) ?? {};
      assert.ok((question === undefined) !== (call === undefined), `${slug}: ${id}`);
    }
  }
});
