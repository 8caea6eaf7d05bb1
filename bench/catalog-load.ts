import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Claim, inFreshProcess, median, round } from './harness.ts';

const count = 1000;

/** A catalog of a thousand different scenarios, made from a bundled one, opened in a fresh process each time. */
export const claim: Claim = {
  name: 'catalog-load',
  title: 'a catalog of 1,000 scenarios is read and checked within half a second',
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
        const { findScenario, loadCatalog } = await import(${JSON.stringify(new URL('../src/grade/scenario/load/catalog.ts', import.meta.url).href)});
        const begun = performance.now();
        const catalog = loadCatalog(${JSON.stringify(join(room, 'scenarios'))});
        const listed = performance.now();
        findScenario(catalog, 'many', 'case-500');
        const one = performance.now();
        if (catalog.collections[0].scenarios.length !== ${count} || catalog.faults.length > 0) throw new Error('not all were loaded');
        console.log(JSON.stringify({ list: listed - begun, one: one - listed, all: performance.now() - one }));
      `;
      const runs: { list: number; one: number; all: number }[] = [];
      for (let index = 0; index < Math.min(rounds, 7); index++)
        runs.push(inFreshProcess(source, { cwd: room }));
      const of = (part: 'list' | 'one' | 'all') => round(median(runs.map((run) => run[part])));
      const altogether = round(median(runs.map(({ list, one, all }) => list + one + all)));
      return {
        rows: [
          { what: 'the catalog is listed, and can be asked', ms: of('list') },
          { what: 'the first scenario is read and checked', ms: of('one') },
          { what: 'all the others are, which a server does while it answers', ms: of('all') },
          { what: 'altogether', ms: altogether },
        ],
        limits: [
          {
            says: 'ms until each of 1,000 scenarios is read and checked',
            measured: altogether,
            atMost: 500,
          },
          {
            says: 'ms until any one of them can be played',
            measured: round(of('list') + of('one')),
            atMost: 100,
          },
        ],
        notes: [
          'Nothing is kept from an earlier run: each process reads the YAML itself. A scenario here is 22 KB of it, its paths 3 KB.',
        ],
      };
    } finally {
      rmSync(room, { recursive: true, force: true });
    }
  },
};
