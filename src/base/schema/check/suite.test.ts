import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { checkValue, holds, loadChecker } from './check.ts';
import type { JsonSchema } from '../json-schema.ts';

const suite = new URL('../../../../../shared/data/json-schema-test-suite/', import.meta.url);
const absent = existsSync(suite) ? false : 'the JSON Schema test suite is not beside this checkout';

interface Group {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

const uris = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
};

await loadChecker();

for (const [draft, uri] of Object.entries(uris)) {
  test(`every required test of ${draft} passes`, { skip: absent }, () => {
    const { failed, passed } = runFolder(draft, uri, '', false);
    assert.deepEqual(failed, []);
    assert.ok(passed > 900);
  });

  test(`formats of ${draft} are asserted on demand`, { skip: absent }, (t) => {
    const { failed, passed } = runFolder(draft, uri, 'optional/format/', true);
    t.diagnostic(`${passed} of ${passed + failed.length}; not: ${failed.join('; ')}`);
    assert.ok(failed.length <= allowedToFail[draft as keyof typeof uris].format);
  });

  test(`the optional tests of ${draft} are counted`, { skip: absent }, (t) => {
    const { failed, passed } = runFolder(draft, uri, 'optional/', false);
    t.diagnostic(`${passed} of ${passed + failed.length}; not: ${failed.join('; ')}`);
    assert.ok(failed.length <= allowedToFail[draft as keyof typeof uris].optional);
  });
}

/** What is not read as the optional tests have it; docs/design/schema.md says why. */
const allowedToFail = { 'draft2020-12': { format: 1, optional: 2 }, draft7: { format: 1, optional: 6 } };

function runFolder(
  draft: string,
  uri: string,
  folder: string,
  formats: boolean,
): { failed: string[]; passed: number } {
  const remotes = readRemotes();
  const failed: string[] = [];
  let passed = 0;
  for (const file of readdirSync(new URL(`${draft}/${folder}`, suite)).filter((name) =>
    name.endsWith('.json'),
  )) {
    const groups = JSON.parse(
      readFileSync(new URL(`${draft}/${folder}${file}`, suite), 'utf8'),
    ) as readonly Group[];
    for (const group of groups) {
      const schema = withDraft(group.schema, uri);
      for (const one of group.tests) {
        let answer: boolean | string;
        try {
          answer = holds(schema, one.data, { formats, remotes });
          if (checkValue(schema, one.data, { formats, remotes }).length > 0 === answer)
            answer = 'issues differ';
        } catch (error) {
          answer = String(error);
        }
        if (answer === one.valid) passed++;
        else
          failed.push(
            `${file}: ${group.description}: ${one.description}${typeof answer === 'string' ? ` (${answer})` : ''}`,
          );
      }
    }
  }
  return { failed, passed };
}

/** A test that names no draft speaks the one of its folder. */
function withDraft(schema: JsonSchema, uri: string): JsonSchema {
  return typeof schema === 'boolean' || '$schema' in schema ? schema : { $schema: uri, ...schema };
}

function readRemotes(): Record<string, JsonSchema> {
  const remotes: Record<string, JsonSchema> = {};
  const root = new URL('remotes/', suite);
  for (const name of readdirSync(root, { recursive: true }) as string[])
    if (name.endsWith('.json'))
      remotes[`http://localhost:1234/${name}`] = JSON.parse(
        readFileSync(new URL(name, root), 'utf8'),
      ) as JsonSchema;
  return remotes;
}
