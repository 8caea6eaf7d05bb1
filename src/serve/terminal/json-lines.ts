import { once } from 'node:events';
import { createReadStream } from 'node:fs';

import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import { parseJson, type ParseJsonOptions } from '../../base/json/parse.ts';
import { readLines } from '../../base/json/read-lines.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { withoutByteOrderMark } from './byte-order-mark.ts';
import { exitCode } from './exit-code.ts';

/**
 * Answers each line of a file (or of standard input) on its own and in order, with the `id` of the line. A bad line is
 * answered with its error, and the rest goes on. Answers with the exit code: 1 where a line was bad.
 */
export function answerJsonLines(
  file: string | undefined,
  answer: (asked: JsonObject) => JsonObject | Promise<JsonObject>,
  parse: ParseJsonOptions = {},
): Promise<number> {
  return answerLines(file, async (line) => {
    const asked = parseJson(line, parse);
    if (!isJsonObject(asked)) throw new WhetstoneError('usage', 'The line is not a JSON object.');
    return { id: asked['id'] ?? null, ...(await answer(asked)) };
  });
}

/** The same for answers that need the line as it was written; each answer has the `id` of its line. */
export async function answerLines(
  file: string | undefined,
  answer: (line: string) => object | Promise<object>,
): Promise<number> {
  const input = file === undefined || file === '-' ? process.stdin : createReadStream(file);
  let bad = 0;
  try {
    for await (const raw of readLines(input)) {
      const line = withoutByteOrderMark(raw);
      if (line.trim() === '') continue;
      let written: object;
      try {
        written = await answer(line);
      } catch (error) {
        bad += 1;
        written = { id: idOf(line), error: describe(error) };
      }
      if (!process.stdout.write(`${JSON.stringify(written)}\n`)) await once(process.stdout, 'drain');
    }
  } catch (error) {
    throw new WhetstoneError('usage', `${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return bad > 0 ? exitCode.no : exitCode.ok;
}

function idOf(line: string): JsonValue {
  try {
    const value = parseJson(line);
    return isJsonObject(value) ? (value['id'] ?? null) : null;
  } catch {
    // What is not JSON has no id, and its error says so already.
    return null;
  }
}

function describe(error: unknown): JsonObject {
  const message = error instanceof Error ? error.message : String(error);
  return { code: isWhetstoneError(error) ? error.code : 'usage', message };
}
