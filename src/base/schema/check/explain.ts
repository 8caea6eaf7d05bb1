import { jsonEqual } from '../../json/equal.ts';
import { findNotJson } from '../../json/not-json.ts';
import { comparableNumber, NumberToken } from '../../json/number-token.ts';
import { formatPath, type JsonPath } from '../../json/path.ts';
import { formatPointer } from '../../json/pointer.ts';
import { isJsonObject } from '../../json/value.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Issue } from './issue.ts';
import type { JsonSchema } from '../json-schema.ts';
import { either, phrase } from './phrase.ts';
import type { References } from '../reference.ts';

/**
 * Says why a value misses a schema, place by place. Only called once the library has refused the value; it
 * looks at the keywords that say what a value is and leaves the rare ones to the library's own list.
 */
export function explain(schema: JsonSchema, value: JsonValue, references: References): readonly Issue[] {
  return new Explanation(references).at(schema, value, [], 0);
}

class Explanation {
  readonly #references: References;

  constructor(references: References) {
    this.#references = references;
  }

  at(schema: JsonSchema, value: JsonValue, place: JsonPath, depth: number): readonly Issue[] {
    if (schema === true || depth > deepest) return [];
    if (schema === false) return [this.#issue(place, 'false', 'nothing here', value)];
    const issues: Issue[] = [];
    const target = this.#references.resolve(schema);
    if (target !== undefined) issues.push(...this.at(target, value, place, depth + 1));
    if (issues.length > 0) return issues;
    if (!hasType(schema['type'], value)) return [this.#miss(schema, 'type', place, value)];
    const choices = schema['enum'];
    if (Array.isArray(choices) && !choices.some((choice: JsonValue) => jsonEqual(choice, value)))
      return [this.#miss(schema, 'enum', place, value)];
    if (schema['const'] !== undefined && !jsonEqual(schema['const'], value))
      return [this.#miss(schema, 'const', place, value)];
    if (isFree(schema)) {
      const part = findNotJson(value);
      return part
        ? [this.#issue([...place, ...part.path], 'type', part.expected, part.found as JsonValue)]
        : [];
    }
    if (typeof value === 'number' || isToken(value)) issues.push(...this.#number(schema, value, place));
    else if (typeof value === 'string') issues.push(...this.#text(schema, value, place));
    else if (Array.isArray(value)) issues.push(...this.#list(schema, value, place, depth));
    else if (isJsonObject(value)) issues.push(...this.#object(schema, value, place, depth));
    for (const part of schemas(schema['allOf'])) issues.push(...this.at(part, value, place, depth + 1));
    for (const keyword of ['anyOf', 'oneOf'])
      issues.push(...this.#choice(schema, keyword, value, place, depth));
    if (schema['if'] !== undefined) {
      const chosen =
        this.at(schema['if'] as JsonSchema, value, place, depth + 1).length === 0 ? 'then' : 'else';
      const branch = schema[chosen] as JsonSchema | undefined;
      if (branch !== undefined) issues.push(...this.at(branch, value, place, depth + 1));
    }
    return issues;
  }

  #number(schema: JsonObject, number: JsonValue, place: JsonPath): readonly Issue[] {
    const value = isToken(number) ? comparableNumber(number) : (number as number);
    const outside = (keyword: string, holds: (limit: number) => boolean): boolean =>
      typeof schema[keyword] === 'number' && !holds(schema[keyword]);
    const keyword =
      (outside('minimum', (limit) => value >= limit) && 'minimum') ||
      (outside('maximum', (limit) => value <= limit) && 'maximum') ||
      (outside('exclusiveMinimum', (limit) => value > limit) && 'exclusiveMinimum') ||
      (outside('exclusiveMaximum', (limit) => value < limit) && 'exclusiveMaximum');
    return keyword ? [this.#miss(schema, keyword, place, number)] : [];
  }

  #text(schema: JsonObject, value: string, place: JsonPath): readonly Issue[] {
    const pattern = schema['pattern'];
    if (typeof pattern === 'string' && !expression(pattern).test(value))
      return [this.#miss(schema, 'pattern', place, value)];
    const keyword = outOfCount(schema, 'minLength', 'maxLength', [...value].length);
    return keyword ? [this.#miss(schema, keyword, place, value)] : [];
  }

  #list(schema: JsonObject, value: readonly JsonValue[], place: JsonPath, depth: number): readonly Issue[] {
    const keyword = outOfCount(schema, 'minItems', 'maxItems', value.length);
    if (keyword) return [this.#miss(schema, keyword, place, value)];
    const first = schemas(
      schema['prefixItems'] ?? (Array.isArray(schema['items']) ? schema['items'] : undefined),
    );
    const rest = (Array.isArray(schema['items']) ? schema['additionalItems'] : schema['items']) as
      | JsonSchema
      | undefined;
    return value.flatMap((item, index) => {
      const member = first[index] ?? rest;
      return member === undefined ? [] : this.at(member, item, [...place, index], depth + 1);
    });
  }

  #object(schema: JsonObject, value: JsonObject, place: JsonPath, depth: number): readonly Issue[] {
    const issues: Issue[] = [];
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
    const required = schema['required'];
    if (Array.isArray(required))
      for (const name of required as readonly string[])
        if (!Object.hasOwn(value, name) || value[name] === undefined) {
          const wanted = Object.hasOwn(properties, name) ? (properties[name] as JsonSchema) : true;
          issues.push(this.#issue([...place, name], 'required', this.#phrase(wanted)));
        }
    const patterns = isJsonObject(schema['patternProperties'])
      ? Object.entries(schema['patternProperties'])
      : [];
    for (const key of Object.keys(value)) {
      const member = value[key];
      // As JSON has it: what is undefined is not there.
      if (member === undefined) continue;
      const at = [...place, key];
      let known = false;
      if (Object.hasOwn(properties, key)) {
        known = true;
        issues.push(...this.at(properties[key] as JsonSchema, member, at, depth + 1));
      }
      for (const [pattern, wanted] of patterns)
        if (expression(pattern).test(key)) {
          known = true;
          issues.push(...this.at(wanted as JsonSchema, member, at, depth + 1));
        }
      const other = schema['additionalProperties'] as JsonSchema | undefined;
      if (known || other === undefined) continue;
      if (other === false) issues.push(this.#unknown(at, Object.keys(properties), member));
      else issues.push(...this.at(other, member, at, depth + 1));
    }
    const keyword = outOfCount(schema, 'minProperties', 'maxProperties', Object.keys(value).length);
    if (keyword) issues.push(this.#miss(schema, keyword, place, value));
    return issues;
  }

  /** The issues of the one branch that the value was meant for, where that can be told; else of the choice. */
  #choice(
    schema: JsonObject,
    keyword: string,
    value: JsonValue,
    place: JsonPath,
    depth: number,
  ): readonly Issue[] {
    const branches = schemas(schema[keyword]);
    if (branches.length === 0) return [];
    const tried = branches.map((branch) => this.at(branch, value, place, depth + 1));
    if (tried.some((issues) => issues.length === 0)) return [];
    const fork = this.#fork(tried, place);
    if (fork !== undefined) return [fork];
    const meant = this.#meant(tried, place);
    const closest = meant.toSorted((left, right) => left.length - right.length)[0];
    if (closest && (meant.length === 1 || closest.length < (meant[1]?.length ?? Infinity))) return closest;
    return [this.#issue(place, keyword, this.#forms(branches, keyword, value), value)];
  }

  /** The branches that the value may have been meant for: those whose tag it has, where they have one. */
  #meant(tried: readonly (readonly Issue[])[], place: JsonPath): readonly (readonly Issue[])[] {
    const open = tried.filter((issues) => !issues.some((issue) => isRoot(issue, place)));
    const tags = open.map((issues) => issues.filter((issue) => isTag(issue, place)).map(({ path }) => path));
    const byPlace = [...Map.groupBy(tags.flat(), (path) => path)];
    const [most, next] = byPlace.toSorted((left, right) => right[1].length - left[1].length);
    // Several branches that want another word in one place, and another one does not: the place tells them apart.
    const misses = most?.[1].length ?? 0;
    const tag = misses > (next?.[1].length ?? 0) && (misses > 1 || open.length === 2) ? most?.[0] : undefined;
    return open.filter((_, index) => {
      const missed = tags[index] ?? [];
      return tag === undefined ? missed.length === 0 : !missed.includes(tag);
    });
  }

  /** Where every branch wants something else in one place below, that place: the value there chooses the branch. */
  #fork(tried: readonly (readonly Issue[])[], place: JsonPath): Issue | undefined {
    const open = tried.filter((issues) => !issues.some((issue) => isRoot(issue, place)));
    const isThere = (issue: Issue): boolean => isTag(issue, place) || isMissing(issue, place);
    for (const issue of open[0]?.filter(isThere) ?? []) {
      const same = open.map((issues) => issues.find((other) => isThere(other) && other.path === issue.path));
      const wanted = new Set(same.map((other) => other?.expected));
      if (wanted.size > 1 && !wanted.has(undefined))
        return { ...issue, expected: either([...wanted] as string[]) };
    }
    return undefined;
  }

  /** "An object" would say nothing to a model that wrote one: the forms are told apart by what they must have. */
  #forms(branches: readonly JsonSchema[], keyword: string, value: JsonValue): string {
    const needs = branches.map((branch) => {
      const form = isJsonObject(branch) ? (this.#references.resolve(branch) ?? branch) : branch;
      const names = isJsonObject(form) ? form['required'] : undefined;
      return Array.isArray(names) && names.length > 0 ? `an object with ${names.join(', ')}` : undefined;
    });
    const isTold = isJsonObject(value) && needs.every((need) => need !== undefined) && needs.length <= 6;
    return isTold ? [...new Set(needs)].join(' or ') : this.#phrase({ [keyword]: branches });
  }

  #unknown(place: JsonPath, known: readonly string[], value: JsonValue): Issue {
    const names = known.length === 0 ? 'there are none here' : `known: ${known.slice(0, 20).join(', ')}`;
    return this.#issue(place, 'additionalProperties', `no such property (${names})`, value);
  }

  #miss(schema: JsonObject, keyword: string, place: JsonPath, value: JsonValue): Issue {
    return this.#issue(place, keyword, this.#phrase(schema), value);
  }

  #phrase(schema: JsonSchema): string {
    return phrase(schema, (node) => this.#references.resolve(node));
  }

  #issue(place: JsonPath, keyword: string, expected: string, found?: JsonValue): Issue {
    const at = { path: formatPointer(place), place: formatPath(place), keyword, expected };
    return found === undefined ? at : { ...at, found };
  }
}

/** True of a schema that sets no limit to what is inside a value: anything may be there, if it is JSON. */
export function isFree(schema: JsonObject): boolean {
  for (const keyword in schema) if (!says.has(keyword)) return false;
  return true;
}

const says = new Set(['type', 'title', 'description', 'default', 'examples', '$schema', '$id', '$defs']);

/** Recursion through `$ref` alone, which says nothing, ends here. */
const deepest = 200;

function isRoot(issue: Issue, place: JsonPath): boolean {
  return issue.place === formatPath(place) && ['type', 'enum', 'const', 'false'].includes(issue.keyword);
}

/** A constant one level down is what tells the branches of a union apart. */
function isTag(issue: Issue, place: JsonPath): boolean {
  const depth = issue.path.split('/').length - 2;
  return (issue.keyword === 'const' || issue.keyword === 'enum') && depth === place.length;
}

function isMissing(issue: Issue, place: JsonPath): boolean {
  return issue.keyword === 'required' && issue.path.split('/').length - 2 === place.length;
}

function outOfCount(schema: JsonObject, low: string, high: string, count: number): string | undefined {
  if (typeof schema[low] === 'number' && count < schema[low]) return low;
  if (typeof schema[high] === 'number' && count > schema[high]) return high;
  return undefined;
}

function schemas(value: JsonValue | undefined): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as readonly JsonSchema[]) : [];
}

/** Many published patterns escape more than the `u` flag allows. */
export function expression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

export function hasType(type: JsonValue | undefined, value: JsonValue): boolean {
  if (type === undefined) return true;
  if (Array.isArray(type)) return type.some((name: JsonValue) => hasType(name, value));
  if (isToken(value)) {
    if (type === 'number') return true;
    const number = comparableNumber(value);
    return type === 'integer' && (typeof number === 'bigint' || Number.isInteger(number));
  }
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

/** A number that is kept as it was written. */
function isToken(value: unknown): value is NumberToken {
  return value instanceof NumberToken;
}
