import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

import { WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { formatDiagnostic } from '../../grade/scenario/diagnostic.ts';
import { readYaml } from '../../grade/scenario/load/yaml.ts';
import { amount, count, invalid, list, members, oneOf, text } from './fields.ts';
import type {
  AnswerCheck,
  BenchmarkTasks,
  Budget,
  JudgeSpec,
  ModelSpec,
  PlayerSpec,
  Sampling,
  Suite,
  TaskSource,
} from './suite.ts';

/** Reads a suite from YAML; whatever is wrong with it is said with its place. Paths in it begin at its folder. */
export function readSuite(yaml: string, file: string): Suite {
  const source = readYaml(yaml, file);
  const [fault] = source.faults;
  if (fault !== undefined) throw new WhetstoneError('suite_invalid', formatDiagnostic(fault));
  const suite = members(source.value, file, ['tasks', 'players', 'trials', 'concurrency']);
  const folder = dirname(file);
  const players = list(suite['players'], `${file}: players`).map((each, index) =>
    readPlayer(each, `${file}: players[${index}]`, folder),
  );
  const twice = players.find(({ name }, index) => players.findIndex((other) => other.name === name) < index);
  if (twice !== undefined)
    throw invalid(`${file}: players`, `Two are called "${twice.name}". Give each a name of its own.`);
  return {
    tasks: list(suite['tasks'], `${file}: tasks`).map((each, index) =>
      readTasks(each, `${file}: tasks[${index}]`, folder),
    ),
    players,
    trials: count(suite['trials'] ?? 1, `${file}: trials`),
    concurrency: count(suite['concurrency'] ?? 8, `${file}: concurrency`),
  };
}

function readTasks(value: JsonValue, at: string, folder: string): TaskSource {
  if (isJsonObject(value) && value['questions'] !== undefined) {
    const { questions, ...how } = members(value, at, [
      'questions',
      'check',
      'tolerance',
      'judge',
      'baseUrl',
      'prompt',
      'votes',
    ]);
    return {
      questions: placed(folder, text(questions, `${at}.questions`)),
      check: readCheck(how, at, folder),
    };
  }
  if (isJsonObject(value) && value['benchmark'] !== undefined) return readBenchmark(value, at, folder);
  const { scenarios, split, variants } = members(value, at, ['scenarios', 'split', 'variants']);
  return {
    scenarios: text(scenarios, `${at}.scenarios`),
    ...(split !== undefined && { split: text(split, `${at}.split`) }),
    variants: count(variants ?? 1, `${at}.variants`),
  };
}

function readBenchmark(value: JsonObject, at: string, folder: string): BenchmarkTasks {
  const { benchmark, data, domain, category, split, solo, tasks, person, ...judging } = members(value, at, [
    'benchmark',
    'data',
    'domain',
    'category',
    'split',
    'solo',
    'tasks',
    'person',
    'judge',
    'baseUrl',
    'votes',
  ]);
  if (solo === true && person !== undefined)
    throw invalid(at, 'It is played either "solo", with nobody to talk to, or with a "person", not both.');
  if (domain !== undefined && category !== undefined)
    throw invalid(at, 'It has either a "domain" (tau-bench, tau2) or a "category" (bfcl), not both.');
  const part = domain ?? category;
  return {
    benchmark: text(benchmark, `${at}.benchmark`),
    data: placed(folder, text(data, `${at}.data`)),
    ...(part !== undefined && { part: text(part, `${at}.${domain === undefined ? 'category' : 'domain'}`) }),
    ...(split !== undefined && { split: text(split, `${at}.split`) }),
    ...(oneOf(solo ?? false, `${at}.solo`, [true, false]) && { isSolo: true }),
    ...(judging['judge'] !== undefined && { judge: readJudge(judging, at) }),
    ...(tasks !== undefined && { tasks: list(tasks, `${at}.tasks`).map(String) }),
    ...(person !== undefined && { person: readPerson(person, `${at}.person`, folder) }),
  };
}

/** A model by its name, or with its settings as a player has them. */
function readPerson(value: JsonValue, at: string, folder: string): ModelSpec {
  if (typeof value === 'string') return { name: 'person', model: text(value, at) };
  members(value, at, ['model', 'baseUrl', 'script', 'system', 'sampling']);
  const person = readPlayer(value, at, folder);
  if ('model' in person) return { ...person, name: 'person' };
  throw invalid(at, 'It should name a "model".');
}

function readCheck(how: JsonObject, at: string, folder: string): AnswerCheck {
  const { check, tolerance, judge, prompt } = how;
  if (judge === undefined) {
    const kind = oneOf(check ?? 'equal', `${at}.check`, ['equal', 'contains', 'number']);
    return kind === 'number' ? { kind, tolerance: amount(tolerance ?? 0.04, `${at}.tolerance`) } : { kind };
  }
  if (check !== undefined) throw invalid(at, 'Answers are judged either by a "check" or by a "judge".');
  return {
    kind: 'judge',
    ...readJudge(how, at),
    ...(prompt !== undefined && { prompt: words(prompt, `${at}.prompt`, folder) }),
  };
}

function readJudge({ judge, baseUrl, votes }: JsonObject, at: string): JudgeSpec {
  const asked = count(votes ?? 1, `${at}.votes`);
  if (asked % 2 === 0) throw invalid(`${at}.votes`, 'An even number of votes may have no majority.');
  return {
    model: text(judge, `${at}.judge`),
    votes: asked,
    ...(baseUrl !== undefined && { baseUrl: text(baseUrl, `${at}.baseUrl`) }),
  };
}

const playerFields = ['name', 'operator', 'model', 'baseUrl', 'script', 'system', 'sampling', 'tools'];
const modelFields = [...playerFields, 'protocol', 'steps', 'price', 'limits'];

function readPlayer(value: JsonValue, at: string, folder: string): PlayerSpec {
  const player = members(value, at, modelFields);
  const { name, model, operator } = player;
  if ((model === undefined) === (operator === undefined))
    throw invalid(at, 'A player is either a "model" or an "operator".');
  if (operator !== undefined) {
    members(value, at, ['name', 'operator']);
    const plays = text(operator, `${at}.operator`);
    const place = /[./]/.test(plays) ? placed(folder, plays) : plays;
    return { name: name === undefined ? plays : text(name, `${at}.name`), operator: place };
  }
  const plays = text(model, `${at}.model`);
  const { baseUrl, script, system, sampling, tools, protocol, steps, price, limits } = player;
  return {
    name: name === undefined ? plays : text(name, `${at}.name`),
    model: plays,
    ...(baseUrl !== undefined && { baseUrl: text(baseUrl, `${at}.baseUrl`) }),
    ...(script !== undefined && { script: placed(folder, text(script, `${at}.script`)) }),
    ...(system !== undefined && { system: words(system, `${at}.system`, folder) }),
    ...(sampling !== undefined && {
      sampling: amounts(sampling, `${at}.sampling`, ['temperature', 'topP', 'seed', 'maxOutputTokens']),
    }),
    ...(tools !== undefined && { tools: placed(folder, text(tools, `${at}.tools`)) }),
    ...(protocol !== undefined && { protocol: oneOf(protocol, `${at}.protocol`, ['loop', 'two-phase']) }),
    ...(steps !== undefined && { steps: count(steps, `${at}.steps`) }),
    ...(price !== undefined && { price: readPrice(price, `${at}.price`) }),
    ...(limits !== undefined && { limits: readBudget(limits, `${at}.limits`) }),
  };
}

/** What a player may use up, as a suite or a control file writes it. */
export function readBudget(value: JsonValue, at: string): Budget {
  return amounts(value, at, ['requests', 'tokens', 'cost']);
}

function readPrice(value: JsonValue, at: string) {
  const { input, output, ...cached } = amounts(value, at, ['input', 'output', 'cachedRead', 'cachedWrite']);
  return { input: amount(input, `${at}.input`), output: amount(output, `${at}.output`), ...cached };
}

function amounts<const Name extends string>(
  value: JsonValue,
  at: string,
  known: readonly Name[],
): { readonly [Each in Name]?: number } & Sampling & Budget {
  const given = Object.entries(members(value, at, known)).map(
    ([name, each]) => [name, amount(each, `${at}.${name}`)] as const,
  );
  return Object.fromEntries(given) as { readonly [Each in Name]?: number };
}

/** A text, or the content of the file that it names. */
function words(value: JsonValue, at: string, folder: string): string {
  const given = text(value, at);
  if (!/^\S+\.(?:md|txt)$/.test(given)) return given;
  const file = placed(folder, given);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw invalid(at, `${file} cannot be read: ${(error as Error).message}`);
  }
}

function placed(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}
