import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Tag } from './doc.ts';

/** What a tag says about a value, by the type of schema that it belongs on. */
const keywords: Readonly<
  Record<string, { readonly on: readonly string[]; readonly of: 'number' | 'count' | 'text' | 'flag' }>
> = {
  minimum: { on: ['number', 'integer'], of: 'number' },
  maximum: { on: ['number', 'integer'], of: 'number' },
  exclusiveMinimum: { on: ['number', 'integer'], of: 'number' },
  exclusiveMaximum: { on: ['number', 'integer'], of: 'number' },
  multipleOf: { on: ['number', 'integer'], of: 'number' },
  minLength: { on: ['string'], of: 'count' },
  maxLength: { on: ['string'], of: 'count' },
  pattern: { on: ['string'], of: 'text' },
  format: { on: ['string'], of: 'text' },
  minItems: { on: ['array'], of: 'count' },
  maxItems: { on: ['array'], of: 'count' },
  uniqueItems: { on: ['array'], of: 'flag' },
  minProperties: { on: ['object'], of: 'count' },
  maxProperties: { on: ['object'], of: 'count' },
};

/** Tags that say something about a value, in whatever type. */
const freeTags = new Set([
  'default',
  'defaultValue',
  'example',
  'examples',
  'title',
  'deprecated',
  'integer',
  'int',
  'asType',
  'type',
]);

export function isKeywordTag(tag: Tag): boolean {
  return tag.name in keywords || freeTags.has(tag.name);
}

/** The schema with what its tags say; `refuse` hears of tags that cannot be meant. */
export function withTags(
  schema: JsonObject,
  tags: readonly Tag[],
  refuse: (reason: string) => void,
): JsonObject {
  let told: JsonObject = schema;
  for (const tag of tags) {
    const keyword = keywords[tag.name];
    if (keyword === undefined) {
      told = withFreeTag(told, tag, refuse);
      continue;
    }
    const value = valueOf(tag, keyword.of);
    if (value === undefined) {
      refuse(`@${tag.name} needs ${keyword.of === 'text' ? 'a text' : `a ${keyword.of}`}, not "${tag.text}"`);
    } else if (!typesOf(told).some((type) => keyword.on.includes(type))) {
      refuse(`@${tag.name} says nothing about ${nounOf(told)}: it belongs to ${keyword.on.join(' or ')}`);
    } else told = { ...told, [tag.name]: value };
  }
  return told;
}

function withFreeTag(schema: JsonObject, tag: Tag, refuse: (reason: string) => void): JsonObject {
  switch (tag.name) {
    case 'title':
      return { ...schema, title: tag.text };
    case 'deprecated':
      return { ...schema, deprecated: true };
    case 'default':
    case 'defaultValue':
      return { ...schema, default: jsonOrText(tag.text) };
    case 'example':
    case 'examples': {
      const before = (schema['examples'] ?? []) as readonly JsonValue[];
      return { ...schema, examples: [...before, jsonOrText(tag.text)] };
    }
    case 'integer':
    case 'int':
      return asInteger(schema, refuse);
    case 'type':
    case 'asType':
      return /^\{?\s*(integer|int)\s*\}?$/.test(tag.text) ? asInteger(schema, refuse) : schema;
    default:
      return schema;
  }
}

function asInteger(schema: JsonObject, refuse: (reason: string) => void): JsonObject {
  const types = typesOf(schema);
  if (!types.includes('number')) {
    refuse(`@integer says nothing about ${nounOf(schema)}: it belongs to number`);
    return schema;
  }
  const integers = types.map((type) => (type === 'number' ? 'integer' : type));
  return { ...schema, type: integers.length === 1 ? (integers[0] as string) : integers };
}

function valueOf(tag: Tag, of: 'number' | 'count' | 'text' | 'flag'): JsonValue | undefined {
  if (of === 'text') return tag.text === '' ? undefined : tag.text;
  if (of === 'flag') return tag.text !== 'false';
  // What follows on the same line is a remark.
  const number = Number(/^\S+/.exec(tag.text)?.[0] ?? Number.NaN);
  if (!Number.isFinite(number)) return undefined;
  return of === 'count' && !(Number.isInteger(number) && number >= 0) ? undefined : number;
}

function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    const quoted = /^(['`])([\s\S]*)\1$/.exec(text);
    return quoted?.[2] ?? text;
  }
}

function typesOf(schema: JsonObject): readonly string[] {
  const type = schema['type'];
  return type === undefined ? [] : ((Array.isArray(type) ? type : [type]) as readonly string[]);
}

function nounOf(schema: JsonObject): string {
  return typesOf(schema).join(' or ') || 'a value of several types';
}
