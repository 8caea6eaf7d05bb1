import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import { jsonEqual } from '../../../base/json/equal.ts';
import { parseJson } from '../../../base/json/parse.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { readSchema } from '../../../base/schema/read-schema.ts';
import { checkValue, loadChecker } from '../../../base/schema/check/check.ts';
import { readDialect } from '../../../base/dialect/dialect.ts';
import { describeIssues } from '../../../base/schema/check/issue.ts';
import { lower, type Lowered } from '../../../base/dialect/lower.ts';
import { encodeValue } from '../../../base/dialect/value/encode-value.ts';
import { readPlan } from '../../../base/dialect/value/read-plan.ts';
import { decodeValue } from '../../../base/dialect/value/decode-value.ts';
import { withoutByteOrderMark } from '../../terminal/byte-order-mark.ts';

/** Answers each line on its own, in order; what is wrong with one is said in its answer and stops no other. */
export async function answerLines(file: string | undefined): Promise<void> {
  await loadChecker();
  const input = file === undefined || file === '-' ? process.stdin : createReadStream(file);
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    const answer = answerLine(withoutByteOrderMark(line));
    if (!process.stdout.write(`${JSON.stringify(answer)}\n`)) await once(process.stdout, 'drain');
  }
}

function answerLine(line: string): JsonObject {
  let asked: JsonObject = {};
  try {
    const plain = parseJson(line);
    if (!isJsonObject(plain)) throw new WhetstoneError('usage', 'The line is not a JSON object.');
    // Values keep the numbers that no double holds; in schemas and plans numbers are plain.
    asked = parseJson(line, { numbers: 'as-written' }) as JsonObject;
    const { schema, plan } = plain;
    return {
      ...named(asked),
      ...answer({
        ...asked,
        ...(schema === undefined ? {} : { schema }),
        ...(plan === undefined ? {} : { plan }),
      }),
    };
  } catch (error) {
    const code = isWhetstoneError(error) ? { code: error.code } : {};
    return { ...named(asked), error: error instanceof Error ? error.message : String(error), ...code };
  }
}

function named(asked: JsonObject): JsonObject {
  return {
    ...(asked['id'] === undefined ? {} : { id: asked['id'] }),
    ...(asked['dialect'] === undefined ? {} : { dialect: asked['dialect'] }),
  };
}

function answer(asked: JsonObject): JsonObject {
  if (asked['probe'] !== undefined) {
    const plan = asked['plan'] === undefined ? lowerAsked(asked).plan : planOf(asked);
    return { probed: list(asked, 'probe').map((wire) => probe(wire, plan)) };
  }
  const { schema, plan, report } = lowerAsked(asked);
  const lowered = list(asked, 'values').map((value) => encodeValue(value, plan));
  const raised = lowered.map((value) => decodeValue(value, plan));
  return { schema, plan, report, lowered, raised } as unknown as JsonObject;
}

/** The plan that was given. Its verdicts are those of the schema it was made from, which must be the given one. */
function planOf(asked: JsonObject): JsonValue | undefined {
  const { plan, schema } = asked;
  if (schema === undefined || !isJsonObject(plan) || plan['original'] === undefined) return plan;
  if (jsonEqual(readSchema(schema).jsonSchema, plan['original'])) return plan;
  throw new WhetstoneError(
    'plan_invalid',
    'This plan was made from a different schema than the one given with it.',
  );
}

function lowerAsked(asked: JsonObject): Lowered {
  const dialect = readDialect(asked['dialect']);
  return lower(readSchema(asked['schema']).jsonSchema, dialect);
}

/** What a model wrote, brought back; the verdict is that of the original schema. */
function probe(wire: JsonValue, given: unknown): JsonObject {
  try {
    const plan = readPlan(given);
    const value = decodeValue(wire, plan);
    const issues = checkValue(plan.original, value);
    return issues.length === 0
      ? { value, valid: true }
      : { value, valid: false, error: describeIssues(issues) };
  } catch (error) {
    return { valid: false, error: error instanceof Error ? error.message : String(error) };
  }
}

function list(asked: JsonObject, name: string): readonly JsonValue[] {
  const values = asked[name] ?? [];
  if (!Array.isArray(values)) throw new WhetstoneError('usage', `"${name}" is a list of values.`);
  return values as readonly JsonValue[];
}
