import { isJsonObject } from '../../json/value.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { showValue } from './issue.ts';
import type { JsonSchema } from '../json-schema.ts';

/** What a schema asks for, in words: `an integer ≥ 1`, `one of "low", "high"`, `a string or null`. */
export function phrase(schema: JsonSchema | undefined, follow: Follow = () => undefined): string {
  return say(schema, follow, 0);
}

/** What a node's `$ref` points to. */
export type Follow = (node: JsonObject) => JsonSchema | undefined;

function say(schema: JsonSchema | undefined, follow: Follow, depth: number): string {
  if (schema === false) return 'nothing here';
  if (!isJsonObject(schema) || depth > 4) return 'a value';
  if (Array.isArray(schema['enum'])) return choice(schema['enum'] as readonly JsonValue[]);
  if (schema['const'] !== undefined) return showValue(schema['const']);
  const target = follow(schema);
  if (target !== undefined) return say(target, follow, depth + 1);
  const type = schema['type'];
  if (typeof type === 'string') return one(type, schema);
  if (Array.isArray(type)) return either(type.map((name) => one(String(name), schema)));
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schema[keyword];
    if (Array.isArray(branches))
      return either(branches.map((branch) => say(branch as JsonSchema, follow, depth + 1)));
  }
  return implied(schema);
}

/** One of some: `a, b or c`. */
export function either(choices: readonly string[]): string {
  const kinds = [...new Set(choices)];
  if (kinds.length > 6) return `${kinds.slice(0, 5).join(', ')} or one of ${kinds.length - 5} other forms`;
  return kinds.length < 2 ? (kinds[0] ?? 'a value') : `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`;
}

function choice(values: readonly JsonValue[]): string {
  if (values.length === 1) return showValue(values[0] ?? null);
  const shown = values.slice(0, 20).map(showValue).join(', ');
  return `one of ${shown}${values.length > 20 ? ` … (${values.length} in all)` : ''}`;
}

function one(type: string, schema: JsonObject): string {
  switch (type) {
    case 'integer':
      return `an integer${bounds(schema)}`;
    case 'number':
      return `a number${bounds(schema)}`;
    case 'string':
      return `a string${texts(schema)}`;
    case 'array':
      return `a list${counts(schema['minItems'], schema['maxItems'], 'item')}`;
    case 'object':
      return `an object${counts(schema['minProperties'], schema['maxProperties'], 'property')}`;
    case 'boolean':
      return 'true or false';
    default:
      return 'null';
  }
}

/** A schema that names no type but keywords that only mean something for one. */
function implied(schema: JsonObject): string {
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema)
    return one('object', schema);
  if ('items' in schema || 'prefixItems' in schema || 'minItems' in schema || 'maxItems' in schema)
    return one('array', schema);
  if ('minimum' in schema || 'maximum' in schema || 'multipleOf' in schema) return one('number', schema);
  if ('pattern' in schema || 'minLength' in schema || 'maxLength' in schema) return one('string', schema);
  return 'a value';
}

function bounds(schema: JsonObject): string {
  const parts: string[] = [];
  if (schema['minimum'] !== undefined) parts.push(`≥ ${String(schema['minimum'])}`);
  if (schema['exclusiveMinimum'] !== undefined) parts.push(`> ${String(schema['exclusiveMinimum'])}`);
  if (schema['maximum'] !== undefined) parts.push(`≤ ${String(schema['maximum'])}`);
  if (schema['exclusiveMaximum'] !== undefined) parts.push(`< ${String(schema['exclusiveMaximum'])}`);
  if (schema['multipleOf'] !== undefined) parts.push(`a multiple of ${String(schema['multipleOf'])}`);
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
}

function texts(schema: JsonObject): string {
  let text = counts(schema['minLength'], schema['maxLength'], 'character');
  if (typeof schema['format'] === 'string') text += ` in the format ${schema['format']}`;
  if (typeof schema['pattern'] === 'string') text += ` that matches ${schema['pattern']}`;
  return text;
}

function counts(low: JsonValue | undefined, high: JsonValue | undefined, of: string): string {
  const many = of === 'property' ? 'properties' : `${of}s`;
  if (low !== undefined && low === high) return ` of exactly ${String(low)} ${low === 1 ? of : many}`;
  if (low !== undefined && high !== undefined) return ` of ${String(low)} to ${String(high)} ${many}`;
  if (low !== undefined) return ` of at least ${String(low)} ${low === 1 ? of : many}`;
  if (high !== undefined) return ` of at most ${String(high)} ${high === 1 ? of : many}`;
  return '';
}
