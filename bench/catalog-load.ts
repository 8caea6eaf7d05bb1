import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Claim, inFreshProcess, median, round } from './harness.ts';

const count = 1000;

/** A catalog of a thousand different scenarios, made from a bundled one, loaded in a fresh process each time. */
export const claim: Claim = {
  name: 'catalog-load',
  title: 'a catalog of 1,000 scenarios is loaded in half a second',
  async measure({ rounds }) {
    const room = mkdtempSync(join(tmpdir(), 'whet-catalog-'));
    try {
      const bundled = fileURLToPath(new URL('../scenarios/case-management/lumbar-strain', import.meta.url));
      const shelf = join(room, 'scenarios', 'many');
      mkdirSync(shelf, { recursive: true });
      writeFileSync(join(shelf, 'collection.yaml'), 'name: Many\ndescription: Many scenarios.\n');
      for (let index = 0; index < count; index++) {
        const folder = join(shelf, `case-${index}`);
        cpSync(bundled, folder, { recursive: true });
        for (const file of ['scenario.yaml', 'paths.yaml'])
          writeFileSync(join(folder, file), `${readFileSync(join(folder, file), 'utf8')}# ${index}\n`);
      }
      const source = `
        const { loadCatalog } = await import(${JSON.stringify(new URL('../src/grade/scenario/catalog.ts', import.meta.url).href)});
        const started = performance.now();
        const catalog = loadCatalog(${JSON.stringify(join(room, 'scenarios'))});
        const ms = performance.now() - started;
        if (catalog.collections[0].scenarios.length !== ${count} || catalog.faults.length > 0) throw new Error('not all were loaded');
        console.log(JSON.stringify({ ms }));
      `;
      process.env['XDG_CACHE_HOME'] = join(room, 'cache');
      const load = () => inFreshProcess<{ ms: number }>(source, { cwd: room }).ms;
      const first = load();
      const again: number[] = [];
      for (let index = 0; index < Math.min(rounds, 7); index++) again.push(load());
      return {
        rows: [
          {
            load: 'the first ever (parses YAML, fills the cache)',
            ms: round(first),
            'ms a scenario': round(first / count),
          },
          { load: 'after that', ms: round(median(again)), 'ms a scenario': round(median(again) / count) },
        ],
        limits: [{ says: 'ms for 1,000 scenarios', measured: round(median(again)), atMost: 500 }],
        notes: [
          'What YAML files hold is kept by the hash of their text under ~/.cache/whetstone; a changed file is parsed anew.',
        ],
      };
    } finally {
      rmSync(room, { recursive: true, force: true });
    }
  },
};
