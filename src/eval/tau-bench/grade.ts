import { requireDict, requireText, wrong } from '../python/field.ts';
import { readJson } from '../python/json.ts';
import type { PythonDict } from '../python/value.ts';
import { domains, type Domain } from './domain.ts';
import { type Episode, readEpisode } from './episode.ts';
import { readTask, type Task } from './task.ts';
import { openFolder } from './folder.ts';

/** The answer to one line. */
export interface TauBenchGrade {
  readonly id: string;
  readonly observations: readonly string[];
  readonly hash: string;
  readonly expected_hash?: string;
  readonly reward?: 0 | 1;
  readonly reasons?: readonly string[];
}

/** Opens the data of tau-bench: the answer to a line is a function of its text. */
export function openTauBench(folder: string): (line: string) => TauBenchGrade {
  return tauBenchGrader(openFolder(folder));
}

export function tauBenchGrader(domainOf: (name: string) => Domain): (line: string) => TauBenchGrade {
  return (text) => {
    const line = requireDict(readJson(text), 'line');
    const id = requireText(line.get('id'), 'id');
    const name = requireText(line.get('domain'), 'domain');
    if (!Object.hasOwn(domains, name)) wrong(name, 'domain', `one of ${Object.keys(domains).join(', ')}`);
    const domain = domainOf(name);
    const episode = readEpisode(line);
    const task = taskOf(line, domain);
    const { observations, hash } = domain.run(episode.calls);
    if (task === undefined) return { id, observations, hash };
    const expected = domain.expectedHash(task.actions);
    const reasons = [...faultsOf(episode, task)];
    if (hash !== expected) reasons.push(differenceOf(domain, episode, task));
    return { id, observations, hash, expected_hash: expected, reward: reasons.length === 0 ? 1 : 0, reasons };
  };
}

function taskOf(line: PythonDict, domain: Domain): Task | undefined {
  const task = line.get('task');
  if (task === undefined) return undefined;
  if (typeof task !== 'bigint' && typeof task !== 'number') return readTask(task, 'task');
  return domain.tasks.get(Number(task)) ?? wrong(task, 'task', 'the index of a task in the data');
}

function* faultsOf({ said, ended }: Episode, { outputs }: Task): Generator<string> {
  if (!ended) yield 'The episode did not end: it was stopped at its limit of steps.';
  const texts = said.map((text) => text.toLowerCase().replaceAll(',', ''));
  for (const output of outputs) {
    if (!texts.some((text) => text.includes(output.toLowerCase())))
      yield `Not said to the person: “${output}”.`;
  }
}

const mostNamed = 6;

function differenceOf(domain: Domain, { calls }: Episode, { actions }: Task): string {
  const records = domain.differing(calls, actions);
  const named = records.slice(0, mostNamed).join(', ');
  const more = records.length > mostNamed ? `, and ${records.length - mostNamed} more` : '';
  return `The data differ from those after the task's own actions, in: ${named}${more}.`;
}
