import type { JsonObject } from '../../../base/json/value.ts';
import { text, name, anything, when, record, listOf } from './piece.ts';

const call = record({ name, input: anything, when }, ['name', 'input']);
/** One turn of a written conversation. */
export const turn = record({
  say: text,
  calls: listOf(call),
  gold: {
    anyOf: [
      { type: 'integer', minimum: 1 },
      { type: 'string', pattern: '^\\d+(?:-\\d+)?$' },
    ],
    description: 'turns of the gold path: 3, or 1-4',
  },
  when,
});

/** The format of `paths.yaml`: the gold path and the flawed ones, from the best to the worst. */
export const pathsSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://whetstone.dev/paths.schema.json',
  title: 'Paths through a Whetstone scenario',
  ...record(
    {
      gold: listOf(turn),
      margin: {
        type: 'number',
        minimum: 0,
        maximum: 1,
        description: 'the least distance between two neighbours',
      },
      flawed: listOf(
        record(
          {
            id: name,
            kind: { enum: ['too_early', 'wrong_input', 'harmful', 'aimless', 'incomplete', 'other'] },
            turns: listOf(turn),
            at_most: { type: 'number', minimum: 0, maximum: 1 },
            at_least: { type: 'number', minimum: 0, maximum: 1 },
            verdicts: {
              type: 'object',
              description:
                'what a good judge says of it, from 0 to 1; what is not named, as the path would wish',
              additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
            },
            when,
          },
          ['id', 'kind', 'turns'],
        ),
      ),
    },
    ['gold'],
  ),
};
