import { closeSync, openSync, readSync, statSync } from 'node:fs';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import { isAtif, readAtif } from '../atif.ts';
import { numberAt } from '../fields.ts';
import { readOpenAI } from '../openai.ts';
import { parsePythonJson } from '../python-json.ts';
import { readLogLines } from '../../study/log-lines.ts';
import type { Trajectory } from '../trajectory.ts';
import { readVerifiers } from '../verifiers.ts';
import { type Log, type LogEntry, nameOf, notALog } from './log.ts';
import { isResult, readResult } from './study-line.ts';

/** JSON Lines, of which each is a trajectory, or several: ATIF, OpenAI's chat, verifiers, results of a study. */
export function lineLog(path: string): Log {
  const bytes = statSync(path).size;
  return {
    path,
    format: 'JSON Lines',
    bytes,
    // Reading is synchronous, piece by piece: the caller, who asks for each, decides when others get a turn.
    // eslint-disable-next-line typescript/require-await
    async *entries(): AsyncGenerator<LogEntry> {
      const file = openSync(path, 'r');
      try {
        let number = 0;
        for (const { line, offset, length } of wholeLines(file, bytes)) {
          number += 1;
          if (line.trim() === '') continue;
          const found = lineAt(path, line, number, offset + length < bytes);
          let item = 0;
          for (const trajectory of found) {
            yield { trajectory, place: { at: offset, length, number, item }, readTo: offset + length };
            item += 1;
          }
        }
      } finally {
        closeSync(file);
      }
    },
    read(place) {
      const { at = 0, length = 0, number = 1, item = 0 } = numbersOf(place);
      const file = openSync(path, 'r');
      try {
        return Promise.resolve(lineAt(path, textOf(file, at, length), number, true)[item]!);
      } finally {
        closeSync(file);
      }
    },
  };
}

/** A document that is a trajectory, or several. */
export function documentLog(path: string, text: string): Log {
  const { size } = statSync(path);
  const all = (): readonly Trajectory[] => readLine(objectIn(path, text), nameOf(path));
  if (all().length === 0) throw notALog(path, 'it is a JSON object of another kind');
  return {
    path,
    format: 'a document',
    bytes: size,
    // eslint-disable-next-line typescript/require-await
    async *entries() {
      let item = 0;
      for (const trajectory of all()) yield { trajectory, place: { item: item++ }, readTo: size };
    },
    read: (place) => Promise.resolve(all()[numberAt(place, 'item') ?? 0]!),
  };
}

/** Whether a line is one of those that are read here. */
function isKnownLine(line: JsonObject): boolean {
  return isAtif(line) || isVerifiers(line) || isResult(line) || Array.isArray(line['messages']);
}

function readLine(line: JsonObject, name: string): readonly Trajectory[] {
  if (isAtif(line)) return [readAtif(line, name)];
  if (isResult(line)) return readResult(line, name);
  if (isVerifiers(line)) return readVerifiers(line, name);
  return Array.isArray(line['messages']) ? [readOpenAI(line, name)] : [];
}

function lineAt(path: string, text: string, number: number, isWhole: boolean): readonly Trajectory[] {
  let line: unknown;
  try {
    line = parsePythonJson(text);
  } catch (cause) {
    if (isWhole) throw notALog(path, `line ${number} is not JSON`);
    throw new WhetstoneError(
      'log_unreadable',
      `${path} ends in the middle of line ${number}: it was cut off, or is still being written.`,
      { cause },
    );
  }
  if (!isJsonObject(line)) throw notALog(path, `line ${number} is not a JSON object`);
  if (isKnownLine(line)) return readLine(line, `${nameOf(path)}-${number}`);
  throw notALog(path, `line ${number} has neither messages nor steps nor traces`);
}

function isVerifiers(line: JsonObject): boolean {
  return Array.isArray(line['traces']) || line['completion'] !== undefined;
}

function objectIn(path: string, text: string): JsonObject {
  let why = 'it is not a JSON object';
  try {
    const value = parsePythonJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    why = (error as Error).message;
  }
  throw notALog(path, why);
}

/** All lines, the last one also where nothing ends it. */
function* wholeLines(file: number, size: number) {
  let end = 0;
  for (const found of readLogLines(file, 0)) {
    end = found.offset + found.length;
    yield found;
  }
  if (end < size) yield { line: textOf(file, end, size - end), offset: end, length: size - end };
}

function textOf(file: number, at: number, length: number): string {
  const bytes = Buffer.alloc(length);
  const read = readSync(file, bytes, 0, length, at);
  return bytes.toString('utf8', 0, read);
}

function numbersOf(place: JsonObject): Readonly<Record<string, number>> {
  return place as Readonly<Record<string, number>>;
}

/** The first line of a file that has something in it, as an object; undefined where it is not one. */
export function firstObject(path: string): JsonObject | undefined {
  const file = openSync(path, 'r');
  try {
    for (const { line } of wholeLines(file, statSync(path).size)) {
      if (line.trim() === '') continue;
      const value: unknown = parsePythonJson(line);
      return isJsonObject(value) ? value : undefined;
    }
    return undefined;
  } catch {
    // The first line of a document on several lines.
    return undefined;
  } finally {
    closeSync(file);
  }
}
