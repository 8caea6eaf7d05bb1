import type { StandardJSONSchemaV1, StandardSchemaV1, StandardTypedV1 } from '@standard-schema/spec';

import { WhetstoneError } from '../host/errors.ts';
import { Recent } from '../host/recent.ts';
import { setMember } from '../json/member.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { validateSchema } from './check/validate-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { placeInZod, printRulesOf } from './unprintable.ts';
import { printZod, ZodUnprintable } from './zod/print-zod.ts';

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
 * Reads a schema: plain JSON Schema, or a Standard Schema that can be printed as JSON Schema (Zod from 3.25 on,
 * ArkType, Valibot through `toStandardJsonSchema`). Anything else is refused, with the place and the reason.
 */
export function readSchema(input: unknown): AcceptedSchema {
  if (!isHoldable(input)) return { jsonSchema: own(input) };
  const known = keptWith(input) ?? read.get(input);
  if (known) return known;
  const accepted = isStandard(input) ? readStandard(input) : accept(own(input));
  read.set(input, accepted);
  return accepted;
}

function isHoldable(input: unknown): input is object {
  return (typeof input === 'object' && input !== null) || typeof input === 'function';
}

const read = new WeakMap<object, AcceptedSchema>();

/** Equal schemas are one: what was made of the first (a lowering, a compiled check) serves them all. */
const byText = new Recent<string, JsonSchema>(2000);

/** What is kept of a schema of ours. */
export interface Kept extends AcceptedSchema {
  /** How it is written in the dialects that it was asked for: what `base/dialect` alone writes and reads. */
  readonly lowerings: unknown[];
}

/** It is kept on the schema itself: an entry in a `WeakMap` costs the garbage collector as much as reading one does. */
const kept = Symbol('kept');

/** What is kept of a schema, if it is one that was read before and not a user's. */
export function keptWith(schema: object): Kept | undefined {
  const found = (schema as { readonly [kept]?: Kept })[kept];
  return found?.jsonSchema === schema ? found : undefined;
}

function accept(schema: JsonSchema): AcceptedSchema {
  return (isHoldable(schema) && keptWith(schema)) || { jsonSchema: schema };
}

/** A copy that nobody else can change. */
function own(schema: unknown): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const plain = isPlain(schema, 0);
  if (!plain) validateSchema(schema);
  const text = JSON.stringify(schema);
  return byText.get(text) ?? keep(text, plain ? copyOf(schema as JsonObject) : JSON.parse(text));
}

function keep(text: string, copy: unknown): JsonSchema {
  validateSchema(copy);
  const schema = copy as JsonObject;
  byText.set(text, schema);
  const value: Kept = { jsonSchema: schema, lowerings: [] };
  Object.defineProperty(schema, kept, { value });
  return schema;
}

/** Of plain JSON: what its text, read again, would be, in a third of the time. */
function copyOf(value: JsonValue): JsonValue {
  if (typeof value === 'number') return value + 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Record<string, JsonValue> = {};
  for (const key in value as JsonObject) {
    const member = (value as JsonObject)[key];
    if (member !== undefined) setMember(copy, key, copyOf(member));
  }
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
  const jsonSchema =
    typeof props.jsonSchema?.input === 'function'
      ? print(props.jsonSchema, props.vendor)
      : printWithoutFace(input, props.vendor);
  return typeof props.validate === 'function'
    ? { jsonSchema, standard: input as StandardSchemaV1 }
    : { jsonSchema };
}

function print(face: StandardJSONSchemaV1.Converter, vendor: string): JsonSchema {
  const rules = printRulesOf(vendor);
  let printed: Record<string, unknown>;
  try {
    printed = face.input({ target: 'draft-2020-12', ...rules.options });
  } catch (reason) {
    const why = textOf(reason);
    // It begins with what it is: "Date cannot be represented", "Transforms cannot be".
    const isGuilty = (type: string): boolean => type !== '' && why.toLowerCase().startsWith(type);
    throw notPrintable(vendor, vendor === 'zod' ? placeInZod(face, isGuilty) : undefined, why, reason);
  }
  // What a library prints is JSON already.
  const text = JSON.stringify(printed);
  const silent = rules.silent(face, printed, text);
  if (silent) throw notPrintable(vendor, silent.path, `${silent.what} cannot be written as JSON.`);
  return byText.get(text) ?? keep(text, JSON.parse(text));
}

/** Zod before 4.2 has no face that prints: its schemas are read by their fields. */
function printWithoutFace(input: object, vendor: string): JsonSchema {
  if (vendor !== 'zod') throw withoutFace(vendor);
  let text: string;
  try {
    text = JSON.stringify(printZod(input));
  } catch (reason) {
    throw notPrintable(
      vendor,
      reason instanceof ZodUnprintable ? reason.path : undefined,
      textOf(reason),
      reason,
    );
  }
  return byText.get(text) ?? keep(text, JSON.parse(text));
}

function notPrintable(
  vendor: string,
  path: string | undefined,
  why: string,
  cause?: unknown,
): WhetstoneError {
  return new WhetstoneError(
    'schema_not_printable',
    `The ${vendor} schema cannot be turned into JSON Schema${path ? ` at ${path}` : ''}: ${why} ` +
      'Describe what the model should write (a string for a date, say) and convert it in the tool.',
    { details: { vendor, ...(path ? { path } : {}) }, ...(cause === undefined ? {} : { cause }) },
  );
}

function withoutFace(vendor: string): WhetstoneError {
  const remedies: Readonly<Record<string, string>> = {
    valibot: 'Wrap it: `toStandardJsonSchema(schema)` of the package @valibot/to-json-schema.',
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
