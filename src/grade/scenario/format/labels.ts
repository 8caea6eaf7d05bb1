import type { JsonObject } from '../../../base/json/value.ts';
import { turn } from './paths.ts';
import { name, record, listOf } from './piece.ts';

/** The format of `labels.yaml`: conversations with what people said of them, to measure judges by. */
export const labelsSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://whetstone.dev/labels.schema.json',
  title: 'Conversations judged by people, for a Whetstone scenario',
  ...listOf(
    record(
      {
        id: name,
        variant: { type: 'integer', minimum: 0 },
        turns: listOf(turn),
        labels: {
          type: 'object',
          description: 'for each judged criterion true or false, or the label of the level of a rubric',
          additionalProperties: { type: ['boolean', 'string'] },
          minProperties: 1,
        },
      },
      ['id', 'turns', 'labels'],
    ),
  ),
};
