import type { StandardSchemaV1 } from '@standard-schema/spec';

import { WhetstoneError } from '../../../base/host/errors.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { readSchema } from '../../../base/schema/read-schema.ts';
import type { AcceptedSchema } from '../../../base/schema/read-schema.ts';
import { checkValue, loadChecker } from '../../../base/schema/check/check.ts';
import type { Issue } from '../../../base/schema/check/issue.ts';
import type { JsonSchema } from '../../../base/schema/json-schema.ts';
import type { InputSchema } from '../contract.ts';

/** Checked arguments, as the tool gets them; or every way in which they miss the schema. */
export type CheckedArguments =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export interface ArgumentChecker {
  readonly schema: JsonObject;
  /** At once where it can; a promise while the schema library loads, and where the user's schema is asynchronous. */
  check(value: JsonObject): CheckedArguments | Promise<CheckedArguments>;
}

/** The checker of a tool's input. Throws at definition what could never work. */
export function checkerFor(name: string, input: InputSchema | undefined): ArgumentChecker {
  if (input === undefined) return checkerOf({ jsonSchema: noParameters });
  const accepted = readSchemaOf(`The input of the tool "${name}"`, input);
  const schema = accepted.jsonSchema;
  if (!isJsonObject(schema) || !mayBeObject(schema)) {
    throw new WhetstoneError(
      'tool_input_not_object',
      `The input of the tool "${name}" is not an object: its schema says ${JSON.stringify(isJsonObject(schema) ? schema['type'] : schema)}. Arguments have names; put the value into one: {"type": "object", "properties": {"value": …}}.`,
      { details: { name, schema } },
    );
  }
  return checkerOf(accepted);
}

const noParameters: JsonObject = { type: 'object', properties: {} };

/** Reads a schema; what is wrong with it is said of `what`. */
export function readSchemaOf(what: string, input: InputSchema): AcceptedSchema {
  try {
    return readSchema(input);
  } catch (error) {
    if (!(error instanceof WhetstoneError)) throw error;
    throw new WhetstoneError(error.code, `${what}: ${error.message}`, {
      details: { ...error.details, what },
      cause: error,
    });
  }
}

function mayBeObject(schema: JsonObject): boolean {
  const { type } = schema;
  if (typeof type === 'string') return type === 'object';
  return Array.isArray(type) ? type.includes('object') : true;
}

/** The checker of any schema that was read. */
export function checkerOf({ jsonSchema, standard }: AcceptedSchema): ArgumentChecker {
  const checkPlain = plainChecker(jsonSchema);
  const check = standard === undefined ? checkPlain : standardChecker(standard, checkPlain);
  return { schema: isJsonObject(jsonSchema) ? jsonSchema : {}, check };
}

type Check = (value: JsonObject) => CheckedArguments | Promise<CheckedArguments>;

let loaded = false;

/** Plain JSON Schema is always checked. The library comes with the first check that any tool needs. */
function plainChecker(schema: JsonSchema): Check {
  const checkNow = (value: JsonObject): CheckedArguments => {
    const issues = checkValue(schema, value);
    return issues.length === 0 ? { ok: true, value } : { ok: false, issues };
  };
  return (value) => {
    if (loaded) return checkNow(value);
    return loadChecker().then(() => {
      loaded = true;
      return checkNow(value);
    });
  };
}

/** The user's own schema decides, as its types promise. Where it says no, its JSON Schema often says it more exactly. */
function standardChecker(standard: StandardSchemaV1, explain: Check): Check {
  const read = async (
    given: JsonObject,
    outcome: StandardSchemaV1.FailureResult,
  ): Promise<CheckedArguments> => {
    const explained = await explain(given);
    return explained.ok
      ? { ok: false, issues: outcome.issues.map((issue) => ownIssue(issue, given)) }
      : explained;
  };
  return (given) => {
    const validated = standard['~standard'].validate(given);
    const finish = (
      outcome: StandardSchemaV1.Result<unknown>,
    ): CheckedArguments | Promise<CheckedArguments> =>
      outcome.issues === undefined ? { ok: true, value: outcome.value } : read(given, outcome);
    return validated instanceof Promise ? validated.then(finish) : finish(validated);
  };
}

function ownIssue(issue: StandardSchemaV1.Issue, value: JsonObject): Issue {
  const keys = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step));
  let found: JsonValue | undefined = value;
  for (const key of keys) found = (found as Record<PropertyKey, JsonValue> | null | undefined)?.[key];
  const place = keys
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
  return {
    path: keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    place,
    keyword: 'standard',
    expected: `something else (${issue.message})`,
    ...(found !== undefined && { found }),
  };
}
