import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { Change, Dropped, Step } from './plan.ts';
import { draftOf } from '../schema/prepare.ts';
import { References } from '../schema/reference.ts';
import { mapSubschemas } from '../schema/subschemas.ts';

export interface Loosened {
  readonly schema: JsonObject;
  readonly step: Step | undefined;
  readonly changes: readonly Change[];
  readonly dropped: readonly Dropped[];
}

/**
 * The loose form of a schema: as it is, in draft 2020-12, with a plain object at the root, which is what
 * providers ask of a tool that is not strict. `rootName` is the rule for the names of the members there.
 */
export function loosen(schema: JsonSchema, rootName: RegExp | undefined): Loosened {
  const changes: Change[] = [];
  const current = draftOf(schema) === 'draft-07' ? upgrade(schema, changes) : schema;
  let root = isJsonObject(current) ? openRoot(current, changes) : current;
  if (isJsonObject(root) && isObject(root) && namesHold(root, rootName)) {
    const dropped: Dropped[] = [];
    const texts: string[] = [];
    for (const keyword of Object.keys(root)) {
      if (!refusedAtRoot.has(keyword) || !isAssertion(root, keyword)) continue;
      const { [keyword]: value, ...rest } = root;
      root = rest;
      const text = JSON.stringify(value);
      if (text.length <= 300) texts.push(`${keyword}: ${text}`);
      dropped.push({
        path: '',
        keyword,
        value: value as JsonValue,
        said: text.length <= 300 ? 'description' : 'nowhere',
      });
    }
    if (![...refusedAtRoot].some((keyword) => keyword in (root as JsonObject))) {
      const wire: Record<string, JsonValue> = { type: 'object', ...root };
      if (texts.length > 0) wire['description'] = describe(root['description'], texts);
      if (wire['properties'] === undefined) {
        // Asked for by some; that nothing is said of the members must still be said.
        wire['properties'] = {};
        wire['additionalProperties'] ??= true;
      }
      return { schema: wire, step: undefined, changes, dropped };
    }
  }
  changes.push({
    path: '',
    change: 'wrap-root',
    text: 'The root is not a plain object, so it is wrapped in one as the member "value".',
  });
  return { schema: wrapRoot(current), step: { op: 'wrap', key: 'value' }, changes, dropped: [] };
}

const refusedAtRoot = new Set(['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', '$ref']);

/** A root that only points elsewhere becomes what it points to. */
function openRoot(schema: JsonObject, changes: Change[]): JsonSchema {
  let root: JsonObject = schema;
  const references = new References(schema);
  for (let hops = 0; typeof root['$ref'] === 'string' && hops < 20; hops++) {
    const target = references.resolve(root);
    if (!isJsonObject(target) || target === schema) return root;
    const { $ref: _, ...beside } = root;
    if (Object.keys(beside).some((keyword) => !besideReference.has(keyword))) return root;
    root = { ...target, ...beside };
    changes.push({
      path: '/$ref',
      change: 'open-root',
      text: 'The root only pointed to a definition; it is that now.',
    });
  }
  return root;
}

const besideReference = new Set([
  '$defs',
  'definitions',
  '$schema',
  '$id',
  'title',
  'description',
  '$comment',
]);

function isObject(schema: JsonObject): boolean {
  if (schema['type'] !== undefined) return schema['type'] === 'object';
  return schema['properties'] !== undefined && schema['enum'] === undefined && schema['const'] === undefined;
}

function namesHold(schema: JsonObject, rule: RegExp | undefined): boolean {
  return !rule || Object.keys((schema['properties'] ?? {}) as JsonObject).every((name) => rule.test(name));
}

/** The keyword only excludes values; without it every value that the tool takes can still be said. */
function isAssertion(root: JsonObject, keyword: string): boolean {
  if (keyword === 'not') return true;
  const parts = root[keyword];
  return (
    root['properties'] !== undefined &&
    Array.isArray(parts) &&
    parts.every(
      (part: JsonValue) => isJsonObject(part) && Object.keys(part).every((key) => assertions.has(key)),
    )
  );
}

const assertions = new Set(['required', 'not', 'minProperties', 'maxProperties', 'title', 'description']);

function describe(description: JsonValue | undefined, texts: readonly string[]): string {
  return `${typeof description === 'string' ? `${description} ` : ''}(${texts.join('; ')})`;
}

function wrapRoot(schema: JsonSchema): JsonObject {
  return {
    type: 'object',
    properties: { value: moveReferences(schema) },
    required: ['value'],
    additionalProperties: false,
  };
}

/** `#` and `#/…` now begin one property deeper; inside a schema with an `$id` of its own they do not move. */
function moveReferences(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema) || typeof schema['$id'] === 'string') return schema;
  const moved = mapSubschemas(schema, moveReferences);
  const reference = moved['$ref'];
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return moved;
  return { ...moved, $ref: `#/properties/value${reference.slice(1)}` };
}

/** Draft 7 in the words of 2020-12, which is what providers check a schema against. */
function upgrade(schema: JsonSchema, changes: Change[]): JsonSchema {
  changes.push({ path: '', change: 'upgrade-draft', text: 'Draft 7 is rewritten as draft 2020-12.' });
  return rewrite(schema);
}

function rewrite(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const children = mapSubschemas(schema, rewrite);
  const result: Record<string, JsonValue> = {};
  const pointer = children['$ref'];
  for (const key of Object.keys(children)) {
    const value = children[key] as JsonValue;
    if (key === '$schema') continue;
    if (key === 'definitions') result['$defs'] = value;
    else if (typeof pointer === 'string' && key !== '$ref' && key !== 'description' && key !== 'title')
      continue;
    else if (key === '$ref') result['$ref'] = String(value).replace('#/definitions/', '#/$defs/');
    else if (key === 'items' && Array.isArray(value)) result['prefixItems'] = value;
    else if (key === 'additionalItems') {
      if (Array.isArray(children['items'])) result['items'] = value;
    } else if (key === 'dependencies') splitDependencies(value as JsonObject, result);
    else result[key] = value;
  }
  return result;
}

function splitDependencies(dependencies: JsonObject, result: Record<string, JsonValue>): void {
  const required: Record<string, JsonValue> = {};
  const schemas: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(dependencies))
    if (Array.isArray(value)) required[name] = value;
    else schemas[name] = value;
  if (Object.keys(required).length > 0) result['dependentRequired'] = required;
  if (Object.keys(schemas).length > 0) result['dependentSchemas'] = schemas;
}
