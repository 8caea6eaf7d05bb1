import { benchmarksPage, type StoredResult } from '../bench/write-page.ts';
import { readErrorTable } from './checks/errors.ts';
import type { Tree } from './checks/tree.ts';
import { errorsPage } from './errors-page.ts';

const errorTable = 'src/base/host/errors.ts';

/** The pages that nobody writes by hand, from the tree that they speak of. */
export function generatedPages(tree: Tree): Record<string, string> {
  const pages: Record<string, string> = {};
  if (tree.has(errorTable)) pages['docs/errors.md'] = errorsPage(readErrorTable(tree.text(errorTable)));
  const results = tree.files.filter((file) => /^bench\/results\/[\w-]+\.json$/.test(file));
  if (results.length > 0) {
    pages['docs/benchmarks.md'] = benchmarksPage(
      results.map((file) => JSON.parse(tree.text(file)) as StoredResult),
    );
  }
  return pages;
}
