import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import { cutObject } from '../cut-object.ts';
import { parsePythonJson } from '../python-json.ts';
import type { Trajectory } from '../trajectory.ts';
import { readDirectory, readMember } from '../zip/read-zip.ts';
import { readSample } from './read-sample.ts';

/** The samples of an `.eval` log, one at a time, in the order of the file; also of one that is still being written. */
export async function* readEvalLog(path: string): AsyncGenerator<Trajectory> {
  const file = await open(path);
  try {
    const entries = await readDirectory(file, path);
    const member = async (name: string): Promise<JsonObject> => {
      const entry = entries.findLast((one) => one.name === name);
      return entry === undefined ? {} : objectIn(await readMember(file, entry, path), `${path}: ${name}`);
    };
    const header = await member('header.json');
    const spec = isJsonObject(header['eval']) ? header : await member('_journal/start.json');
    if (!isJsonObject(spec['eval']))
      throw new WhetstoneError(
        'log_unreadable',
        `${path} is a zip file, and not a log of Inspect: it has neither header.json nor _journal/start.json.`,
      );
    // A sample that was written twice counts as it was written last.
    const latest = new Map(entries.map((entry) => [entry.name, entry]));
    for (const entry of entries) {
      if (latest.get(entry.name) !== entry || !/^samples\/.+\.json$/s.test(entry.name)) continue;
      const text = await readMember(file, entry, path);
      yield readSample(objectIn(text, `${path}: ${entry.name}`), spec);
    }
  } finally {
    await file.close();
  }
}

/** The samples of a `.json` log: it is cut into samples while it is read. */
export async function* readJsonLog(path: string): AsyncGenerator<Trajectory> {
  const header: Record<string, JsonObject> = {};
  const waiting: JsonObject[] = [];
  const listed = new Set(['samples']);
  for await (const { key, text } of cutObject(createReadStream(path, 'utf8'), listed)) {
    if (key === 'eval') header['eval'] = objectIn(text, `${path}: eval`);
    if (key !== 'samples' || text === 'null') continue;
    const sample = objectIn(text, `${path}: a sample`);
    // Inspect writes who played before the samples; who does otherwise is read all the same.
    if (header['eval'] === undefined) waiting.push(sample);
    else yield readSample(sample, header);
  }
  if (header['eval'] === undefined)
    throw new WhetstoneError(
      'log_unreadable',
      `${path} is JSON, and not a log of Inspect: it has no "eval".`,
    );
  for (const sample of waiting) yield readSample(sample, header);
}

/** Whether a file begins as a zip file does. */
export async function isZip(path: string): Promise<boolean> {
  const file: FileHandle = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return (
      bytesRead === 4 && (buffer.readUInt32LE(0) === 0x04034b50 || buffer.readUInt32LE(0) === 0x06054b50)
    );
  } finally {
    await file.close();
  }
}

function objectIn(text: string, place: string): JsonObject {
  let why = 'it is not an object';
  try {
    const value = parsePythonJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    why = (error as Error).message;
  }
  throw new WhetstoneError('log_unreadable', `${place} cannot be read: ${why}.`);
}
