import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { readLines } from '../../../base/json/read-lines.ts';
import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import type { TrajectoryAgent } from '../../../eval/exchange/trajectory.ts';

/** An episode of a study, and who played it. */
export interface StudyEpisode {
  readonly episode: string;
  readonly agent: TrajectoryAgent;
  readonly trial: number;
}

/** The file with the episodes of a study. */
export function episodesOf(study: string): string {
  return join(study, 'episodes.db');
}

export function isStudy(folder: string): boolean {
  return existsSync(join(folder, 'log.jsonl')) && existsSync(episodesOf(folder));
}

/** The episodes of a study, in the order in which they ended. */
export async function* readStudy(folder: string): AsyncGenerator<StudyEpisode> {
  const file = join(folder, 'log.jsonl');
  let players: JsonObject = {};
  for await (const text of readLines(createReadStream(file))) {
    const line = objectIn(text);
    // A line that a crash cut off is the last one, and is not a result yet.
    if (line === undefined) continue;
    if (isJsonObject(line['players'])) ({ players } = line as { readonly players: JsonObject });
    const { episode, player, trial } = line;
    if (typeof episode !== 'string' || typeof player !== 'string') continue;
    const spec = players[player];
    const model = isJsonObject(spec) ? spec['model'] : undefined;
    yield {
      episode,
      agent: { name: player, ...(typeof model === 'string' && { model }) },
      trial: typeof trial === 'number' ? trial + 1 : 1,
    };
  }
}

export function mustBeStudy(folder: string): void {
  if (!isStudy(folder))
    throw new WhetstoneError(
      'usage',
      `${folder} is not the folder of a study: it should have log.jsonl and episodes.db in it.`,
    );
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
