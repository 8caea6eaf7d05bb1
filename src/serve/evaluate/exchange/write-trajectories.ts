import { once } from 'node:events';
import { createWriteStream, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

import { systemClock } from '../../../base/host/clock.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { makeFolder } from '../../../base/host/make-folder.ts';
import { writeAtif } from '../../../eval/exchange/atif.ts';
import { csvHead, csvRow } from '../../../eval/exchange/csv.ts';
import { lineFormats } from '../../../eval/exchange/formats.ts';
import { writeInspectLog } from '../../../eval/exchange/inspect/write-log.ts';
import type { Trajectory } from '../../../eval/exchange/trajectory.ts';

export const formatNames = ['inspect', 'atif', 'openai', 'verifiers', 'csv'] as const;

export type FormatName = (typeof formatNames)[number];

/** What was written. */
export interface Exported {
  readonly count: number;
  /** Those of which the provider told no token ids. */
  readonly withoutTokens: number;
}

/** Writes trajectories in a format, to a file (ATIF: or to one file each in a folder) or to standard output. */
export async function writeTrajectories(
  trajectories: AsyncIterable<Trajectory>,
  {
    format,
    out,
    task,
  }: { readonly format: FormatName; readonly out: string | undefined; readonly task: string },
): Promise<Exported> {
  const tally = { count: 0, withoutTokens: 0 };
  const counted = countIn(tally, trajectories);
  if (format === 'inspect') {
    if (out === undefined || !/\.(?:eval|json)$/.test(out))
      throw new WhetstoneError(
        'usage',
        'A log for Inspect is a file: name it with --out, such as --out log.eval (or log.json).',
      );
    await writeInspectLog(out, counted, { task, now: systemClock.now() });
  } else if (format === 'atif' && out !== undefined && isFolder(out)) {
    makeFolder(out);
    for await (const trajectory of counted)
      writeFileSync(
        join(out, `${trajectory.id.replaceAll(/[^\w.@-]/g, '_')}.json`),
        `${JSON.stringify(writeAtif(trajectory))}\n`,
      );
  } else await writeLines(linesOf(counted, format), out);
  return tally;
}

async function* countIn(
  tally: { count: number; withoutTokens: number },
  trajectories: AsyncIterable<Trajectory>,
): AsyncGenerator<Trajectory> {
  for await (const trajectory of trajectories) {
    tally.count += 1;
    if (trajectory.tokens.length === 0) tally.withoutTokens += 1;
    yield trajectory;
  }
}

/** A folder that is there, or a name that is not a file's. */
function isFolder(out: string): boolean {
  return statSync(out, { throwIfNoEntry: false })?.isDirectory() ?? !/\.\w+$/.test(out);
}

async function* linesOf(
  trajectories: AsyncIterable<Trajectory>,
  format: Exclude<FormatName, 'inspect'>,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvHead;
  let index = 0;
  for await (const trajectory of trajectories) {
    yield format === 'csv' ? csvRow(trajectory) : JSON.stringify(lineFormats[format](trajectory, index));
    index += 1;
  }
}

export async function writeLines(lines: AsyncIterable<string>, out: string | undefined): Promise<void> {
  const stream: Writable = out === undefined ? process.stdout : createWriteStream(out);
  // A file that cannot be opened or a disk that is full ends the command, and not only its stream.
  const failed = out === undefined ? undefined : once(stream, 'close');
  failed?.catch(() => undefined);
  for await (const line of lines)
    if (!stream.write(`${line}\n`)) await Promise.race([once(stream, 'drain'), ...(failed ? [failed] : [])]);
  if (out === undefined) return;
  stream.end();
  await failed;
}
