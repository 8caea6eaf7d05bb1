import assert from 'node:assert/strict';
import { test } from 'node:test';

import { repairCorpus } from '../../../../test/repair-corpus.ts';
import { rounds, seed } from '../../../../test/rounds.ts';
import { isWhetstoneError } from '../../host/errors.ts';
import { seededRandom } from '../../host/random.ts';
import { canonicalJson } from '../canonical.ts';
import { jsonEqual } from '../equal.ts';
import { repairJson } from './repair.ts';

for (const { fault, text, value } of repairCorpus) {
  test(`repairs ${fault}: ${JSON.stringify(text).slice(0, 60)}`, () => {
    const repaired = repairJson(text);
    assert.deepStrictEqual(repaired.value, value);
    const isJson = isExact(text);
    assert.equal(repaired.changes.length === 0, isJson && jsonEqual(JSON.parse(text), value));
    for (const change of repaired.changes) assert(change.note.length > 0 && change.offset <= text.length);
  });
}

function isExact(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('says what it changed, and where', () => {
  const { changes } = repairJson("Call:\n{'a': True, b: 1,}");
  assert.deepEqual(
    changes.map(({ kind, offset }) => `${kind} ${offset}`),
    ['prose 0', 'quotes 7', 'literal 12', 'unquoted-key 18', 'trailing-comma 22'],
  );
});

test('leaves JSON as it is, and does not open strings that are only text', () => {
  for (const text of [
    '{"a":[1,"x"]}',
    '"{not json"',
    '"text"',
    '12',
    ' null ',
    '"[a]"',
    '"[see below], {name}"',
  ]) {
    assert.deepEqual(repairJson(text), { value: JSON.parse(text) as unknown, changes: [] });
  }
});

test('refuses a text without JSON in it', () => {
  for (const text of [
    '',
    '   ',
    'I cannot help with that.',
    'Use {name} or [see below].',
    '```\ncode\n```',
  ]) {
    assert.throws(() => repairJson(text), { code: 'json_repair' }, text);
  }
  assert.throws(() => repairJson(null as unknown as string), { code: 'json_input' });
});

test('says that a bracket was closed by another kind', () => {
  assert.deepEqual(repairJson('[1, 2)').value, [1, 2]);
  assert.equal(repairJson('[1, 2)').changes[0]?.note, '"]" was written as ")".');
  assert.equal(repairJson('{"a": (1, 2]}').changes.at(-1)?.note, '")" was written as "]".');
});

test('is not brought down by depth, width or noise', () => {
  assert.equal(repairJson('['.repeat(100_000)).changes.length, 100_000);
  assert.equal((repairJson(`[${'1 '.repeat(50_000)}`).value as unknown[]).length, 50_000);
  const random = seededRandom(seed('repair'));
  const parts = [
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ':',
    ',',
    ' ',
    '\n',
    '\\',
    'a',
    '1',
    'true',
    'None',
    '//',
    '/*',
    '#',
    '...',
    '```',
    '"a":',
    '"b"',
    '“',
    '+',
    '(',
    ')',
    '.',
    '-',
    '\\u00',
  ];
  for (let left = rounds(3_000); left > 0; left--) {
    let text = random() < 0.5 ? '{' : '';
    for (let size = Math.floor(random() * 25); size > 0; size--) {
      text += parts[Math.floor(random() * parts.length)] as string;
    }
    try {
      const { value, changes } = repairJson(text);
      assert(typeof canonicalJson(value) === 'string');
      assert(changes.length > 0 || isExact(text), JSON.stringify(text));
    } catch (error) {
      assert(
        isWhetstoneError(error) && error.code === 'json_repair',
        `${JSON.stringify(text)}: ${String(error)}`,
      );
    }
  }
});
