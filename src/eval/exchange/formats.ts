import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { WhetstoneError } from '../../base/host/errors.ts';
import { readLines } from '../../base/json/read-lines.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { isAtif, readAtif, writeAtif } from './atif.ts';
import { isZip, readEvalLog, readJsonLog } from './inspect/read-log.ts';
import { readOpenAI, writeOpenAI } from './openai.ts';
import { parsePythonJson } from './python-json.ts';
import type { Trajectory } from './trajectory.ts';
import { readVerifiers, writeVerifiers } from './verifiers.ts';

/** The formats that have a line of JSON for each trajectory. */
export const lineFormats = {
  atif: writeAtif,
  openai: writeOpenAI,
  verifiers: writeVerifiers,
} as const satisfies Record<string, (trajectory: Trajectory, index: number) => JsonObject>;

/**
 * The trajectories of a file, whatever it is: a log of Inspect (`.eval`, `.json`), ATIF (a document, or one a line), or
 * JSON Lines in the shapes of OpenAI's chat and of verifiers. One is held at a time.
 */
export async function* readTrajectories(path: string): AsyncGenerator<Trajectory> {
  if (await isZip(path)) return yield* readEvalLog(path);
  const first = await firstLine(path);
  const line = first === undefined ? undefined : objectOf(first);
  if (line !== undefined && !isInspect(line)) return yield* trajectoriesIn(path);
  const head = await beginning(path);
  if (/^\s*\{\s*"(?:version|status|eval)"/.test(head)) return yield* readJsonLog(path);
  const document = await wholeDocument(path);
  if (isAtif(document)) yield readAtif(document, nameOf(path));
  else if (isInspect(document)) yield* readJsonLog(path);
  else if (Array.isArray(document['messages']) || isVerifiers(document))
    yield* readLine(document, nameOf(path));
  else throw unknown(path, 'it is a JSON object of another kind');
}

async function* trajectoriesIn(path: string): AsyncGenerator<Trajectory> {
  let number = 0;
  for await (const text of linesOf(path)) {
    number += 1;
    if (text.trim() === '') continue;
    const line = objectOf(text);
    if (line === undefined) throw unknown(path, `line ${number} is not a JSON object`);
    yield* readLine(line, `${nameOf(path)}-${number}`, () =>
      unknown(path, `line ${number} has neither messages nor steps nor traces`),
    );
  }
}

function* readLine(line: JsonObject, name: string, otherwise?: () => WhetstoneError): Generator<Trajectory> {
  if (isAtif(line)) yield readAtif(line, name);
  else if (isVerifiers(line)) yield* readVerifiers(line, name);
  else if (Array.isArray(line['messages'])) yield readOpenAI(line, name);
  else if (otherwise) throw otherwise();
}

function isVerifiers(line: JsonObject): boolean {
  return Array.isArray(line['traces']) || line['completion'] !== undefined;
}

function isInspect(document: JsonObject): boolean {
  return isJsonObject(document['eval']);
}

/** The whole text of a document that is on several lines. */
async function wholeDocument(path: string): Promise<JsonObject> {
  let why = 'it is not a JSON object';
  try {
    const value = parsePythonJson(await readFile(path, 'utf8'));
    if (isJsonObject(value)) return value;
  } catch (error) {
    why = (error as Error).message;
  }
  throw unknown(path, why);
}

async function firstLine(path: string): Promise<string | undefined> {
  for await (const line of linesOf(path)) if (line.trim() !== '') return line;
  return undefined;
}

async function beginning(path: string): Promise<string> {
  for await (const piece of createReadStream(path, { encoding: 'utf8', end: 1023 })) return String(piece);
  return '';
}

async function* linesOf(path: string): AsyncGenerator<string> {
  yield* readLines(createReadStream(path));
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const value = parsePythonJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The first line of a document on several lines; of any other line the caller says it.
    return undefined;
  }
}

function nameOf(path: string): string {
  return basename(path).replace(/\.\w+$/, '');
}

function unknown(path: string, why: string): WhetstoneError {
  return new WhetstoneError(
    'log_unreadable',
    `${path} is no log or trajectory that is known here: ${why}. Known: Inspect (.eval, .json), ATIF, and JSON Lines of OpenAI's chat and of verifiers.`,
  );
}
