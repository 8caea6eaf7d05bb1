import type { StandardJSONSchemaV1, StandardSchemaV1, StandardTypedV1 } from '@standard-schema/spec';

import { WhetstoneError } from '../host/errors.ts';
import type { JsonObject } from '../json/value.ts';
import { refuseBadSchema } from './faults.ts';
import type { JsonSchema } from './json-schema.ts';

/** What a user may give where a schema is wanted: JSON Schema as data, or a schema object of a library. */
export type SchemaInput = JsonSchema | StandardTypedV1;

/** A schema that was read: its JSON Schema, and the library's own object where there is one. */
export interface AcceptedSchema {
  readonly jsonSchema: JsonSchema;
  /** For its own checks and transforms, after the JSON Schema has held. */
  readonly standard?: StandardSchemaV1;
}

/**
 * The types that a Zod schema carries. Its `~standard` says the same, and reading it there costs the compiler a third
 * more than the whole schema does.
 */
interface ZodTypes {
  readonly _zod: { readonly input: unknown; readonly output: unknown };
}

/** What a caller writes for this schema. */
export type InputOf<Schema> = Schema extends ZodTypes
  ? Schema['_zod']['input']
  : Schema extends StandardTypedV1
    ? StandardTypedV1.InferInput<Schema>
    : JsonObject;

/** What the schema gives back: for a library's schema after its transforms and defaults. */
export type OutputOf<Schema> = Schema extends ZodTypes
  ? Schema['_zod']['output']
  : Schema extends StandardTypedV1
    ? StandardTypedV1.InferOutput<Schema>
    : JsonObject;

/**
 * Reads a schema: plain JSON Schema, or a Standard Schema that can print itself as JSON Schema (Zod ≥ 4.2,
 * ArkType, Valibot through `toStandardJsonSchema`). Anything else is refused, with the place and the reason.
 */
export function readSchema(input: unknown): AcceptedSchema {
  const holdable = (typeof input === 'object' && input !== null) || typeof input === 'function';
  const known = holdable ? read.get(input) : undefined;
  if (known) return known;
  const accepted = isStandard(input) ? readStandard(input) : { jsonSchema: own(input) };
  if (holdable) read.set(input, accepted);
  return accepted;
}

const read = new WeakMap<object, AcceptedSchema>();

/** Equal schemas are one: what was made of the first (a lowering, a compiled check) serves them all. */
const byContent = new Map<string, JsonSchema>();
const mostByContent = 2000;

/** A copy that nobody else can change. */
function own(schema: unknown): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  if (!isPlain(schema, 0)) refuseBadSchema(schema);
  return byText(schema);
}

function byText(schema: unknown): JsonSchema {
  const text = JSON.stringify(schema);
  const known = byContent.get(text);
  if (known !== undefined) return known;
  const copy = JSON.parse(text) as JsonObject;
  refuseBadSchema(copy);
  if (byContent.size >= mostByContent) byContent.delete(byContent.keys().next().value as string);
  byContent.set(text, copy);
  read.set(copy, { jsonSchema: copy });
  return copy;
}

/** True for JSON; what its text would not show (a function, a date) must not pass for a schema without it. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object')
    return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  if (value === null) return true;
  if (depth > 400) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isPlain(value[index], depth + 1)) return false;
    return true;
  }
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null) return false;
  // Nothing is inherited here, and this loop costs half of what a list of the keys does.
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined && !isPlain(member, depth + 1)) return false;
  }
  return true;
}

type StandardProps = StandardTypedV1.Props & Partial<StandardSchemaV1.Props & StandardJSONSchemaV1.Props>;

/** ArkType's schemas are functions, so both kinds of object are looked at. */
function isStandard(input: unknown): input is { readonly '~standard': StandardProps } {
  return (
    ((typeof input === 'object' && input !== null) || typeof input === 'function') &&
    '~standard' in input &&
    typeof input['~standard'] === 'object' &&
    input['~standard'] !== null
  );
}

function readStandard(input: { readonly '~standard': StandardProps }): AcceptedSchema {
  const props = input['~standard'];
  if (typeof props.jsonSchema?.input !== 'function') throw withoutFace(props.vendor);
  const jsonSchema = print(props.jsonSchema, props.vendor);
  return typeof props.validate === 'function'
    ? { jsonSchema, standard: input as StandardSchemaV1 }
    : { jsonSchema };
}

function print(face: StandardJSONSchemaV1.Converter, vendor: string): JsonSchema {
  let printed: Record<string, unknown>;
  try {
    printed = face.input({ target: 'draft-2020-12' });
  } catch (reason) {
    const place = vendor === 'zod' ? placeInZod(face) : undefined;
    throw new WhetstoneError(
      'schema_not_printable',
      `The ${vendor} schema cannot be turned into JSON Schema${place ? ` at ${place}` : ''}: ${textOf(reason)} ` +
        'Describe what the model should write (a string for a date, say) and convert it in the tool.',
      { details: { vendor, ...(place ? { path: place } : {}) }, cause: reason },
    );
  }
  // What a library prints is JSON already.
  return byText(printed);
}

const unprintable = new Set(
  'bigint symbol undefined void date map set transform nan custom function promise file'.split(' '),
);

/** Zod says what it cannot print but not where; printed again with everything allowed, it tells the places. */
function placeInZod(face: StandardJSONSchemaV1.Converter): string | undefined {
  let place: string | undefined;
  const override = (seen: {
    readonly zodSchema?: { readonly _zod?: { readonly def?: { readonly type?: string } } };
    readonly path?: readonly (string | number)[];
  }): void => {
    const type = seen.zodSchema?._zod?.def?.type;
    if (place === undefined && type !== undefined && unprintable.has(type))
      place = `/${(seen.path ?? []).join('/')}`;
  };
  try {
    face.input({ target: 'draft-2020-12', libraryOptions: { unrepresentable: 'any', override } });
  } catch {
    return undefined;
  }
  return place;
}

function withoutFace(vendor: string): WhetstoneError {
  const remedies: Readonly<Record<string, string>> = {
    valibot: 'Wrap it: `toStandardJsonSchema(schema)` of the package @valibot/to-json-schema.',
    zod: 'Use Zod 4.2 or newer.',
  };
  return new WhetstoneError(
    'schema_without_json',
    `This ${vendor} schema cannot print itself as JSON Schema. ` +
      (remedies[vendor] ?? 'Pass a schema with the `~standard.jsonSchema` face, or plain JSON Schema.'),
    { details: { vendor } },
  );
}

function textOf(reason: unknown): string {
  const text = reason instanceof Error ? reason.message : String(reason);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
