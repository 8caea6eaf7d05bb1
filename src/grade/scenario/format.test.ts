import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import type { JsonObject } from '../../base/json/value.ts';
import { collectionSchema, labelsSchema, pathsSchema, questionsSchema, scenarioSchema } from './format.ts';

test('the published schemas are those that the catalog checks with', () => {
  const schemas: Readonly<Record<string, JsonObject>> = {
    scenario: scenarioSchema,
    paths: pathsSchema,
    questions: questionsSchema,
    labels: labelsSchema,
    collection: collectionSchema,
  };
  for (const [name, schema] of Object.entries(schemas)) {
    const file = new URL(`../../../scenarios/${name}.schema.json`, import.meta.url);
    assert.deepEqual(
      JSON.parse(readFileSync(file, 'utf8')),
      schema,
      `run node scripts/write-scenario-schemas.ts (${name})`,
    );
  }
});
