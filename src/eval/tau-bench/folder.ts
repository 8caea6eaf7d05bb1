import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { WhetstoneError } from '../../base/host/errors.ts';
import { listOf, requireDict } from '../python/field.ts';
import { readJson } from '../python/json.ts';
import { readAssignedLists, readReturned } from '../python/literal.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import { readDescription } from '../seat/tool-description.ts';
import type { SpeakerTool } from '../seat/speaker.ts';
import { Domain, type DomainBrief, domains } from './domain.ts';
import { readTask, type Task } from './task.ts';

/** The domains of a folder, each read when it is first asked for: as plain data, or a checkout of tau-bench. */
export function openFolder(folder: string): (domain: string) => Domain {
  const layouts = [
    (domain: string) => ({ data: join(folder, domain), tasks: join(folder, domain) }),
    (domain: string) => {
      const tasks = join(folder, 'tau_bench/envs', domain);
      return { data: join(tasks, 'data'), tasks };
    },
  ];
  const layout = layouts.find((each) =>
    Object.entries(domains).some(([name, { tables }]) =>
      existsSync(join(each(name).data, `${tables[0]}.json`)),
    ),
  );
  if (layout === undefined) {
    throw new WhetstoneError(
      'benchmark_data',
      `${folder} has no data of tau-bench: looked for airline/flights.json, retail/orders.json, and the same under tau_bench/envs/*/data.`,
      { details: { folder } },
    );
  }
  const open = new Map<string, Domain>();
  return (name) => {
    let domain = open.get(name);
    if (domain === undefined) open.set(name, (domain = readDomain(name, layout(name))));
    return domain;
  };
}

function readDomain(
  name: string,
  { data, tasks }: { readonly data: string; readonly tasks: string },
): Domain {
  const tables = new Map<string, PythonDict>();
  for (const table of domains[name]!.tables) {
    const file = join(data, `${table}.json`);
    if (!existsSync(file)) {
      throw new WhetstoneError('benchmark_data', `The domain ${name} has no data: ${file} is not there.`, {
        details: { file },
      });
    }
    tables.set(table, requireDict(readJson(readFileSync(file, 'utf8')), file));
  }
  return new Domain(name, { tables, tasks: readTasks(tasks), brief: () => readBrief(tasks) });
}

/** The policy (`wiki.md`) and the tools: of `tools.json`, or as the Python of a checkout describes them. */
function readBrief(folder: string): DomainBrief {
  const policy = join(folder, 'wiki.md');
  const tools = readToolDescriptions(folder);
  if (!existsSync(policy) || tools.length === 0)
    throw new WhetstoneError(
      'benchmark_data',
      `${folder} can be graded and not played: looked for wiki.md, and for tools.json or tools/*.py with what the agent is told.`,
      { details: { folder } },
    );
  return { policy: readFileSync(policy, 'utf8'), tools };
}

function readToolDescriptions(folder: string): readonly SpeakerTool[] {
  const json = join(folder, 'tools.json');
  if (existsSync(json))
    return listOf(readJson(readFileSync(json, 'utf8')), json).map((tool, index) =>
      readDescription(tool, `${json}[${index}]`),
    );
  const python = join(folder, 'tools');
  if (!existsSync(python)) return [];
  const files = readdirSync(python).filter((file) => file.endsWith('.py'));
  return files.toSorted().flatMap((file) => {
    const described = readReturned(readFileSync(join(python, file), 'utf8'), 'get_info');
    return described === undefined ? [] : [readDescription(described, join(python, file))];
  });
}

/** The tasks of the test split by their index; early checkouts have no split, and one file. */
function readTasks(folder: string): ReadonlyMap<number, Task> {
  const files = readdirSync(folder).toSorted();
  const split = files.filter((file) => /^tasks_test.*\.(?:json|py)$/.test(file));
  const tasks = new Map<number, Task>();
  for (const file of split.length > 0 ? split : files.filter((name) => name === 'tasks.py')) {
    for (const [position, value] of tasksOf(join(folder, file)).entries()) {
      const where = `${file}[${position}]`;
      const index = requireDict(value, where).get('task_index');
      tasks.set(typeof index === 'bigint' ? Number(index) : position, readTask(value, where));
    }
  }
  return tasks;
}

function tasksOf(file: string): readonly PythonValue[] {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.json')) return listOf(readJson(text), file);
  return [...readAssignedLists(text).values()].flat();
}
