import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Notes } from './ir.ts';
import { allLimits } from './limits.ts';

/** What keywords are about, as bits: a reader looks for those of which a schema has any, and most have two or three. */
export const kind = {
  reference: 1,
  choice: 2,
  condition: 4,
  note: 8,
  values: 16,
  limit: 32,
  member: 64,
  item: 128,
} as const;

const keywordsOf: Readonly<Record<keyof typeof kind, readonly string[]>> = {
  reference: ['$ref', '$dynamicRef'],
  choice: ['allOf', 'anyOf', 'oneOf'],
  condition: ['if', 'then', 'else', 'not', 'dependentRequired', 'dependentSchemas', 'dependencies'],
  note: [
    'title',
    'description',
    'default',
    'examples',
    'example',
    'deprecated',
    'readOnly',
    'writeOnly',
    '$comment',
  ],
  values: ['const', 'enum'],
  limit: [...allLimits],
  member: ['properties', 'required', 'additionalProperties', 'patternProperties'],
  item: ['items', 'prefixItems', 'additionalItems'],
};

const kindOf: ReadonlyMap<string, number> = new Map(
  Object.entries(keywordsOf).flatMap(([name, keywords]) =>
    keywords.map((keyword) => [keyword, kind[name as keyof typeof kind]] as const),
  ),
);

/** The kinds of all keywords of a schema. */
export function kindsIn(schema: object): number {
  let kinds = 0;
  for (const keyword in schema) kinds |= kindOf.get(keyword) ?? 0;
  return kinds;
}

/** What a schema says to a reader. */
export function notesOf(schema: JsonObject): Notes {
  const notes: Record<string, JsonValue> = {};
  for (const keyword in schema)
    if (kindOf.get(keyword) === kind.note) notes[keyword] = schema[keyword] as JsonValue;
  return notes;
}
