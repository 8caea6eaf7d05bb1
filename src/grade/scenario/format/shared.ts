import type { JsonObject } from '../../../base/json/value.ts';
import {
  filled,
  text,
  name,
  anything,
  number,
  amount,
  flag,
  names,
  patterns,
  when,
  record,
  listOf,
} from './piece.ts';

const field: JsonObject = {
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null', 'array'] },
    record({
      equal: anything,
      one_of: { anyOf: [{ type: 'array', minItems: 1 }, filled] },
      near: number,
      within: number,
      percent: number,
      text: {
        anyOf: [
          text,
          record({
            like: text,
            at_least: number,
            contains: listOf(text),
            says: patterns,
            matches: text,
            at_most_words: number,
          }),
        ],
      },
      list: { anyOf: [{ type: 'array' }, filled] },
      ordered: flag,
      extra: { enum: ['allowed', 'counted'] },
      at_least: number,
      date: { anyOf: [text, record({ from: text, to: text })] },
      quantity: text,
      schema: { type: ['object', 'boolean'] },
      absent: flag,
      present: flag,
      weight: amount,
      after: names,
      required: flag,
      when,
    }),
  ],
  description:
    'a value (equal), or one matcher: equal, one_of, near, text, list, date, quantity, schema, absent, present',
};
export const fields: JsonObject = { type: 'object', additionalProperties: { $ref: '#/$defs/field' } };
export const condition: JsonObject = { $ref: '#/$defs/condition' };
export const circumstance: JsonObject = { $ref: '#/$defs/circumstance' };
export const steps: JsonObject = { type: 'array', items: { $ref: '#/$defs/step' } };

/** What several members of a scenario are made of, under `$defs` of its format. */
export const shared: JsonObject = {
  field,
  condition: record({
    found: names,
    called: name,
    input: fields,
    by_turn: number,
    said: patterns,
    asked: patterns,
    advises: patterns,
    claims: patterns,
    wrote: text,
    courtesy: listOf({
      enum: [
        'greeting',
        'introduction',
        'thanks',
        'empathy',
        'reassurance',
        'farewell',
        'insult',
        'howAreYou',
        'asksToBegin',
        'checksIn',
        'anythingElse',
      ],
    }),
    world: fields,
    turns_at_most: number,
    all: listOf(condition),
    any: listOf(condition),
    not: condition,
    when,
  }),
  circumstance: record({
    found: names,
    missed: names,
    called: name,
    not_called: name,
    value: anything,
    world: { type: 'object' },
  }),
  step: record({
    if: { type: 'object' },
    set: { type: 'object' },
    read: text,
    find: record({ in: text, where: { type: 'object' } }, ['in', 'where']),
    answer: anything,
    document: { ...text, description: 'answers with the text of one of the documents' },
    error: text,
    reveals: names,
    when,
  }),
};
