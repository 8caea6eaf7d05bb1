import { closeSync, openSync } from 'node:fs';

import { WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { readLogLines } from './log-lines.ts';
import { judgeFaultOf, type StudyResult } from './study-result.ts';

/** Every result in a study's log so far, in the order of the log. Nothing is changed: the study may be running. */
export function* readStudyLog(path: string): Generator<StudyResult> {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (cause) {
    throw new WhetstoneError('usage', `There is no study here: ${path} cannot be read.`, { cause });
  }
  try {
    const last = new Map<string, number>();
    for (const { line, offset } of readLogLines(file, 0)) {
      const { key } = lineIn(line);
      if (typeof key === 'string') last.set(key, offset);
    }
    for (const { line, offset } of readLogLines(file, 0)) {
      const read = lineIn(line);
      const { key } = read;
      if (typeof key !== 'string' || last.get(key) !== offset || read['requeued'] === true) continue;
      // Written by `StudyLog.add`.
      const result = read as unknown as StudyResult;
      if (judgeFaultOf(result) === undefined) yield result;
    }
  } finally {
    closeSync(file);
  }
}

function lineIn(line: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line);
    if (isJsonObject(value)) return value;
  } catch {
    // A line that a crash cut off is not a result yet.
  }
  return {};
}
