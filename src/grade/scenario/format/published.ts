import type { JsonObject } from '../../../base/json/value.ts';
import { collectionSchema } from './collection.ts';
import { labelsSchema } from './labels.ts';
import { pathsSchema } from './paths.ts';
import { questionsSchema } from './questions.ts';
import { scenarioSchema } from './scenario.ts';

/** The formats that editors and people read, by the name of their file in `scenarios/`. */
export const published: Readonly<Record<string, JsonObject>> = {
  scenario: scenarioSchema,
  paths: pathsSchema,
  questions: questionsSchema,
  labels: labelsSchema,
  collection: collectionSchema,
};
