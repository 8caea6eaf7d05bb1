import type { JsonObject } from '../../../base/json/value.ts';
import { text, record, listOf } from './piece.ts';

/** The format of `questions.yaml`: questions that draw a fact out, and near misses that must not. */
export const questionsSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://whetstone.dev/questions.schema.json',
  title: 'Questions to the person of a Whetstone scenario',
  type: 'object',
  additionalProperties: record({ asked: listOf(text), not: listOf(text) }),
};
