import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import { parseJson, type ParseJsonOptions } from '../../../base/json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { withoutByteOrderMark } from './byte-order-mark.ts';
import { exitCode } from './exit-code.ts';

/**
 * Answers each line of a file (or of standard input) on its own and in order, with the `id` of the line. A bad line is
 * answered with its error, and the rest goes on. Answers with the exit code: 1 where a line was bad.
 */
export async function answerJsonLines(
  file: string | undefined,
  answer: (asked: JsonObject) => JsonObject | Promise<JsonObject>,
  parse: ParseJsonOptions = {},
): Promise<number> {
  const input = file === undefined || file === '-' ? process.stdin : createReadStream(file);
  let bad = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (line.trim() === '') continue;
      let id: JsonValue = null;
      let written: JsonObject;
      try {
        const asked = parseJson(withoutByteOrderMark(line), parse);
        if (!isJsonObject(asked)) throw new WhetstoneError('usage', 'The line is not a JSON object.');
        id = asked['id'] ?? null;
        written = { id, ...(await answer(asked)) };
      } catch (error) {
        bad += 1;
        written = { id, error: describe(error) };
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

function describe(error: unknown): JsonObject {
  const message = error instanceof Error ? error.message : String(error);
  return { code: isWhetstoneError(error) ? error.code : 'usage', message };
}
