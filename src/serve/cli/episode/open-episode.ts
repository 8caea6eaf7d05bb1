import { existsSync } from 'node:fs';

import type { Command } from 'commander';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject, type JsonValue } from '../../../base/json/value.ts';
import { storedTranscript } from '../../../grade/episode/stored-transcript.ts';
import { buildTask } from '../../../grade/scenario/build-task.ts';
import type { Scenario } from '../../../grade/scenario/scenario.ts';
import type { Task } from '../../../grade/scenario/task.ts';
import type { Transcript } from '../../../grade/scenario/transcript.ts';
import type { Grade } from '../../../grade/score/grade.ts';
import { readTranscript, taskNamedBy, verdictsIn } from '../../../grade/score/read-transcript.ts';
import type { Verdicts } from '../../../grade/score/verdict.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import { openKept, withData } from '../../terminal/option/data-option.ts';
import { whole } from '../../terminal/option/option.ts';
import { openScenario, readJson } from '../../terminal/scenario-folder.ts';

export interface EpisodeFlags {
  readonly data: string;
  readonly scenario?: string;
  readonly scenarios?: string;
  readonly variant?: number;
  readonly seed?: number;
}

/** What was played: an episode of a store, or a transcript in a file. */
export interface OpenedEpisode {
  readonly scenario: Scenario;
  readonly task: Task;
  readonly transcript: Transcript;
  readonly verdicts: Verdicts;
  /** Its row, where it is one of a store. */
  readonly record?: EpisodeRecord;
}

/** The options by which a command is told where an episode is. */
export function withEpisode(command: Command): Command {
  return withData(command)
    .option('--scenario <collection/name>', 'what was played, if the file does not say so')
    .option('--variant <number>', 'which variant was played (default: what the file says, else 0)', whole)
    .option('--seed <number>', "the person's seed (default: what the file says, else 0)", whole)
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)');
}

/** An episode by its id in the store, or the transcript in a file of this name. */
export async function openEpisode(place: string, flags: EpisodeFlags): Promise<OpenedEpisode> {
  if (place === '-' || existsSync(place)) return readFile(place, flags);
  await using store = await openKept(flags.data);
  const record = await store.readEpisode(place);
  if (record === undefined)
    throw new WhetstoneError(
      'episode_unknown',
      `There is neither an episode "${place}" in ${store.place} nor a file with this name.`,
      { details: { episode: place } },
    );
  const scenario = openScenario(`${record.collection}/${record.scenario}`, flags.scenarios);
  // Written by the engine, from a value of this type.
  const grade = record.grade === null ? undefined : (JSON.parse(record.grade) as Grade);
  return {
    scenario,
    task: buildTask(scenario, record.variant, record.seed),
    transcript: await storedTranscript(record, store),
    verdicts: grade?.verdicts ?? {},
    record,
  };
}

function readFile(file: string, flags: EpisodeFlags): OpenedEpisode {
  const written = readJson(file);
  const name = flags.scenario ?? scenarioNamedBy(written);
  if (name === undefined)
    throw new WhetstoneError(
      'usage',
      `What was played? ${file} does not say so: name it with --scenario collection/name.`,
    );
  const scenario = openScenario(name, flags.scenarios);
  const named = taskNamedBy(written);
  const task = buildTask(scenario, flags.variant ?? named.variant ?? 0, flags.seed ?? named.seed ?? 0);
  return { scenario, task, transcript: readTranscript(written, task), verdicts: verdictsIn(written) };
}

/** As a stored transcript names its task, or as the HTTP API does. */
function scenarioNamedBy(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const task = isJsonObject(value['task']) ? value['task'] : {};
  const collection = task['collection'] ?? value['collection_slug'];
  const scenario = task['scenario'] ?? value['scenario_slug'];
  return typeof collection === 'string' && typeof scenario === 'string'
    ? `${collection}/${scenario}`
    : undefined;
}
