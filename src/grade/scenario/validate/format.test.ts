import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { rounds, seed } from '../../../../test/rounds.ts';
import { seededRandom } from '../../../base/host/random.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { checkValue } from '../../../base/schema/check/check-at-once.ts';
import { lightCheck } from '../../../base/schema/check/light-check.ts';
import { published } from '../format/published.ts';
import { readYaml } from '../load/yaml.ts';

const scenarios = fileURLToPath(new URL('../../../../scenarios', import.meta.url));
const files = globSync('*/**/*.yaml', { cwd: scenarios }).map((file) => ({
  file,
  format: published[basename(file, '.yaml')]!,
  value: readYaml(readFileSync(`${scenarios}/${file}`, 'utf8'), file).value,
}));

test('the bundled files fit their formats', () => {
  assert.ok(files.length > 60);
  for (const { file, format, value } of files) assert.deepEqual(lightCheck(format).issues(value), [], file);
});

test('an expected date is one day or a range', () => {
  const { value } = files.find(({ file }) => file.includes('lumbar-strain/scenario'))!;
  const { issues } = lightCheck(published['scenario']!);
  const wanting = (date: JsonValue) => ({
    ...(value as JsonObject),
    expect: [{ call: 'claim_status', input: { day: { date } } }],
  });
  for (const date of ['2024-02-15', '${claim.iso}', { from: '2024-02-01' }])
    assert.deepEqual(issues(wanting(date)), []);
  for (const date of [20_240_215, { on: '2024-02-15' }]) assert.notDeepEqual(issues(wanting(date)), []);
});

test('the light check and the schema library agree on files of which something was changed', () => {
  const random = seededRandom(seed('formats'));
  const below = (count: number) => Math.floor(random() * count);
  const odd: readonly JsonValue[] = [
    ...[null, true, 0, -1, 1.5, 1e9, '', 'a', 'a b', '1a', '${who.name}', 'both', 'rules', 'x/y'],
    ...[[], ['a'], [1], {}, { absent: true }, { from: 1, to: 2 }, { toString: 1 }, { when: { a: 1 } }],
  ];
  const changed = (value: JsonValue, depth: number): JsonValue => {
    if (depth === 0 || typeof value !== 'object' || value === null) return odd[below(odd.length)]!;
    const keys = Object.keys(value);
    const key = keys[below(keys.length)] ?? '0';
    if (Array.isArray(value)) {
      const items = value as readonly JsonValue[];
      return items.map((item, at) => (String(at) === key ? changed(item, depth - 1) : item));
    }
    const { [key]: member = null, ...others } = value as JsonObject;
    const what = below(8);
    if (what === 0) return others;
    if (what === 1) return { ...others, [`${key}s`]: member };
    return { ...others, [key]: changed(member, depth - 1) };
  };
  let right = 0;
  const all = rounds(60);
  for (let round = 0; round < all; round++) {
    const { file, format, value } = files[below(files.length)]!;
    const one = changed(value, 1 + below(6));
    const issues = lightCheck(format).issues(one);
    const fits = lightCheck(format).holds(one);
    assert.equal(issues.length === 0, fits);
    assert.deepEqual(issues, checkValue(format, one), `${file}: ${JSON.stringify(one)}`);
    if (fits) right++;
  }
  assert.ok(right > 0 && right < all, `${right} of ${all}`);
});
