import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import type { ErrorCode } from '../../../base/host/errors.ts';
import { makeFolder } from '../../../base/host/make-folder.ts';
import { parseJson } from '../../../base/json/parse.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { Action, Point } from '../../../base/message/action.ts';
import type { Size } from '../../../base/message/frame.ts';
import { sha256 } from '../../../base/json/sha256.ts';
import type { Computer, ComputerEvent } from '../computer.ts';

/** One thing that was done, and what came of it. */
export interface RecordedStep {
  readonly action: Action;
  /** What was typed went to a place that is masked, and is not in the record. */
  readonly masked?: true;
  readonly failure?: { readonly code: ErrorCode; readonly message: string };
  readonly texts: readonly string[];
  readonly effect?: string;
  /** The name of the picture: its hash. */
  readonly picture?: string;
  /** The pictures' size, in whose pixels points and the cursor are counted. */
  readonly display: Size;
  readonly cursor: Point;
  readonly url: string;
  readonly events: readonly ComputerEvent[];
  /** Milliseconds since the record began, and how many the step took. */
  readonly at: number;
  readonly ms: number;
}

export interface ComputerRecord {
  readonly environment: Computer['environment'];
  readonly screen: Size;
  readonly steps: readonly RecordedStep[];
  picture(name: string): Promise<Buffer>;
}

const version = 1;
export const stepsFile = 'record.jsonl';

/** Writes a record into a folder, step by step: what was done before a crash is there after it. */
export class RecordWriter {
  readonly #folder: string;
  readonly #kept = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(
    folder: string,
    computer: Pick<Computer, 'environment' | 'screen'>,
  ): Promise<RecordWriter> {
    makeFolder(join(folder, 'pictures'));
    const header = { version, environment: computer.environment, screen: computer.screen };
    try {
      // What was recorded here before is not written over.
      await writeFile(join(folder, stepsFile), `${JSON.stringify(header)}\n`, { flag: 'wx' });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      throw new WhetstoneError(
        'computer_option_invalid',
        `The folder ${folder} holds a record already. Name another one, or remove it.`,
        { cause },
      );
    }
    return new RecordWriter(folder);
  }

  /** Keeps a picture, each different one once, and answers with its name. */
  async keepPicture(picture: Buffer): Promise<string> {
    const name = `${sha256(picture)}.png`;
    if (!this.#kept.has(name)) {
      await writeFile(join(this.#folder, 'pictures', name), picture);
      this.#kept.add(name);
    }
    return name;
  }

  async write(step: RecordedStep): Promise<void> {
    await appendFile(join(this.#folder, stepsFile), `${JSON.stringify(step)}\n`);
  }
}

/** Reads a record from its folder. */
export async function readRecord(folder: string): Promise<ComputerRecord> {
  const text = await readFile(join(folder, stepsFile), 'utf8').catch((cause: unknown) => {
    throw unreadable(folder, `it has no ${stepsFile}`, cause);
  });
  // The last line of a record that was cut off in the middle of it is none.
  const [first, ...lines] = text.split('\n').slice(0, -1);
  const header = readLine(folder, first ?? '', 1);
  if (header['version'] !== version) throw unreadable(folder, `its version is ${String(header['version'])}`);
  return {
    environment: header['environment'] as Computer['environment'],
    screen: header['screen'] as unknown as Size,
    steps: lines.map((line, index) => readLine(folder, line, index + 2) as unknown as RecordedStep),
    picture: (name) => readPicture(folder, name),
  };
}

/** What a record may call a picture; nothing else of its folder is one. */
export const pictureName = /^[0-9a-f]{64}\.png$/;

export async function readPicture(folder: string, name: string): Promise<Buffer> {
  if (!pictureName.test(name)) throw unreadable(folder, `"${name}" is not the name of a picture`);
  return readFile(join(folder, 'pictures', name)).catch((cause: unknown) => {
    throw unreadable(folder, `its picture ${name} is not there`, cause);
  });
}

function readLine(folder: string, line: string, number: number): JsonObject {
  let value: JsonValue;
  try {
    value = parseJson(line);
  } catch (cause) {
    if (isWhetstoneError(cause)) throw unreadable(folder, `line ${number} is not JSON`, cause);
    throw cause;
  }
  return value as JsonObject;
}

function unreadable(folder: string, why: string, cause?: unknown): WhetstoneError {
  return new WhetstoneError('record_unreadable', `${folder} holds no record that can be replayed: ${why}.`, {
    cause,
  });
}
