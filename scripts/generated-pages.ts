import { benchmarksPage, type StoredResult } from '../bench/write-page.ts';
import { wordsDocument } from '../src/base/message/message-schema.ts';
import { readErrorTable } from './checks/errors.ts';
import type { Tree } from './checks/tree.ts';
import { errorsPage } from './errors-page.ts';
import { exportsPage } from './exports-page.ts';

const errorTable = 'src/base/host/errors.ts';
const wordsSchema = 'src/base/message/message-schema.ts';

/** The pages that nobody writes by hand, from the tree that they speak of. */
export function generatedPages(tree: Tree): Record<string, string> {
  const pages: Record<string, string> = {};
  if (tree.has(errorTable)) pages['docs/errors.md'] = errorsPage(readErrorTable(tree.text(errorTable)));
  if (tree.has(wordsSchema)) pages['docs/reference/words.schema.json'] = wordsPage();
  if (tree.has('package.json')) pages['docs/reference/exports.md'] = exportsPage(tree);
  const results = tree.files.filter((file) => /^bench\/results\/[\w-]+\.json$/.test(file));
  if (results.length > 0) {
    pages['docs/benchmarks.md'] = benchmarksPage(
      results.map((file) => JSON.parse(tree.text(file)) as StoredResult),
    );
  }
  return pages;
}

/** One definition a line: a page to look things up in and to compare versions of. */
function wordsPage(): string {
  const { $defs, ...head } = wordsDocument;
  const definitions = Object.entries($defs as object).map(
    ([name, schema]) => `    "${name}": ${JSON.stringify(schema)}`,
  );
  const opening = JSON.stringify(head, undefined, 2).replace(/\n}$/, ',');
  return `${opening}\n  "$defs": {\n${definitions.join(',\n')}\n  }\n}\n`;
}
