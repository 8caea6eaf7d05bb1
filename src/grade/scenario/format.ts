import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { mannerNames } from './language/small-talk.ts';

/** A `${variable}` may stand wherever a value may; it is checked when a variant fills it in. */
const filled = {
  type: 'string',
  pattern: '^\\$\\{[\\w.-]+\\}$',
  description: 'a variable: ${name.field}',
} as const;

const text = { type: 'string' } as const;
const name = {
  type: 'string',
  pattern: '^[A-Za-z][\\w-]*$',
  description: 'a name of letters, digits, _ and -',
} as const;
const anything = {} as const;
const plainNumber = { type: 'number' } as const;
const number = { anyOf: [plainNumber, filled] } as const;
const flag = { anyOf: [{ type: 'boolean' }, filled] } as const;
const names = { anyOf: [{ type: 'array', items: name }, filled] } as const;
const patterns = {
  anyOf: [{ type: 'array', items: text, minItems: 1 }, text],
  description: 'patterns: words that must stand in one question; a|b choices, !not, =exact',
} as const;
const when = {
  type: 'object',
  description: 'only in variants where each of these variables has the given value, or one of a list',
  additionalProperties: anything,
} as const;
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
      date: record({ from: text, to: text }),
      quantity: text,
      schema: { type: ['object', 'boolean'] },
      absent: flag,
      present: flag,
      weight: number,
      after: names,
      required: flag,
      when,
    }),
  ],
  description:
    'a value (equal), or one matcher: equal, one_of, near, text, list, date, quantity, schema, absent, present',
};
const fields: JsonObject = { type: 'object', additionalProperties: { $ref: '#/$defs/field' } };
const condition: JsonObject = { $ref: '#/$defs/condition' };
const circumstance: JsonObject = { $ref: '#/$defs/circumstance' };
const steps: JsonObject = { type: 'array', items: { $ref: '#/$defs/step' } };
const judge = record(
  {
    prompt: text,
    votes: { anyOf: [{ type: 'integer', minimum: 1, maximum: 15 }, filled], description: '3 when left out' },
    model: { ...text, description: 'the model whose agreement was measured: provider/model' },
    agreement: { ...number, description: "measured agreement with people, as Cohen's kappa" },
  },
  ['prompt'],
);

function record(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

function listOf(items: JsonValue): JsonObject {
  return { type: 'array', items };
}

function criterion(extra: JsonObject, required: readonly string[] = []): JsonObject {
  return listOf(record({ id: name, text, when, ...extra }, ['id', 'text', ...required]));
}

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
      canary: text,
      author: text,
      vary: {
        type: 'object',
        description: 'axes: each a list of values, or {from, to, step}; a variant takes one value of each',
        additionalProperties: {
          anyOf: [
            { type: 'array', minItems: 1 },
            record({ from: plainNumber, to: plainNumber, step: plainNumber }, ['from', 'to']),
          ],
        },
      },
      briefing: text,
      documents: listOf(
        record({ file: text, title: text, for: { enum: ['operator', 'person', 'both', 'neither'] }, when }, [
          'file',
          'for',
        ]),
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
      world: { type: 'object' },
      code: { type: 'string', description: 'a TypeScript file beside this one that exports `tools`' },
      faults: listOf(record({ tool: name, times: number, error: text, when }, ['tool', 'error'])),
      person: record({
        name: text,
        manner: { anyOf: [{ enum: [...mannerNames] }, filled] },
        voice: {
          type: 'string',
          pattern: '^(?:rules|[^/\\s]+/\\S+|\\$\\{[\\w.-]+\\})$',
          description:
            'who finds its words: "rules", or a model as provider/model; what it may tell is decided by the rules',
        },
        speaks_first: { type: 'boolean' },
        opens: text,
        closes: text,
        about: text,
        rapport: number,
        synonyms: listOf({ type: 'array', items: text, minItems: 2 }),
        topics: listOf(record({ ask: patterns, says: text, when }, ['ask', 'says'])),
        acts: listOf(
          record({ id: name, ask: patterns, says: text, does: steps, when }, ['id', 'ask', 'says']),
        ),
        lines: { type: 'object', additionalProperties: text },
      }),
      facts: listOf(
        record(
          {
            id: name,
            is: text,
            says: text,
            reveal: { enum: ['volunteered', 'direct_question', 'rapport_required', 'hidden'] },
            ask: patterns,
            weight: number,
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
            weight: number,
            required: flag,
            after: names,
            follows: names,
            by_turn: number,
            session: number,
            input: fields,
            exemplar: anything,
            when,
          },
          ['call'],
        ),
      },
      criteria: record({
        success: criterion({ required: flag, weight: number, check: condition, judge }),
        failure: criterion({ fatal: flag, penalty: number, check: condition, judge }),
        best_practices: criterion({ weight: number, check: condition, judge }),
        rubrics: criterion({
          weight: number,
          levels: listOf(
            record({ label: text, score: number, description: text, check: condition }, ['label', 'score']),
          ),
          judge,
        }),
        scope: criterion(
          {
            kind: { enum: ['must_refer', 'prohibited'] },
            penalty: number,
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
              penalty: number,
              when,
            },
            ['id', 'avoid'],
          ),
        ),
      }),
      credit: record({
        discovery: plainNumber,
        calls: plainNumber,
        outputs: plainNumber,
        rubrics: plainNumber,
      }),
    },
    ['name', 'version', 'description', 'briefing', 'canary', 'tools', 'expect'],
  ),
  $defs: {
    field,
    condition: record({
      found: names,
      called: name,
      input: fields,
      by_turn: number,
      said: patterns,
      asked: patterns,
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
      error: text,
      reveals: names,
      when,
    }),
  },
};

const call = record({ name, input: anything, when }, ['name', 'input']);
const turn = record({
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
        description: 'how far apart two neighbours are at least',
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

/** The format of `collection.yaml`. */
export const collectionSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://whetstone.dev/collection.schema.json',
  title: 'Whetstone collection',
  ...record({
    name: text,
    description: text,
    splits: record({ train: listOf(name), validation: listOf(name), test: listOf(name) }),
  }),
};

/** The format of `questions.yaml`: questions that draw a fact out, and near misses that must not. */
export const questionsSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://whetstone.dev/questions.schema.json',
  title: 'Questions to the person of a Whetstone scenario',
  type: 'object',
  additionalProperties: record({ asked: listOf(text), not: listOf(text) }),
};

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
