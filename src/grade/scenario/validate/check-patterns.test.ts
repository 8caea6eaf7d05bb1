import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkPatterns } from './check-patterns.ts';

function toldOf(pattern: string): readonly string[] {
  const told: string[] = [];
  const json_schema = { type: 'object', properties: { code: { type: 'string', pattern } } };
  checkPatterns({ tools: [{ id: 'a' }, { id: 'b', json_schema }] }, (path, message) =>
    told.push(`${path.join('.')}: ${message}`),
  );
  return told;
}

test('a pattern that a repeated letter holds up for ever is told, with its place', () => {
  const [first] = toldOf('^(a+)+$');
  assert.match(
    first ?? '',
    /^tools\.1\.json_schema\.properties\.code\.pattern: A text of many "a" would hold the pattern up for ever/,
  );
  for (const endless of ['^(?:\\w+\\s?)*$', '^id: (x|x)*$', '^((b+)c?)+$'])
    assert.equal(toldOf(endless).length, 1, endless);
});

test('repetitions that share nothing are sound, and so is what is not an expression', () => {
  for (const sound of ['^(?:[a-z]+-)*[a-z]+$', '^[A-Z]{2}\\d+$', '^(?:\\d{4})+$', '(', '^(ab)*$'])
    assert.deepEqual(toldOf(sound), [], sound);
});
