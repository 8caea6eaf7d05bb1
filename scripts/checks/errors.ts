import type { ErrorEntry } from '../errors-page.ts';
import type { Check } from './tree.ts';

const table = 'src/base/host/errors.ts';

/** Every error code is thrown somewhere and named by a test. */
export const errors: Check = {
  name: 'errors',
  run(tree) {
    if (!tree.has(table)) return { read: 0, faults: [] };
    const faults: string[] = [];
    const codes = readErrorTable(tree.text(table));
    const sources = tree.sources().filter((file) => file !== table);
    const tests = tree.files.filter(
      (file) => /^(src|test)\/.*\.ts$/.test(file) && /(^test\/|\.test\.|\.contract\.)/.test(file),
    );
    const thrown = sources.map((file) => tree.text(file)).join('\n');
    const tested = tests.map((file) => tree.text(file)).join('\n');
    for (const { code } of codes) {
      if (!new RegExp(`['"]${code}['"]`).test(thrown))
        faults.push(`${code} is in the table and nothing throws it.`);
      if (!new RegExp(`\\b${code}\\b`).test(tested)) faults.push(`${code} is named by no test.`);
    }
    return { read: codes.length, faults };
  },
};

/** The table as text: the checker reads trees that it must not run. */
export function readErrorTable(text: string): ErrorEntry[] {
  const body = text.slice(text.indexOf('errorTable = {'), text.indexOf('} as const satisfies'));
  let room = '';
  const found: ErrorEntry[] = [];
  const entry =
    /^ {2}\/\/ (.+)$|^ {2}(\w+): \{\s*meaning:\s*((?:\s*\+?\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`))+),\s*remedy:\s*((?:\s*\+?\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`))+),?\s*\}/gm;
  for (const [, comment, code, meaning, remedy] of body.matchAll(entry)) {
    if (comment) room = comment;
    else if (code) found.push({ code, room, meaning: unquote(meaning!), remedy: unquote(remedy!) });
  }
  const written = [...body.matchAll(/^ {2}(\w+): \{/gm)].map((match) => match[1]);
  const unread = written.filter((code) => !found.some((known) => known.code === code));
  if (unread.length > 0)
    throw new Error(`The table of errors has entries that this checker cannot read: ${unread.join(', ')}`);
  return found;
}

function unquote(source: string): string {
  const pieces = source.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`]*)`/g);
  return [...pieces]
    .map(([, single, double, template]) => (single ?? double ?? template ?? '').replace(/\\(.)/g, '$1'))
    .join('');
}
