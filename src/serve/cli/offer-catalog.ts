import { sleep } from '../../base/host/clock.ts';
import { WhetstoneError } from '../../base/host/errors.ts';
import { loadChecker } from '../../base/schema/check/check.ts';
import { loadCatalog, readAhead } from '../../grade/scenario/load/catalog.ts';
import type { Catalog } from '../../grade/scenario/load/catalog.ts';
import { formatDiagnostic } from '../../grade/scenario/diagnostic.ts';

/** The catalog that a server offers; one in which nothing can be played is refused. */
export function offerCatalog(directory: string): Catalog {
  const catalog = loadCatalog(directory);
  if (catalog.collections.some(({ slugs }) => slugs.length > 0)) return catalog;
  const found = catalog.faults.map(formatDiagnostic).join(' ');
  throw new WhetstoneError('scenario_unknown', `There is no scenario in ${directory}. ${found}`.trim(), {
    details: { directory },
  });
}

/** Clients that waited for the server are answered first. */
const headStartMs = 200;

/**
 * Reads the catalog's scenarios while the server answers, and says on standard error which are left out. What grading
 * needs beside them is loaded then too, as it is not before.
 */
export function tellFaults(catalog: Catalog): Disposable {
  const stop = new AbortController();
  const { signal } = stop;
  const readAll = async () => {
    await sleep(headStartMs, { signal });
    await loadChecker();
    await readAhead(catalog, {
      tell: (fault) => console.error(`whet: left out: ${formatDiagnostic(fault)}`),
      signal,
    });
  };
  readAll().catch((error: unknown) => {
    if (!signal.aborted) console.error(`whet: ${String(error)}`);
  });
  return { [Symbol.dispose]: () => stop.abort() };
}
