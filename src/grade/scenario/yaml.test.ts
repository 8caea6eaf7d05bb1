import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readYaml } from './yaml.ts';

/** The place of the value at a path, as `line:column`. */
function placeOf(text: string, path: readonly (string | number)[]): string {
  const { line, column } = readYaml(text, 'a.yaml').locate(path);
  return `${line}:${column}`;
}

test('a place is that of the name of a member, and of an item itself', () => {
  const text = `# head
name: x
list:
  - { id: a, deep: { "quoted": [1, 'two'] } }
  - id: b
    text: |
      a block
    last: &here [3]
more: *here
`;
  assert.equal(placeOf(text, []), '2:1');
  assert.equal(placeOf(text, ['list']), '3:1');
  assert.equal(placeOf(text, ['list', 0]), '4:5');
  assert.equal(placeOf(text, ['list', 0, 'deep', 'quoted']), '4:22');
  assert.equal(placeOf(text, ['list', 0, 'deep', 'quoted', 1]), '4:36');
  assert.equal(placeOf(text, ['list', 1, 'id']), '5:5');
  assert.equal(placeOf(text, ['list', 1, 'last']), '8:5');
  assert.equal(placeOf(text, ['more', 0]), '9:1');
});

test('what is not there is placed at the nearest value above it', () => {
  const text = 'a:\n  - b: 1\n';
  assert.equal(placeOf(text, ['a', 0, 'c', 'd']), '2:5');
  assert.equal(placeOf(text, ['a', 7]), '1:1');
  assert.equal(placeOf(text, ['z']), '1:1');
});

test('what is no YAML is told with its line', () => {
  const faultOf = (text: string) => {
    const [fault] = readYaml(text, 'a.yaml').faults;
    return `${fault?.place.line}: ${fault?.message}`;
  };
  assert.match(faultOf('a: 1\nb:\n\t- c\n'), /^3: A tab stands in the indentation/);
  assert.match(faultOf('a: 1\na: 2\n'), /^2: This is no YAML: duplicated mapping key/);
  assert.match(faultOf('a: [1, 2\nb: 3\n'), /^2: This is no YAML/);
  assert.match(faultOf('a: *nobody\n'), /^1: This is no YAML: unidentified alias/);
  assert.match(faultOf('a: 1\n---\nb: 2\n'), /^1: This is no YAML: expected a single document/);
  assert.match(faultOf('# nothing\n'), /^1: This is no YAML/);
});

test('a tab is no fault where JSON has one', () => {
  assert.deepEqual(readYaml('{\n\t"a": [\n\t\t1\n\t]\n}\n', 'a.json').value, { a: [1] });
});

test('values are those of JSON: dates, infinities and yes are words', () => {
  assert.deepEqual(readYaml('[2026-11-21, .inf, -.inf, .nan, yes, 0x1F, 1e3, ~, true]', 'a.yaml').value, [
    '2026-11-21',
    '.inf',
    '-.inf',
    '.nan',
    'yes',
    31,
    1000,
    null,
    true,
  ]);
});

test('aliases cannot make a small file a huge value', () => {
  const levels = Array.from({ length: 12 }, (_, level) =>
    level === 0
      ? 'l0: &l0 [x, x]'
      : `l${level}: &l${level} [${Array(9)
          .fill(`*l${level - 1}`)
          .join(', ')}]`,
  );
  assert.match(readYaml(levels.join('\n'), 'a.yaml').faults[0]?.message ?? '', /alias/);
});
