import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { checkFormat } from '../scenario/validate/check-format.ts';
import { labelsSchema } from '../scenario/format/labels.ts';
import { messagesOf, pathsOf, turnsOf } from '../scenario/paths.ts';
import { playThrough } from '../play/play-through.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { buildTask } from '../scenario/build-task.ts';
import type { Task } from '../scenario/task.ts';
import type { Transcript } from '../scenario/transcript.ts';
import { bindVariant, fillTemplate } from '../scenario/variant.ts';
import { readYaml } from '../scenario/load/yaml.ts';
import type { Diagnostic } from '../scenario/diagnostic.ts';
import { judgedCriteria } from '../score/verdict.ts';
import type { JudgedCriterion } from '../score/verdict.ts';

/** A conversation, and what people said of it: for each judged criterion yes or no, or the level of a rubric. */
export interface Labelled {
  readonly id: string;
  readonly task: Task;
  readonly transcript: Transcript;
  readonly labels: Readonly<Record<string, boolean | string>>;
}

export interface ReadLabels {
  readonly labelled: readonly Labelled[];
  readonly faults: readonly Diagnostic[];
  /** False where the scenario has no `labels.yaml`. */
  readonly found: boolean;
}

/** Reads a scenario's `labels.yaml`: its conversations are played through, so that a judge sees what people saw. */
export function readLabels(scenario: Scenario): ReadLabels {
  const file = join(scenario.folder, 'labels.yaml');
  if (!existsSync(file)) return { labelled: [], faults: [], found: false };
  const source = readYaml(readFileSync(file, 'utf8'), file);
  const faults = [...source.faults, ...(source.faults.length === 0 ? checkFormat(source, labelsSchema) : [])];
  if (faults.length > 0) return { labelled: [], faults, found: true };
  const labelled: Labelled[] = [];
  (source.value as readonly JsonObject[]).forEach((entry, index) => {
    const say = (path: readonly string[], message: string): void => {
      faults.push({ message, place: source.locate([index, ...path]) });
    };
    const variant = Number(entry['variant'] ?? 0);
    if (variant >= scenario.variants) {
      say(['variant'], `There is no variant ${variant}: there are ${scenario.variants}, counted from 0.`);
      return;
    }
    const task = buildTask(scenario, variant);
    const labels = entry['labels'] as Labelled['labels'];
    const criteria = judgedCriteria(task);
    for (const [id, label] of Object.entries(labels)) {
      const why = objectionTo(label, id, criteria);
      if (why !== undefined) say(['labels', id], why);
    }
    labelled.push({
      id: String(entry['id']),
      task,
      transcript: transcriptOf(scenario, task, entry['turns']),
      labels,
    });
  });
  return { labelled, faults, found: true };
}

function objectionTo(
  label: boolean | string,
  id: string,
  criteria: readonly JudgedCriterion[],
): string | undefined {
  const criterion = criteria.find((one) => one.id === id);
  const known = criteria.map((one) => one.id).join(', ');
  if (!criterion) return `No criterion "${id}" needs a judge. Those that do: ${known || 'none'}.`;
  const { kind, levels = [] } = criterion;
  if (kind !== 'rubric') return typeof label === 'boolean' ? undefined : `"${id}" is true or false.`;
  return levels.some((level) => level.label === label)
    ? undefined
    : `"${id}" has no level "${label}". It has: ${levels.map((level) => level.label).join(', ')}.`;
}

function transcriptOf(scenario: Scenario, task: Task, turns: JsonValue | undefined): Transcript {
  const { variant } = task.reference;
  const filled = fillTemplate({ turns: turns ?? [] }, bindVariant(scenario.axes, variant));
  const written = isJsonObject(filled) ? filled['turns'] : [];
  return playThrough(task, turnsOf(written, pathsOf(scenario, variant).gold).map(messagesOf));
}
