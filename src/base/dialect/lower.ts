import { WhetstoneError } from '../host/errors.ts';
import { show } from '../host/show.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { keptWith, readSchema } from '../schema/read-schema.ts';
import { count, mostOptional, mostUnions, overLimits } from './counts.ts';
import { featuresOf, readDialect } from './dialect.ts';
import type { Dialect, Features } from './dialect.ts';
import type { Node } from './ir/ir.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { allLimits } from './ir/limits.ts';
import { loosen } from './loosen.ts';
import type { Counts, Declined, Dropped, Plan, Report, Step } from './plan.ts';
import { readNode } from './ir/read-node.ts';
import { tagUnions } from './write/tag-unions.ts';
import type { Shapes } from './value/shape.ts';
import { eachSubschema, pointerTo } from '../schema/subschemas.ts';
import { unlessTooDeep } from '../schema/too-deep.ts';
import { writeSchema } from './write/write-schema.ts';

/** A schema in a provider's form, the way there and back for values, and what it cost. */
export interface Lowered {
  readonly schema: JsonSchema;
  readonly plan: Plan;
  readonly report: Report;
}

export interface LowerOptions {
  /** A value of which nothing is said: makes a strict dialect decline, or is written as JSON text. */
  readonly free?: 'decline' | 'text';
  /**
   * A member that is optional and may be null, where every member is required: null says both (and comes back
   * as null), or the text `__absent__` says that it is not there.
   */
  readonly absent?: 'null' | 'marker';
}

/**
 * Lowers a schema to what a provider takes. A strict dialect that cannot say it is declined in the report, and
 * its loose sibling taken. Nothing is lost: decoded values are checked against the original.
 * @example const { schema, plan } = lower(tool.input, 'openai-strict');
 */
export function lower(schema: JsonSchema, dialect: Dialect, options: LowerOptions = {}): Lowered {
  const name = readDialect(dialect);
  const { free = 'decline', absent = 'null' } = options ?? {};
  if ((free !== 'decline' && free !== 'text') || (absent !== 'null' && absent !== 'marker')) {
    const text = `"free" is "decline" or "text", "absent" is "null" or "marker"; this is ${show(options)}.`;
    throw new WhetstoneError('schema_input', text, { details: { options } });
  }
  const own = readSchema(schema).jsonSchema;
  // Nobody else puts anything there.
  const lowerings = isJsonObject(own) ? (keptWith(own)?.lowerings as Lowering[] | undefined) : undefined;
  for (const one of lowerings ?? [])
    if (one.dialect === name && one.free === free && one.absent === absent) return one.lowered;
  const lowered = lowerFresh(own, name, { free, absent });
  lowerings?.push({ dialect: name, free, absent, lowered });
  return lowered;
}

/** One of the lowerings that are kept of a schema. */
export interface Lowering extends Required<LowerOptions> {
  readonly dialect: Dialect;
  readonly lowered: Lowered;
}

function lowerFresh(schema: JsonSchema, dialect: Dialect, options: LowerOptions): Lowered {
  if (dialect === 'as-is') return finish(schema, dialect, schema, { strict: false });
  const features = featuresOf[dialect];
  if (!features) return lowerLoose(schema, dialect, []);
  const rewritten = unlessTooDeep(() => rewrite(schema, dialect, features, options)) ?? endless(dialect);
  return 'declined' in rewritten ? lowerLoose(schema, dialect, rewritten.declined) : rewritten;
}

/** References that go on and on, each inside the one before, are followed only so far. */
function endless(dialect: Dialect): { readonly declined: readonly Declined[] } {
  const text = 'it is nested too deeply, counting what its references lead to';
  if (dialect.endsWith('-strict')) return { declined: [{ path: '', reason: 'too-deep', text }] };
  throw new WhetstoneError('schema_refused', `${dialect} cannot take this schema: ${text}.`, {
    details: { dialect, path: '', reason: 'too-deep' },
  });
}

function lowerLoose(schema: JsonSchema, dialect: Dialect, declined: readonly Declined[]): Lowered {
  const rootName = dialect.startsWith('anthropic') ? /^[a-zA-Z0-9_.-]{1,64}$/ : undefined;
  const { schema: wire, step, changes, dropped } = loosen(schema, rootName);
  return finish(schema, dialect, wire, { strict: false, step, changes, dropped, declined });
}

function rewrite(
  schema: JsonSchema,
  dialect: Dialect,
  features: Features,
  options: LowerOptions,
): Lowered | { readonly declined: readonly Declined[] } {
  const form = readNode(schema, { openApi: dialect === 'gemini-parameters' });
  let attempt = write(form, dialect, features, options, 0);
  const { optional, unions } = attempt.counts;
  // Anthropic counts optional members and unions separately: what is over in one may move to the other.
  if (
    dialect === 'anthropic-strict' &&
    optional > mostOptional &&
    unions + optional - mostOptional <= mostUnions
  )
    attempt = write(form, dialect, features, options, optional - mostOptional);
  const declined = [...attempt.declined, ...overLimits(attempt.counts, dialect)];
  return declined.length > 0 ? { declined } : finish(schema, dialect, attempt.wire, attempt);
}

