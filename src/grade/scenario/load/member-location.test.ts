import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { findMember } from './member-location.ts';

/** What is written at the place of a member, up to the end of its line; nothing where no place is sure. */
function writtenAt(text: string, path: readonly (string | number)[]): string | undefined {
  const at = findMember(text, path);
  return at === undefined ? undefined : text.slice(at).split('\n')[0];
}

const text = `import { scenario } from 'whetstone/scenario';
// scenario({ name: 'in a comment' })
const tools = [{ id: 'elsewhere' }];
const more = [{ id: 'more' }];
export default scenario({
  name: 'It is {not: a brace}', // expect: [
  "canary": \`a \${name} in a template, } and all\`,
  vary: { case: [1, 2].map((n) => ({ n, text: /["'{]/.test('x') ? 'a' : 'b' })) },
  tools,
  facts: [
    { id: 'first', ask: ['how cold', 'what, then'] },
    { id: 'second', is: \`two\` } as const,
    ...more,
    { id: 'after a spread' },
  ],
  world: { ...base, n: 1 },
  limits: { turns: 12, ['re' + 'ads']: 3 },
  code: {
    look(world, { by }) { return { output: world.n < by, reveals: ['first'] }; },
    count: (world) => ({ output: [world.n, 1] }),
  },
  person: isLate ? { name: 'Ada' } : { name: 'Sam' },
  expect: [{ call: 'look', after: ['first'] }, { call: generic<A, B>(1), weight: 2 }],
});
`;

test('a member that is written out is found, and an item too', () => {
  assert.equal(writtenAt(text, []), '{');
  assert.equal(writtenAt(text, ['name']), "name: 'It is {not: a brace}', // expect: [");
  assert.match(writtenAt(text, ['canary'])!, /^"canary"/);
  assert.equal(writtenAt(text, ['facts', 0, 'ask', 1]), "'what, then'] },");
  assert.equal(writtenAt(text, ['facts', 1, 'is']), 'is: `two` } as const,');
  assert.equal(
    writtenAt(text, ['expect', 0, 'after', 0]),
    "'first'] }, { call: generic<A, B>(1), weight: 2 }],",
  );
  assert.match(writtenAt(text, ['code', 'look'])!, /^look\(world/);
  assert.match(writtenAt(text, ['code', 'count'])!, /^count: /);
});

test('what is calculated, spread, chosen or brought from elsewhere is placed above it', () => {
  assert.match(writtenAt(text, ['vary', 'case', 0, 'n'])!, /^case: \[1, 2\]\.map/);
  assert.equal(writtenAt(text, ['tools', 0, 'id']), 'tools,');
  assert.equal(writtenAt(text, ['facts', 3, 'id']), 'facts: [');
  assert.match(writtenAt(text, ['world', 'n'])!, /^world: /);
  assert.match(writtenAt(text, ['limits', 'turns'])!, /^limits: /);
  assert.match(writtenAt(text, ['person', 'name'])!, /^person: isLate/);
  assert.match(writtenAt(text, ['expect', 1, 'weight'])!, /^\{ call: generic/);
  assert.equal(writtenAt(text, ['briefing']), '{');
});

test('where the text leaves a doubt, there is no place at all', () => {
  for (const doubtful of [
    'export default scenario(written);',
    'scenario({ name: 1 }); scenario({ name: 2 });',
    'export default scenario({ name: `a ${b ? `c` : `d`}` });',
    'export default scenario({ name: `a ${{ b: 1 }.b}` });',
    "export default scenario({ name: 'open });",
    'export default other.scenario({ name: 1 });',
    '',
  ])
    assert.equal(findMember(doubtful, ['name']), undefined, doubtful);
});

test('each member of the bundled scenario in TypeScript that is on a line is found on it', () => {
  const file = new URL('../../../../scenarios/customer-support/partial-return/scenario.ts', import.meta.url);
  const source = readFileSync(file, 'utf8');
  for (const name of ['name', 'briefing', 'tools', 'facts', 'expect', 'code'])
    assert.match(writtenAt(source, [name])!, new RegExp(`^${name}\\b`));
  assert.match(writtenAt(source, ['tools', 1, 'id'])!, /^id: /);
});
