import type { JsonObject } from '../../../base/json/value.ts';
import { filled, text, name, number, amount, flag, names, when, record, listOf } from './piece.ts';
import { condition } from './shared.ts';

const judge = record(
  {
    prompt: text,
    votes: { anyOf: [{ type: 'integer', minimum: 1, maximum: 15 }, filled], description: '3 when left out' },
    model: { ...text, description: 'the model whose agreement was measured: provider/model' },
    agreement: { ...number, description: "measured agreement with people, as Cohen's kappa" },
  },
  ['prompt'],
);

/** The criteria of a scenario, by their groups. */
export const criteria: JsonObject = record({
  success: criterion({ required: flag, weight: amount, check: condition, judge }),
  failure: criterion({ fatal: flag, penalty: amount, check: condition, judge }),
  best_practices: criterion({ weight: amount, check: condition, judge }),
  rubrics: criterion({
    weight: amount,
    levels: listOf(
      record({ label: text, score: number, description: text, check: condition }, ['label', 'score']),
    ),
    judge,
  }),
  scope: criterion(
    {
      kind: {
        enum: ['may', 'must_refer', 'prohibited'],
        description: 'may: a call that its check names costs nothing, also where nothing expects it',
      },
      penalty: amount,
      check: condition,
      when_found: names,
    },
    ['check'],
  ),
  terminology: listOf(
    record(
      {
        id: name,
        avoid: { type: 'array', items: text, minItems: 1 },
        instead: text,
        penalty: amount,
        when,
      },
      ['id', 'avoid'],
    ),
  ),
});

function criterion(extra: JsonObject, required: readonly string[] = []): JsonObject {
  return listOf(record({ id: name, text, when, ...extra }, ['id', 'text', ...required]));
}