interface Attempt extends Parts {
  readonly wire: JsonObject;
  readonly counts: Counts;
  readonly declined: readonly Declined[];
}

function write(
  form: Node,
  dialect: Dialect,
  base: Features,
  options: LowerOptions,
  nullableInstead: number,
): Attempt {
  const features =
    options.free === 'text' && base.free === 'decline' ? { ...base, free: 'text' as const } : base;
  const marker = options.absent === 'marker';
  const { root, context } = writeSchema(form, { dialect, features, marker, nullableInstead });
  const { step, definitions, shapes } = tagUnions(root, context.definitions, features.closed);
  const wire: Record<string, unknown> = { ...root.wire };
  if (context.definitions.size > 0)
    wire['$defs'] = Object.fromEntries([...context.definitions].map(([name, one]) => [name, one.wire]));
  const { changes, dropped, declined } = context;
  const counts = count(wire as JsonObject);
  const strict = dialect.endsWith('-strict');
  return { wire: wire as JsonObject, strict, step, definitions, shapes, changes, dropped, declined, counts };
}

interface Parts extends Partial<Pick<Report, 'changes' | 'dropped' | 'declined'>> {
  readonly strict: boolean;
  readonly step?: Step | undefined;
  readonly definitions?: Readonly<Record<string, Step>>;
  readonly shapes?: Shapes;
  readonly counts?: Counts;
}

function finish(original: JsonSchema, dialect: Dialect, schema: JsonSchema, parts: Parts): Lowered {
  const { strict, step, definitions = {}, shapes = {}, changes = [], dropped = [], declined = [] } = parts;
  const plan: Plan = {
    version: 1,
    dialect,
    strict,
    original,
    ...(step ? { root: step } : {}),
    ...(Object.keys(definitions).length > 0 ? { definitions } : {}),
    ...(Object.keys(shapes).length > 0 ? { shapes } : {}),
  };
  let report: Report | undefined;
  return {
    schema,
    plan,
    /** Written when it is first read: a request needs the schema and the plan only. */
    get report() {
      report ??= {
        dialect,
        strict,
        changes: unique(changes, (one) => `${one.path} ${one.change}`),
        dropped: unique(
          [...dropped, ...unnamed(original, schema, dropped)],
          (one) => `${one.path} ${one.keyword} ${one.said}`,
        ),
        declined: unique(declined, (one) => `${one.path} ${one.reason}`),
        counts: parts.counts ?? count(schema),
      };
      return report;
    },
  };
}

/**
 * Constraints of the original that are nowhere on the wire and that no step of the writing has named: all that a
 * union with a branch for any value says, for one. Limits are looked for with their values.
 */
function unnamed(original: JsonSchema, wire: JsonSchema, named: readonly Dropped[]): readonly Dropped[] {
  const known = new Set(named.flatMap((one) => [one.keyword, `${one.keyword} ${one.path}`]));
  each(wire, '', (keyword, value) => known.add(keyword).add(limitOf(keyword, value)));
  const found: Dropped[] = [];
  each(original, '', (keyword, value, path) => {
    if (!constraints.has(keyword)) return;
    if (!known.has(keyword)) found.push({ path, keyword, value, said: 'structure' });
    else if (
      allLimits.has(keyword) &&
      !known.has(limitOf(keyword, value)) &&
      !known.has(`${keyword} ${path}`)
    )
      found.push({ path, keyword, value, said: 'nowhere' });
  });
  return found;
}

/** Some dialects write the numbers of limits as text. */
function limitOf(keyword: string, value: JsonValue): string {
  return `${keyword} = ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
}

function each(
  schema: JsonSchema,
  path: string,
  visit: (keyword: string, value: JsonValue, path: string) => void,
): void {
  if (!isJsonObject(schema)) return;
  for (const keyword of Object.keys(schema)) visit(keyword, schema[keyword] as JsonValue, path);
  eachSubschema(schema, (child, keyword, key) => each(child, path + pointerTo(keyword, key), visit));
}

const constraints = new Set(
  (
    'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
    'format maxItems minItems uniqueItems contains maxContains minContains maxProperties minProperties required ' +
    'dependentRequired dependentSchemas dependencies allOf anyOf oneOf not if then else prefixItems items ' +
    'additionalItems properties patternProperties additionalProperties propertyNames unevaluatedItems ' +
    'unevaluatedProperties contentEncoding contentMediaType contentSchema $ref $dynamicRef'
  ).split(' '),
);

function unique<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}
