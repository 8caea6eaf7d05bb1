import type { JsonObject } from '../../../base/json/value.ts';
import { generalQuestions } from '../general.ts';
import { mannerNames } from '../manner.ts';
import type { LineName } from '../manner.ts';
import { criteria } from './criteria.ts';
import {
  filled,
  text,
  name,
  anything,
  plainNumber,
  number,
  amount,
  flag,
  names,
  patterns,
  when,
  record,
  listOf,
} from './piece.ts';
import { fields, circumstance, steps, shared } from './shared.ts';

const credit = { type: 'number', minimum: 0 } as const;

/** What a person says of its own where the scenario does. */
const lines: Readonly<Record<LineName, JsonObject>> = {
  greeting: text,
  howAreYou: text,
  ready: text,
  nothingElse: text,
  thanks: text,
  empathy: text,
  farewell: text,
  insult: text,
  notUnderstood: text,
  notKnown: text,
  tooMuch: text,
  more: text,
  again: text,
  deflect: text,
  notYet: text,
  mustGo: text,
  refuse: text,
  listening: text,
  sameAgain: text,
  waits: text,
  closing: text,
};

/** The format of `scenario.yaml`, as a JSON Schema: published, so that editors know it. */
export const scenarioSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://whetstone.dev/scenario.schema.json',
  title: 'Whetstone scenario',
  ...record(
    {
      name: text,
      version: text,
      description: text,
      shape: { enum: ['decision', 'conversation', 'journey'] },
      kind: { ...text, description: 'what sort of work it is, in a word or two: for tables' },
      canary: { type: 'string', minLength: 1 },
      author: text,
      vary: {
        type: 'object',
        description: 'axes: each a list of values, or {from, to, step}; a variant takes one value of each',
        additionalProperties: {
          anyOf: [
            { type: 'array', minItems: 1 },
            record({ from: plainNumber, to: plainNumber, step: { type: 'number', exclusiveMinimum: 0 } }, [
              'from',
              'to',
            ]),
          ],
        },
      },
      derive: {
        type: 'object',
        description:
          'what follows from the axes: each a list of {when, is}; a variant takes the first whose "when" holds, and the last has none. Under "every" the value is a list of all that hold, under "sum" what they add up to',
        additionalProperties: {
          anyOf: [
            listOf(record({ when, is: anything }, ['is'])),
            record({ every: listOf(record({ when, is: anything }, ['is'])) }, ['every']),
            record({ sum: listOf(record({ when, is: anything }, ['is'])) }, ['sum']),
          ],
        },
      },
      briefing: text,
      documents: listOf(
        record(
          {
            file: text,
            title: text,
            for: {
              enum: ['operator', 'person', 'both', 'neither'],
              description:
                'operator: it is in the briefing; person: the person reads it out when asked; neither: only a step with "document" shows it',
            },
            ask: patterns,
            reveals: { ...names, description: 'facts that come out when the person reads it out' },
            when,
          },
          ['file', 'for'],
        ),
      ),
      limits: record({
        turns: { type: 'integer', minimum: 1, maximum: 50 },
        reads: { type: 'integer', minimum: 0 },
      }),
      ends: names,
      tools: {
        type: 'array',
        minItems: 1,
        items: record(
          {
            id: name,
            type: { enum: ['artifact', 'decision', 'function'] },
            name: text,
            description: text,
            mode: { enum: ['json_schema', 'options'] },
            json_schema: { type: ['object', 'boolean'] },
            options: { anyOf: [{ type: 'array', items: text, minItems: 1 }, filled] },
            writes: {
              type: 'boolean',
              description: 'a function that changes the world; told from its steps otherwise',
            },
            steps,
          },
          ['id', 'type'],
        ),
      },
      world: {
        type: 'object',
        description:
          'what the tools act on; with `page: ./folder` the pages of that folder in a browser, which are given the rest',
      },
      code: { type: 'string', description: 'a TypeScript file next to this one that exports `tools`' },
      faults: listOf(record({ tool: name, times: amount, error: text, when }, ['tool', 'error'])),
      person: record({
        name: text,
        manner: { anyOf: [{ enum: [...mannerNames] }, filled] },
        voice: {
          type: 'string',
          pattern: '^(?:rules|[^/\\s]+/\\S+|\\$\\{[\\w.-]+\\})$',
          description:
            'who finds its words: "rules", or a model as provider/model; what it may tell is decided by the rules',
        },
        hearing: {
          enum: ['rules', 'model'],
          description:
            'who hears what is asked for: "rules" alone, or a "model", without which it is not played; either when left out',
        },
        speaks_first: { type: 'boolean' },
        opens: text,
        closes: text,
        about: text,
        rapport: amount,
        synonyms: listOf({ type: 'array', items: text, minItems: 2 }),
        general: {
          ...record(Object.fromEntries(Object.keys(generalQuestions).map((question) => [question, text]))),
          description: 'answers to what anybody may be asked; their patterns are built in',
        },
        topics: listOf(record({ ask: patterns, says: text, when }, ['ask', 'says'])),
        acts: listOf(
          record({ id: name, ask: patterns, says: text, does: steps, when }, ['id', 'ask', 'says']),
        ),
        goals: {
          ...listOf(text),
          description:
            'what the person wants from the conversation: for readers, and for a model that speaks',
        },
        moves: listOf(
          record(
            {
              id: name,
              said: { ...patterns, description: 'the operator says, offers or asks so' },
              if: circumstance,
              session: number,
              turn: { ...amount, description: 'from this turn of its session on' },
              times: { ...amount, description: 'how often at most: once when left out' },
              says: text,
              does: steps,
              reveals: names,
              when,
            },
            ['id', 'says'],
          ),
        ),
        lines: record(lines),
      }),
      facts: listOf(
        record(
          {
            id: name,
            is: text,
            says: text,
            reveal: { enum: ['volunteered', 'direct_question', 'rapport_required', 'hidden'] },
            ask: patterns,
            weight: amount,
            after: names,
            session: number,
            deflects: text,
            when,
          },
          ['id'],
        ),
      ),
      sessions: listOf(
        record({
          briefing: text,
          opens: { anyOf: [text, listOf(record({ if: circumstance, says: text, when }, ['says']))] },
          ends: names,
          turns: number,
          sets: listOf(record({ if: circumstance, set: { type: 'object' }, when }, ['set'])),
        }),
      ),
      expect: {
        type: 'array',
        minItems: 1,
        items: record(
          {
            id: name,
            call: name,
            weight: amount,
            required: flag,
            after: names,
            follows: names,
            way: { ...name, description: 'of several right ways one: only the best that was gone counts' },
            by_turn: amount,
            session: number,
            input: fields,
            exemplar: anything,
            when,
          },
          ['call'],
        ),
      },
      criteria,
      credit: record({
        discovery: credit,
        calls: credit,
        outputs: credit,
        rubrics: credit,
      }),
    },
    ['name', 'version', 'description', 'briefing', 'canary', 'tools', 'expect'],
  ),
  $defs: shared,
};
