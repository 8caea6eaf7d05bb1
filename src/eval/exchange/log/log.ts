import { basename } from 'node:path';

import { WhetstoneError } from '../../../base/host/errors.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { Trajectory } from '../trajectory.ts';

/** A trajectory of a log, and where it is: enough to read it again alone. Only its own log understands the place. */
export interface LogEntry {
  readonly trajectory: Trajectory;
  readonly place: JsonObject;
  /** How far the file has been read with it, in bytes. */
  readonly readTo: number;
}

/** A file that holds trajectories. It is read one at a time, and no file stays open between two questions. */
export interface Log {
  readonly path: string;
  /** What it is, for a person. */
  readonly format: string;
  readonly bytes: number;
  /** All of them in the order of the file. */
  entries(): AsyncGenerator<LogEntry>;
  /** One of them, by the place that it was given with. */
  read(place: JsonObject): Promise<Trajectory>;
  /** A picture that its trajectories only name. */
  picture?(name: string): Promise<Buffer>;
}

/** The name of a file without what says its kind: what has no name of its own is called so. */
export function nameOf(path: string): string {
  return basename(path).replace(/\.\w+$/, '');
}

/** What is not a log, said with the reason. */
export function notALog(path: string, why: string): WhetstoneError {
  return new WhetstoneError(
    'log_unreadable',
    `${path} is not a known log or trajectory: ${why}. Known: Inspect (.eval, .json), ATIF, JSON Lines of OpenAI's chat and of verifiers, and the logs, results, journals and recordings of Whetstone.`,
  );
}
