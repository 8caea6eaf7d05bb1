import { closeSync, openSync, readSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import type { JsonObject } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { writeAtif } from './atif.ts';
import { evalLog, isZip, jsonLog } from './inspect/read-log.ts';
import { documentLog, firstObject, lineLog } from './log/line-log.ts';
import type { Log } from './log/log.ts';
import { isRecording, recordingLog } from './log/recording.ts';
import { isJournal, journalLog } from './log/run-journal.ts';
import { writeOpenAI } from './openai.ts';
import type { Trajectory } from './trajectory.ts';
import { writeVerifiers } from './verifiers.ts';

/** The formats that have a line of JSON for each trajectory. */
export const lineFormats = {
  atif: writeAtif,
  openai: writeOpenAI,
  verifiers: writeVerifiers,
} as const satisfies Record<string, (trajectory: Trajectory, index: number) => JsonObject>;

/**
 * The trajectories of a file, whatever it is: a log of Inspect (`.eval`, `.json`), ATIF (a document, or one a line),
 * JSON Lines in the shapes of OpenAI's chat and of verifiers, or a log, results, a journal or a recording of Whetstone.
 * One is kept in memory at a time.
 */
export async function* readTrajectories(path: string): AsyncGenerator<Trajectory> {
  for await (const { trajectory } of (await openLog(path)).entries()) yield trajectory;
}

/** Finds out what a file is. What is not a log is refused, and nothing is read yet but its beginning. */
export async function openLog(path: string): Promise<Log> {
  if (await isZip(path)) return evalLog(path);
  const head = beginning(path);
  // A log of Inspect may be one line of a gigabyte.
  const isInspectHead = /^\s*\{\s*"(?:version|status|eval)"/.test(head);
  if (isInspectHead && !head.includes('\n')) return jsonLog(path);
  const first = firstObject(path);
  if (first !== undefined && isJournal(first)) return journalLog(path);
  if (first !== undefined && isRecording(first)) return recordingLog(dirname(resolve(path)));
  if (first !== undefined && !isJsonObject(first['eval'])) return lineLog(path);
  if (isInspectHead) return jsonLog(path);
  return documentLog(path, readFileSync(path, 'utf8'));
}

const headBytes = 65_536;

function beginning(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(headBytes);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, headBytes, 0));
  } finally {
    closeSync(file);
  }
}
