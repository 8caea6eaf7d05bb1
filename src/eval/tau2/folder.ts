import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { WhetstoneError } from '../../base/host/errors.ts';
import { PythonException } from '../python/exception.ts';
import { listOf, requireDict, wrong } from '../python/field.ts';
import { readJson } from '../python/json.ts';
import type { Field } from '../python/model.ts';
import { readToml } from '../python/toml.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import { airline } from './airline.ts';
import { Environment } from './environment.ts';
import { mock } from './mock.ts';
import { retail } from './retail.ts';
import { readTask, type Task } from './task.ts';
import { telecom } from './telecom.ts';
import type { DomainRules } from './toolkit.ts';

/** The domains of tau2. */
export const domains: Readonly<Record<string, DomainRules>> = { airline, retail, telecom, mock };

/** A domain with its data. */
export interface Domain {
  start(how: { readonly name: string; readonly isSolo: boolean }): Environment;
  task(id: string): Task;
  /** The tasks of the domain as they are written, by their ids; only those of a split where one is named. */
  written(split?: string): ReadonlyMap<string, PythonDict>;
  /** What an agent of the domain is told; some domains say it in other words to one that is alone. */
  policy(how?: { readonly isSolo: boolean }): string;
  /** How the benchmark tells a model to speak for the person; absent where the folder does not have it. */
  guidelines(hasTools: boolean): string | undefined;
}

/** The domains of a folder, each read when it is first asked for: plain data, or a checkout of tau2. */
export function openFolder(folder: string): (domain: string) => Domain {
  const places = ['domains', 'data/tau2/domains'].map((place) => join(folder, place));
  const root = places.find((place) => Object.keys(domains).some((name) => existsSync(join(place, name))));
  if (root === undefined) {
    throw new WhetstoneError(
      'benchmark_data',
      `${folder} has no data of tau2: looked for domains/ and data/tau2/domains/, with ${Object.keys(domains).join(', ')}.`,
      { details: { folder } },
    );
  }
  const open = new Map<string, Domain>();
  return (name) => {
    let domain = open.get(name);
    if (domain === undefined) {
      const guidelines = ['user_simulator', '../user_simulator'].map((place) => join(root, place));
      open.set(name, (domain = openDomain(domains[name]!, join(root, name), guidelines)));
    }
    return domain;
  };
}

function openDomain(rules: DomainRules, folder: string, guidelines: readonly string[]): Domain {
  const databases = {
    agent: readDatabase(folder, 'db', rules.agentModel),
    user: readDatabase(folder, 'user_db', rules.userModel),
  };
  let tasks: ReadonlyMap<PythonValue, PythonValue> | undefined;
  const all = (): ReadonlyMap<PythonValue, PythonValue> => (tasks ??= readTasks(folder));
  return {
    written(split) {
      const chosen = split === undefined ? undefined : new Set(readSplit(folder, split));
      const written = [...all()].map(([id, task]) => [String(id), task as PythonDict] as const);
      return new Map(written.filter(([id]) => chosen?.has(id) ?? true));
    },
    policy: (how) => readPolicy(folder, how?.isSolo === true),
    guidelines(hasTools) {
      const file = hasTools ? 'simulation_guidelines_tools.md' : 'simulation_guidelines.md';
      const found = guidelines.map((place) => join(place, file)).find((each) => existsSync(each));
      return found === undefined ? undefined : readFileSync(found, 'utf8');
    },
    start: (how) => new Environment(rules, databases, how),
    task(id) {
      const task = all().get(id);
      return task === undefined ? wrong(id, 'task_id', 'the id of a task in the data') : readTask(task);
    },
  };
}

/** The carrier's policy is in two files: what is allowed, and how phones are mended. */
function readPolicy(folder: string, isSolo: boolean): string {
  const place = (name: string): string => {
    const alone = join(folder, `${name}_solo.md`);
    return isSolo && existsSync(alone) ? alone : join(folder, `${name}.md`);
  };
  const files = existsSync(join(folder, 'policy.md'))
    ? [place('policy')]
    : [place('main_policy'), place('tech_support_manual')];
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined)
    throw new WhetstoneError(
      'benchmark_data',
      `${folder} can be graded but not played: ${missing} is missing.`,
      { details: { folder } },
    );
  return files.map((file) => readFileSync(file, 'utf8')).join('\n\n');
}

function readSplit(folder: string, split: string): readonly string[] {
  const file = join(folder, 'split_tasks.json');
  const splits = existsSync(file) ? requireDict(readJson(readFileSync(file, 'utf8')), file) : new Map();
  const ids = splits.get(split) as PythonValue | undefined;
  if (ids === undefined)
    throw new WhetstoneError(
      'benchmark_data',
      `${file} has no split "${split}". It has: ${[...splits.keys()].join(', ') || 'none'}.`,
    );
  return listOf(ids, `${file}: ${split}`).map(String);
}

function readDatabase(folder: string, name: string, model: Field): PythonDict {
  const json = join(folder, `${name}.json`);
  const toml = join(folder, `${name}.toml`);
  const hasFile = existsSync(json) || existsSync(toml);
  if (!hasFile && name === 'db') {
    throw new WhetstoneError('benchmark_data', `${folder} has neither db.json nor db.toml.`, {
      details: { folder },
    });
  }
  let data: PythonValue = new Map();
  if (existsSync(json)) data = readJson(readFileSync(json, 'utf8'));
  else if (hasFile) data = readToml(readFileSync(toml, 'utf8'));
  try {
    return model.convert(data) as PythonDict;
  } catch (cause) {
    if (!(cause instanceof PythonException)) throw cause;
    throw new WhetstoneError(
      'benchmark_data',
      `${name} in ${folder} does not have the format of tau2: ${cause.message}`,
      {
        details: { folder },
        cause,
      },
    );
  }
}

/** The tasks of a domain by their ids; where several files have one, the first by name counts. */
function readTasks(folder: string): ReadonlyMap<PythonValue, PythonValue> {
  const tasks = new Map<PythonValue, PythonValue>();
  for (const file of readdirSync(folder).toSorted()) {
    if (!/^tasks.*\.json$/.test(file)) continue;
    const content = readJson(readFileSync(join(folder, file), 'utf8'));
    const list = content instanceof Map ? content.get('tasks') : content;
    for (const [index, task] of listOf(list, file).entries()) {
      const id = requireDict(task, `${file}[${index}]`).get('id')!;
      if (!tasks.has(id)) tasks.set(id, task);
    }
  }
  return tasks;
}
