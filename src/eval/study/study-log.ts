import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import type { TaskResult } from '../statistics/result.ts';
import type { PlayerSpec } from '../suite/suite.ts';

/** What came of one cell of a suite: the result, and the episode that it was read from. */
export interface StudyResult extends TaskResult {
  readonly key: string;
  readonly player: string;
  readonly template: string;
  readonly trial: number;
  readonly success: boolean;
  readonly turns: number;
  readonly episode: string;
}

/**
 * The log of a study: who plays in its first line, then one line a result, each on disk before the next cell is begun.
 * A line that a crash cut off is taken away when the log is opened again.
 */
export class StudyLog {
  readonly #file: number;
  readonly #results = new Map<string, StudyResult>();

  constructor(file: string, players: readonly PlayerSpec[]) {
    mkdirSync(dirname(file), { recursive: true });
    const lines = existsSync(file) ? wholeLines(file) : [];
    const named = Object.fromEntries(players.map(({ name, ...spec }) => [name, spec]));
    const [head, ...results] = lines.map((line, index) => readLine(line, `${file}:${index + 1}`));
    const known = head === undefined ? {} : playersOf(head, file);
    for (const [name, spec] of Object.entries(known)) {
      if (named[name] !== undefined && JSON.stringify(named[name]) !== JSON.stringify(spec))
        throw new WhetstoneError(
          'study_mismatch',
          `In ${file} "${name}" was ${JSON.stringify(spec)}, and now is ${JSON.stringify(named[name])}. Give the new player another name, or the study another folder.`,
        );
    }
    for (const result of results) {
      if (result['players'] === undefined) {
        const read = result as unknown as StudyResult; // Written by `add` below.
        this.#results.set(read.key, read);
      }
    }
    this.#file = openSync(file, 'a');
    if (head === undefined) this.#write({ players: named } as JsonObject);
  }

  get results(): readonly StudyResult[] {
    return [...this.#results.values()];
  }

  has(key: string): boolean {
    return this.#results.has(key);
  }

  add(result: StudyResult): void {
    if (this.#results.has(result.key)) return;
    this.#write({ ...result });
    this.#results.set(result.key, result);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #write(line: JsonObject): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
    fdatasyncSync(this.#file);
  }
}

function wholeLines(file: string): readonly string[] {
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(file, end);
  return bytes
    .subarray(0, end)
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

function readLine(line: string, at: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line);
    if (isJsonObject(value)) return value;
  } catch {
    // Said below, as of a line that is JSON and not an object.
  }
  throw new WhetstoneError('study_mismatch', `${at} is not a line of a study's log. Is it another file?`);
}

function playersOf(head: JsonObject, file: string): JsonObject {
  const players = head['players'];
  if (isJsonObject(players)) return players;
  throw new WhetstoneError(
    'study_mismatch',
    `${file} does not begin as the log of a study. Is it another file?`,
  );
}
