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

test('what is not YAML is told with its line', () => {
  const faultOf = (text: string) => {
    const [fault] = readYaml(text, 'a.yaml').faults;
    return `${fault?.place.line}: ${fault?.message}`;
  };
  const faults: readonly (readonly [string, RegExp])[] = [
    ['a: 1\nb:\n\t- c\n', /^3: A tab is in the indentation/],
    ['a: 1\na: 2\n', /^2: "a" is here twice/],
    ['a: [1, 2\nb: 3\n', /^2: A bracket or a quote from above is not closed before this/],
    ["a: 'one\nb: 3\n", /^2: A bracket or a quote from above is not closed/],
    ['a: 1\n---\nb: 2\n', /^2: A second document begins here/],
    ['---\na: 1\n---\nb: 2\n', /^3: A second document begins here/],
    ['# nothing\n', /^1: The file is empty/],
    ['', /^1: The file is empty/],
    ['a: b\n c: d\n', /^2: This is not YAML: bad indentation.*Look at the indentation/],
    ['a: \0', /^1: A NUL byte/],
    [`a: ${'['.repeat(200)}`, /^1: The brackets are nested deeper/],
    ['a: &x\n  b: *x\n', /^2: This contains itself/],
  ];
  for (const [text, said] of faults) assert.match(faultOf(text), said);
});

test('a text that wants quotes is told so, with its line', () => {
  const faults: readonly (readonly [string, RegExp])[] = [
    ['says: I did this: nothing', /A text with a colon and a space in it needs quotes/],
    ['says: "I" did', /begins with a quote ends with it/],
    ["{ says: 'It's me' }", /an apostrophe is written twice/],
    ['says: *really* so', /begins with \* needs quotes/],
    ['says: *nobody', /begins with \* needs quotes/],
    ['says: !not so', /begins with ! needs quotes/],
    ['says: @home', /begins with @ needs quotes/],
    ['says: %50 of it', /begins with % needs quotes/],
    ['says: [sighs] I do', /begins with \[ needs quotes/],
    ['input: { value: ${case.kind} }', /a variable needs quotes/],
    // All of this is YAML, and means something else than it says.
    ['says: &I do', /"&I" names what follows, and no \*I asks for it/],
    ['says: in flat #3 of it', /The text ends before this #/],
    ['{ says: on Monday, or later }', /"or later" has no value/],
  ];
  for (const [text, said] of faults) {
    const { faults: found, value } = readYaml(`# one\n${text}\n`, 'a.yaml');
    assert.equal(value, null, text);
    assert.match(`${found[0]!.place.line}: ${found[0]!.message}`, new RegExp(`^2: .*${said.source}`), text);
  }
  for (const sound of ['says: in flat # three', 'a: &x 1\nb: *x', '{ a: null, b: ~ }', "a: 'b #3'", 'a: b#3'])
    assert.deepEqual(readYaml(sound, 'a.yaml').faults, [], sound);
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
