import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const whet = fileURLToPath(new URL('../../../../bin/whet.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'whet-benchmark-'));
after(() => rmSync(folder, { recursive: true }));

for (const each of ['data', 'possible_answer']) mkdirSync(join(folder, each));
const described = {
  name: 'math.half',
  parameters: { type: 'dict', properties: { of: { type: 'integer' } }, required: ['of'] },
};
writeFileSync(
  join(folder, 'data/simple.jsonl'),
  `${JSON.stringify({ id: 'simple_0', question: 'Half of 5?', function: described })}\n`,
);
writeFileSync(
  join(folder, 'possible_answer/simple.jsonl'),
  `${JSON.stringify({ id: 'simple_0', ground_truth: { 'math.half': { of: [5] } } })}\n`,
);

function score(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [whet, 'benchmark', 'score', ...args], {
    input,
    encoding: 'utf8',
  });
  const answers = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { status, answers, stderr };
}

test('whet benchmark score answers each line in order, and a bad line stops no other', () => {
  const lines = [
    '{"id":"a","task":"simple_0","calls":[{"name":"math.half","arguments":{"of":5}}]}',
    'not JSON',
    '{"id":"b","task":"simple_1","calls":[]}',
    '[]',
    '',
    '{"id":"c","calls":[]}',
    '{"id":"d","task":"simple_0"}',
    '{"task":"simple_0","calls":[]}',
    // U+2028 may be part of a text, and ends no line.
    '{"id":"e\u2028","task":"simple_0","calls":[{"math.half":{"of":5.0}}]}',
  ];
  const { status, answers } = score(['bfcl', '--data', folder], lines.join('\r\n'));
  assert.equal(status, 1);
  assert.deepEqual(
    answers.map(({ id, valid, error_type: type, error }) => [
      id,
      valid ?? (error as { readonly code: string }).code,
      type,
    ]),
    [
      ['a', true, undefined],
      [null, 'json_syntax', undefined],
      ['b', 'benchmark_line', undefined],
      [null, 'benchmark_line', undefined],
      ['c', 'benchmark_line', undefined],
      ['d', 'benchmark_line', undefined],
      [null, 'benchmark_line', undefined],
      ['e\u2028', false, 'type_error:simple'],
    ],
  );
});

test('whet benchmark score ends with 0 where every line had an answer', () => {
  const line = '{"id":"a","task":"simple_0","calls":null}';
  const file = join(folder, 'lines.jsonl');
  writeFileSync(file, line);
  const { status, answers } = score(['bfcl', '--data', folder, file]);
  assert.equal(status, 0);
  assert.deepEqual(
    answers.map(({ error_type: type }) => type),
    ['ast_decoder:decoder_failed'],
  );
});

test('whet benchmark score says what was used wrongly, and ends with 2', () => {
  const other = score(['bench', '--data', folder]);
  assert.equal(other.status, 2);
  assert.match(other.stderr, /no benchmark "bench"\. Known: .*bfcl/);
  const empty = score(['bfcl', '--data', join(folder, 'data')]);
  assert.equal(empty.status, 2);
  assert.match(empty.stderr, /looked for .*BFCL_v4_.*benchmark_data/);
  assert.equal(score(['bfcl']).status, 2);
  assert.equal(score(['bfcl', '--data', folder, join(folder, 'absent.jsonl')]).status, 2);
});
