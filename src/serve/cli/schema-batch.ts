import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import { isWhetstoneError } from '../../base/host/errors.ts';
import { parseJson } from '../../base/json/parse.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { readSchema } from '../../base/schema/accept.ts';
import { checkValue, loadChecker } from '../../base/schema/check.ts';
import { readDialect } from '../../base/schema/dialect.ts';
import { describeIssues } from '../../base/schema/issue.ts';
import { lower } from '../../base/schema/lower.ts';
import { lowerValue, raise, readPlan } from '../../base/schema/raise.ts';

/** Answers each line on its own, in order; what is wrong with one is said in its answer and stops no other. */
export async function answerLines(file: string | undefined): Promise<void> {
  await loadChecker();
  const input = file === undefined || file === '-' ? process.stdin : createReadStream(file);
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    if (!process.stdout.write(`${JSON.stringify(answerLine(line))}\n`)) await once(process.stdout, 'drain');
  }
}

function answerLine(line: string): JsonObject {
  let asked: JsonObject = {};
  try {
    const read = parseJson(line);
    if (!isJsonObject(read)) return { error: 'The line is no JSON object.' };
    asked = read;
    return { ...named(asked), ...answer(asked) };
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
  if (asked['probe'] !== undefined) return { probed: list(asked['probe']).map((wire) => probe(wire, asked)) };
  const dialect = readDialect(asked['dialect']);
  const { schema, plan, report } = lower(readSchema(asked['schema']).jsonSchema, dialect);
  const lowered = list(asked['values']).map((value) => lowerValue(value, plan));
  const raised = lowered.map((value) => raise(value, plan));
  return { schema, plan, report, lowered, raised } as unknown as JsonObject;
}

/** What a model wrote, brought back; the verdict is that of the original schema. */
function probe(wire: JsonValue, asked: JsonObject): JsonObject {
  try {
    const plan = readPlan(asked['plan']);
    const value = raise(wire, plan);
    const issues = checkValue(plan.original, value);
    return issues.length === 0
      ? { value, valid: true }
      : { value, valid: false, error: describeIssues(issues) };
  } catch (error) {
    return { valid: false, error: error instanceof Error ? error.message : String(error) };
  }
}

function list(values: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(values) ? (values as readonly JsonValue[]) : [];
}
