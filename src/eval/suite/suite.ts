import { WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { nearestName } from '../../base/schema/check/nearest-names.ts';
import { formatDiagnostic } from '../../grade/scenario/diagnostic.ts';
import { readYaml } from '../../grade/scenario/load/yaml.ts';

/** What is to be played, by whom, and how often. */
export interface Suite {
  readonly tasks: readonly ScenarioTasks[];
  readonly players: readonly PlayerSpec[];
  /** Episodes of each player in each task. */
  readonly trials: number;
  /** Episodes that are played at once. */
  readonly concurrency: number;
}

/** Scenarios by name, `*` for any part of it: of one split where it is named, each in so many variants. */
export interface ScenarioTasks {
  readonly scenarios: string;
  readonly split?: string;
  readonly variants: number;
}

/** Who plays: a model, or one of the built-in operators. */
export type PlayerSpec =
  | { readonly name: string; readonly model: string; readonly baseUrl?: string }
  | { readonly name: string; readonly operator: string };

/** Reads a suite from YAML; whatever is wrong with it is said with its place. */
export function readSuite(text: string, file: string): Suite {
  const source = readYaml(text, file);
  const [fault] = source.faults;
  if (fault !== undefined) throw new WhetstoneError('suite_invalid', formatDiagnostic(fault));
  const suite = members(source.value, file, ['tasks', 'players', 'trials', 'concurrency']);
  const players = list(suite['players'], `${file}: players`).map((each, index) =>
    readPlayer(each, `${file}: players[${index}]`),
  );
  const twice = players.find(({ name }, index) => players.findIndex((other) => other.name === name) < index);
  if (twice !== undefined)
    throw invalid(`${file}: players`, `Two are called "${twice.name}". Give each a name of its own.`);
  return {
    tasks: list(suite['tasks'], `${file}: tasks`).map((each, index) =>
      readTasks(each, `${file}: tasks[${index}]`),
    ),
    players,
    trials: count(suite['trials'] ?? 1, `${file}: trials`),
    concurrency: count(suite['concurrency'] ?? 8, `${file}: concurrency`),
  };
}

function readTasks(value: JsonValue, at: string): ScenarioTasks {
  const { scenarios, split, variants } = members(value, at, ['scenarios', 'split', 'variants']);
  return {
    scenarios: text(scenarios, `${at}.scenarios`),
    ...(split !== undefined && { split: text(split, `${at}.split`) }),
    variants: count(variants ?? 1, `${at}.variants`),
  };
}

function readPlayer(value: JsonValue, at: string): PlayerSpec {
  const { name, model, operator, baseUrl } = members(value, at, ['name', 'model', 'operator', 'baseUrl']);
  if ((model === undefined) === (operator === undefined))
    throw invalid(at, 'A player is either a "model" or an "operator".');
  if (operator !== undefined) {
    const plays = text(operator, `${at}.operator`);
    return { name: name === undefined ? plays : text(name, `${at}.name`), operator: plays };
  }
  const plays = text(model, `${at}.model`);
  return {
    name: name === undefined ? plays : text(name, `${at}.name`),
    model: plays,
    ...(baseUrl !== undefined && { baseUrl: text(baseUrl, `${at}.baseUrl`) }),
  };
}

function members(value: JsonValue | undefined, at: string, known: readonly string[]): JsonObject {
  if (!isJsonObject(value)) throw invalid(at, `It should be an object with ${known.join(', ')}.`);
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    throw invalid(
      at,
      `There is no "${name}" here.${near === undefined ? '' : ` Did you mean "${near}"?`} Known: ${known.join(', ')}.`,
    );
  }
  return value;
}

function list(value: JsonValue | undefined, at: string): readonly JsonValue[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid(at, 'It should be a list of one or more.');
  return value as readonly JsonValue[];
}

function text(value: JsonValue | undefined, at: string): string {
  if (typeof value !== 'string' || value === '') throw invalid(at, 'It should be a text.');
  return value;
}

function count(value: JsonValue, at: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw invalid(at, `It should be a whole number from 1 on, not ${JSON.stringify(value)}.`);
  return value as number;
}

function invalid(at: string, message: string): WhetstoneError {
  return new WhetstoneError('suite_invalid', `${at}: ${message}`, { details: { at } });
}
