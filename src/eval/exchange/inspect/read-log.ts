import { createReadStream, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import { cutObject } from '../cut-object.ts';
import { numberAt } from '../fields.ts';
import type { Log, LogEntry } from '../log/log.ts';
import { parsePythonJson } from '../python-json.ts';
import { readDirectory, readMember, type ZipEntry } from '../zip/read-zip.ts';
import { readSample } from './read-sample.ts';

/** Later versions may say the same things otherwise. */
const knownVersion = 3;

/** The samples of an `.eval` log, in the order of the file; also of one that is still being written. */
export async function evalLog(path: string): Promise<Log> {
  const { size } = statSync(path);
  const { entries, header } = await within(path, async (file) => {
    const all = await readDirectory(file, path);
    return { entries: all, header: await headerIn(file, all, path) };
  });
  mustBeKnown(header, path);
  // A sample that was written twice counts as it was written last.
  const latest = new Map(entries.map((entry, index) => [entry.name, index]));
  const samples = [...latest].flatMap(([name, index]) => (/^samples\/.+\.json$/s.test(name) ? [index] : []));
  const sampleIn = async (file: FileHandle, entry: ZipEntry) =>
    readSample(objectIn(await readMember(file, entry, path), `${path}: ${entry.name}`), header);
  return {
    path,
    format: 'a log of Inspect',
    bytes: size,
    async *entries(): AsyncGenerator<LogEntry> {
      const file = await open(path);
      try {
        for (const index of samples.toSorted((one, other) => one - other)) {
          const entry = entries[index]!;
          const readTo = entry.offset + entry.packed;
          yield { trajectory: await sampleIn(file, entry), place: { entry: index }, readTo };
        }
      } finally {
        await file.close();
      }
    },
    read: (place) => within(path, (file) => sampleIn(file, entries[numberAt(place, 'entry') ?? 0]!)),
  };
}

async function headerIn(file: FileHandle, entries: readonly ZipEntry[], path: string): Promise<JsonObject> {
  for (const name of ['header.json', '_journal/start.json']) {
    const entry = entries.findLast((one) => one.name === name);
    if (entry === undefined) continue;
    const header = objectIn(await readMember(file, entry, path), `${path}: ${name}`);
    if (isJsonObject(header['eval'])) return header;
  }
  throw new WhetstoneError(
    'log_unreadable',
    `${path} is a zip file, but not a log of Inspect: it has neither header.json nor _journal/start.json.`,
  );
}

/** The samples of a `.json` log: it is cut into samples while it is read. */
export function jsonLog(path: string): Log {
  const { size } = statSync(path);
  let header: JsonObject | undefined;
  return {
    path,
    format: 'a log of Inspect',
    bytes: size,
    async *entries(): AsyncGenerator<LogEntry> {
      const waiting: Omit<SampleText, 'readTo'>[] = [];
      // Each byte is read as a character, so that a place in the text is one in the file.
      for await (const { key, text, at, length } of cutObject(
        createReadStream(path, 'latin1'),
        new Set(['samples']),
      )) {
        if (key === 'version') mustBeKnown({ version: Number(text) }, path);
        if (key === 'eval') header = { eval: objectIn(utf8(text), `${path}: eval`) };
        if (key !== 'samples' || text === 'null') continue;
        const sample = { text: utf8(text), place: { at, length } };
        // Inspect writes who played before the samples; who does otherwise is read all the same.
        if (header === undefined) waiting.push(sample);
        else yield entryOf({ ...sample, readTo: at + length }, header, path);
      }
      if (header === undefined)
        throw new WhetstoneError(
          'log_unreadable',
          `${path} is JSON, but not a log of Inspect: it has no "eval".`,
        );
      for (const sample of waiting) yield entryOf({ ...sample, readTo: size }, header, path);
    },
    read: (place) =>
      within(path, async (file) => {
        const length = numberAt(place, 'length') ?? 0;
        const bytes = Buffer.alloc(length);
        const { bytesRead } = await file.read(bytes, 0, length, numberAt(place, 'at') ?? 0);
        return readSample(objectIn(bytes.toString('utf8', 0, bytesRead), `${path}: a sample`), header ?? {});
      }),
  };
}

interface SampleText {
  readonly text: string;
  readonly place: JsonObject;
  readonly readTo: number;
}

function entryOf({ text, ...entry }: SampleText, header: JsonObject, path: string): LogEntry {
  return { trajectory: readSample(objectIn(text, `${path}: a sample`), header), ...entry };
}

/** Whether a file begins as a zip file does. */
export function isZip(path: string): Promise<boolean> {
  return within(path, async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return (
      bytesRead === 4 && (buffer.readUInt32LE(0) === 0x04034b50 || buffer.readUInt32LE(0) === 0x06054b50)
    );
  });
}

function mustBeKnown({ version }: JsonObject, path: string): void {
  if (typeof version === 'number' && version > knownVersion)
    throw new WhetstoneError(
      'log_unreadable',
      `${path} is an Inspect log of version ${version}, but only versions up to ${knownVersion} are known: read it with a newer Whetstone.`,
    );
}

async function within<Answer>(path: string, ask: (file: FileHandle) => Promise<Answer>): Promise<Answer> {
  const file = await open(path);
  try {
    return await ask(file);
  } finally {
    await file.close();
  }
}

function utf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
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
