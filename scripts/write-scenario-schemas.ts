import { writeFileSync } from 'node:fs';

import {
  collectionSchema,
  labelsSchema,
  pathsSchema,
  questionsSchema,
  scenarioSchema,
} from '../src/grade/scenario/format.ts';

/** Writes the published schemas anew: `node scripts/write-scenario-schemas.ts`. A test sees that they are current. */
const schemas = {
  scenario: scenarioSchema,
  paths: pathsSchema,
  questions: questionsSchema,
  labels: labelsSchema,
  collection: collectionSchema,
};
for (const [name, schema] of Object.entries(schemas))
  writeFileSync(
    new URL(`../scenarios/${name}.schema.json`, import.meta.url),
    `${JSON.stringify(schema, undefined, 2)}\n`,
  );
