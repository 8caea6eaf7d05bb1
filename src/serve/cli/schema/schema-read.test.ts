import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const whet = fileURLToPath(new URL('../../../../bin/whet.js', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'whet-read-'));
after(() => rmSync(root, { recursive: true }));

function folder(tools: string): string {
  const made = mkdtempSync(join(root, 'case-'));
  writeFileSync(join(made, 'tools.ts'), tools);
  return made;
}

function run(cwd: string, ...args: string[]): { code: number | null; out: unknown; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [whet, 'schema', ...args], {
    cwd,
    encoding: 'utf8',
  });
  return { code: status, out: stdout === '' ? undefined : JSON.parse(stdout), err: stderr };
}

const tools = '/** Doubles. */ export function double(n: number) { return n * 2; }\n';
const told = {
  name: 'double',
  description: 'Doubles.',
  input: {
    type: 'object',
    properties: { n: { type: 'number' } },
    required: ['n'],
    additionalProperties: false,
  },
};

test('reads the tools of a file, and writes them down beside it', () => {
  const cwd = folder(tools);
  const { code, out, err } = run(cwd, 'tools.ts');
  assert.deepEqual([code, err], [0, '']);
  assert.deepEqual(out, { file: 'tools.schema.ts', fresh: true, tools: [told], refused: [] });
  assert.match(
    readFileSync(join(cwd, 'tools.schema.ts'), 'utf8'),
    /^\/\/ Written by `whet schema tools\.ts`/,
  );
});

test('says whether what was written is stale, and writes nothing then', () => {
  const cwd = folder(tools);
  const missing = run(cwd, 'tools.ts', '--check');
  assert.equal(missing.code, 1);
  assert.ok(!existsSync(join(cwd, 'tools.schema.ts')));
  run(cwd, 'tools.ts');
  assert.equal(run(cwd, 'tools.ts', '--check').code, 0);
  writeFileSync(join(cwd, 'tools.ts'), tools.replace('n * 2', 'n + n'));
  assert.equal(run(cwd, 'tools.ts', '--check').code, 0, 'a change that is not of a signature is none');
  writeFileSync(join(cwd, 'tools.ts'), tools.replace('n: number', 'n: number | null'));
  const stale = run(cwd, 'tools.ts', '--check');
  assert.deepEqual([stale.code, (stale.out as { fresh: boolean }).fresh], [1, false]);
});

test('prints only, with --out -', () => {
  const cwd = folder(tools);
  const { out } = run(cwd, 'tools.ts', '--out', '-');
  assert.deepEqual(out, { file: null, fresh: true, tools: [told], refused: [] });
  assert.ok(!existsSync(join(cwd, 'tools.schema.ts')));
});

test('what cannot be said is named with its place; on request the rest is written', () => {
  const cwd = folder(`${tools}export function pay(amount: bigint) {}\n`);
  const refused = run(cwd, 'tools.ts');
  assert.equal(refused.code, 2);
  assert.match(refused.err, /tools\.ts:2:21 pay\(amount\): JSON has no bigint/);
  assert.ok(!existsSync(join(cwd, 'tools.schema.ts')));
  const skipped = run(cwd, 'tools.ts', '--skip-refused');
  assert.equal(skipped.code, 0);
  assert.match(skipped.err, /^whet: tools\.ts:2:21 pay\(amount\)/);
  assert.deepEqual(
    (skipped.out as { tools: { name: string }[] }).tools.map(({ name }) => name),
    ['double'],
  );
});

test('a file that is not there, and a word that is not a command, are told', () => {
  const missing = run(root, 'nowhere.ts');
  assert.equal(missing.code, 2);
  assert.match(missing.err, /There is no file .*nowhere\.ts.*\[signature_file\]/);
});
