import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

import { WhetstoneError } from '../../base/host/errors.ts';
import { makeFolder } from '../../base/host/make-folder.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { identityOf, type PlayerSpec } from '../suite/suite.ts';
import type { FaultSide } from './fault.ts';
import { LogIndex, type IndexEntry } from './log-index.ts';
import { readLogLines } from './log-lines.ts';
import { judgeFaultOf, type StudyResult } from './study-result.ts';

/** A try that failed for reasons outside its player. */
export interface LoggedFault {
  readonly key: string;
  readonly player: string;
  readonly side: FaultSide;
  /** In a word: `rate_limit`, `network`. */
  readonly kind: string;
  readonly message: string;
}

/**
 * The log of a study: who plays in its first line, then one line a result, each on disk before the next cell is begun.
 * A line that a crash cut off is taken away when the log is opened again. An index next to it says where each result is,
 * so that opening and looking up cost no reading, and the results are never in memory together.
 */
export class StudyLog {
  readonly #path: string;
  readonly #file: number;
  readonly #index: LogIndex;
  #end: number;

  constructor(file: string, players: readonly PlayerSpec[]) {
    this.#path = file;
    makeFolder(dirname(file));
    this.#file = openSync(file, 'a+');
    this.#end = fstatSync(this.#file).size;
    const head = this.#checkHead(players);
    this.#index = new LogIndex(`${file}.index`, this.#end);
    const known = Math.max(this.#index.end, head);
    let whole = known;
    for (const { line, offset, length } of readLogLines(this.#file, known)) {
      const result = readLine(line, `${file}, byte ${offset}`);
      if (typeof result['key'] === 'string')
        this.#index.add(result['key'], { offset, length, isOpen: isOpenLine(result) });
      whole = offset + length;
    }
    if (whole < this.#end) ftruncateSync(this.#file, whole);
    this.#end = whole;
    if (head === 0)
      this.#write({ players: Object.fromEntries(players.map((each) => [each.name, identityOf(each)])) });
  }

  /** How many results there are. */
  get size(): number {
    return this.#index.settled;
  }

  /** Every result, in the order in which they came; read one after the other. */
  *results(): Generator<StudyResult> {
    for (const { offset, length, isOpen } of this.#index.entries())
      if (!isOpen) yield this.#read({ offset, length });
  }

  has(key: string): boolean {
    return this.#index.find(key)?.isOpen === false;
  }

  /** The last that was written of a cell, also where it is not a result yet: an answer that waits for its judge. */
  last(key: string): StudyResult | undefined {
    const found = this.#index.find(key);
    const line = found && this.#read(found);
    return line?.player === undefined ? undefined : line;
  }

  add(result: StudyResult): void {
    if (this.has(result.key)) return;
    this.#append(result.key, result as unknown as JsonObject);
  }

  /** Takes a result back, so that its cell is played again; the old line stays in the log. */
  requeue(key: string): void {
    if (this.has(key)) this.#append(key, { key, requeued: true });
  }

  /** Writes down that a try failed for reasons outside its player: it is not a result, and is counted. */
  addFault(fault: LoggedFault): void {
    this.#write({ fault: { ...fault } });
  }

  /** Every try that failed so, of all runs of the study. */
  *faults(): Generator<LoggedFault> {
    for (const { line } of readLogLines(this.#file, 0)) {
      // Not every line is read as JSON: a study has many results and few faults.
      if (!line.startsWith('{"fault":')) continue;
      // Written by `addFault`.
      yield readLine(line, this.#path)['fault'] as unknown as LoggedFault;
    }
  }

  [Symbol.dispose](): void {
    this.#index[Symbol.dispose]();
    closeSync(this.#file);
  }

  #checkHead(players: readonly PlayerSpec[]): number {
    const first = readLogLines(this.#file, 0).next().value;
    if (first === undefined) return 0;
    const known = playersOf(readLine(first.line, `${this.#path}:1`), this.#path);
    for (const player of players) {
      const before = known[player.name];
      const now = identityOf(player);
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(now))
        throw new WhetstoneError(
          'study_mismatch',
          `In ${this.#path} "${player.name}" was ${JSON.stringify(before)}, but is now ${JSON.stringify(now)}. Give the new player another name, or the study another folder.`,
        );
    }
    return first.length;
  }

  #append(key: string, line: JsonObject): void {
    const offset = this.#end;
    this.#write(line);
    this.#index.add(key, { offset, length: this.#end - offset, isOpen: isOpenLine(line) });
  }

  #write(line: JsonObject): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done);
      fdatasyncSync(this.#file);
    } catch (cause) {
      // A line that is there in part would be taken for a line of its own.
      ftruncateSync(this.#file, this.#end);
      throw new WhetstoneError(
        'study_unwritten',
        `${this.#path} cannot be written: ${(cause as Error).message}. What was played before is kept; make room, and run the same command again.`,
        { cause },
      );
    }
    this.#end += bytes.length;
  }

  #read({ offset, length }: Pick<IndexEntry, 'offset' | 'length'>): StudyResult {
    const bytes = Buffer.alloc(length);
    readSync(this.#file, bytes, 0, length, offset);
    // Written by `add`.
    return readLine(bytes.toString(), `${this.#path}, byte ${offset}`) as unknown as StudyResult;
  }
}

function isOpenLine(line: JsonObject): boolean {
  // Written by `add`.
  return (
    line['requeued'] === true ||
    judgeFaultOf(line as Pick<StudyResult, 'answer' | 'played' | 'judgeFault'>) !== undefined
  );
}

function readLine(line: string, at: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line);
    if (isJsonObject(value)) return value;
  } catch {
    // Said below, as of a line that is JSON and not an object.
  }
  throw new WhetstoneError('study_mismatch', `${at} is not a line of a study's log. Is it a different file?`);
}

function playersOf(head: JsonObject, file: string): JsonObject {
  const players = head['players'];
  if (isJsonObject(players)) return players;
  throw new WhetstoneError(
    'study_mismatch',
    `${file} does not begin like the log of a study. Is it a different file?`,
  );
}
