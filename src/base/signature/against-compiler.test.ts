import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import fc from 'fast-check';

import { rounds, seed } from '../../../test/rounds.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { holds, loadChecker } from '../schema/check/check.ts';
import { openFile } from './compiler.ts';
import { readSignatures } from './read-signatures.ts';

const leaf = fc.constantFrom(
  ...[
    'string',
    'number',
    'boolean',
    'null',
    "'a'",
    "'b'",
    "'a' | 'b' | 'c'",
    '1 | 2',
    "'a' | 1 | true",
    'true',
  ],
  ...[
    '`x-${number}`',
    'string & { readonly __brand: 1 }',
    'keyof { a: 1; b: 2 }',
    "Extract<'a' | 1, string>",
  ],
);

/** Types as they are written. A union has at most one object: there the compiler looks less closely. */
const anyType = fc.letrec<{ type: string; object: string; plain: string }>((tie) => ({
  plain: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    tie('type').map((type) => `(${type})[]`),
    tie('type').map((type) => `ReadonlyArray<${type}>`),
    fc.array(tie('type'), { minLength: 1, maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc.tuple(tie('type'), tie('type')).map(([first, second]) => `[${first}, (${second})?]`),
    fc.tuple(tie('type'), tie('type')).map(([first, rest]) => `[${first}, ...(${rest})[]]`),
    fc
      .array(tie('plain'), { minLength: 2, maxLength: 3 })
      .map((members) => members.map((member) => `(${member})`).join(' | ')),
  ),
  object: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 })
      .chain((keys) => fc.tuple(...keys.map((key) => fc.tuple(fc.constant(key), fc.boolean(), tie('type')))))
      .map(
        (members) =>
          `{ ${members.map(([key, optional, type]) => `${key}${optional ? '?' : ''}: ${type}`).join('; ')} }`,
      ),
    tie('type').map((type) => `Record<string, ${type}>`),
    tie('type').map((type) => `Partial<Record<'a' | 'b', ${type}>>`),
    tie('type').map((type) => `Tree<${type}>`),
  ),
  type: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    tie('plain'),
    tie('object'),
    fc
      .tuple(tie('plain'), tie('object'))
      .map((members) => members.map((member) => `(${member})`).join(' | ')),
  ),
})).type;

const anyValue = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<JsonValue>('a', 'b', 'x-1', 'x-', 1, 2, 2.5, true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'value', 'next'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).value;

test('a schema takes what the compiler takes, and nothing else', async () => {
  await loadChecker();
  const folder = mkdtempSync(join(tmpdir(), 'whet-judge-'));
  try {
    const sample = { numRuns: rounds(80), seed: seed('types and values') };
    const types = fc.sample(anyType, sample);
    const values = fc.sample(fc.array(anyValue, { minLength: 12, maxLength: 12 }), sample);
    const head = 'interface Tree<Value> { value: Value; next?: Tree<Value> }';
    const functions = types.map((type, index) => `export function f${index}(x: ${type}): void {}`);
    // One declaration a line, so that a line tells whether the compiler takes its value.
    const lines = types.flatMap((type, index) =>
      (values[index] as JsonValue[]).map((value, n) => ({
        index,
        value,
        text: `const v${index}_${n}: Parameters<typeof f${index}>[0] = ${JSON.stringify(value)};`,
      })),
    );
    const path = join(folder, 'types.ts');
    writeFileSync(path, [head, ...functions, ...lines.map(({ text }) => text), 'export {};'].join('\n'));
    const signatures = await readSignatures(path);
    assert.equal(signatures.length, types.length);
    const open = await openFile(path);
    const wrong = new Set(
      open.project.program
        .getSemanticDiagnostics(path)
        .map(({ pos }) => open.file.text.slice(0, pos).split('\n').length - 2 - functions.length),
    );
    open.close();
    let taken = 0;
    const differences: string[] = [];
    for (const [line, { index, value }] of lines.entries()) {
      const { input } = signatures[index] as { input: JsonObject };
      const byCompiler = !wrong.has(line);
      if (byCompiler) taken++;
      if (holds(input, { x: value }) !== byCompiler && !isBrand(types[index] as string)) {
        differences.push(
          `${types[index]} = ${JSON.stringify(value)}: the compiler says ${byCompiler}, ${JSON.stringify(input)}`,
        );
      }
    }
    assert.deepEqual(differences, []);
    assert.ok(taken > lines.length / 40 && taken < lines.length, `${taken} of ${lines.length} taken`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** No text that is written down has a brand; for a schema every text has. */
function isBrand(type: string): boolean {
  return type.includes('__brand');
}
