import { basename } from 'node:path';

import { WhetstoneError } from '../../base/host/errors.ts';
import { nearestName } from '../../base/schema/check/nearest-names.ts';
import type { Catalog } from '../../grade/scenario/load/catalog.ts';
import { type Question, readQuestionFile } from './questions.ts';
import type {
  AnswerCheck,
  BenchmarkTasks,
  PlayerSpec,
  QuestionTasks,
  ScenarioTasks,
  Suite,
  TaskSource,
} from './suite.ts';

/** What is played: a template is what statistics count, and a task one instance of it. */
export type SuiteTask = ScenarioTask | QuestionTask | BenchmarkTask;

interface Named {
  readonly template: string;
  readonly task: string;
}

export interface ScenarioTask extends Named {
  readonly kind: 'scenario';
  readonly collection: string;
  readonly scenario: string;
  readonly variant: number;
}

export interface QuestionTask extends Named {
  readonly kind: 'question';
  readonly question: Question;
  readonly check: AnswerCheck;
}

export interface BenchmarkTask extends Named {
  readonly kind: 'benchmark';
  readonly source: BenchmarkTasks;
  /** What the benchmark calls it. */
  readonly name: string;
}

/** The tasks of a benchmark that was opened, and what they are called by. */
export interface OpenedTasks {
  readonly name: string;
  readonly tasks: readonly string[];
}

/** One episode of a suite: who plays which task for the how-manieth time. */
export interface Cell<Task extends SuiteTask = SuiteTask> {
  /** Names the cell in every study of the suite. */
  readonly key: string;
  readonly player: PlayerSpec;
  readonly task: Task;
  readonly trial: number;
}

export interface CellOptions {
  /** The first tasks of each source, this many. */
  readonly limit?: number;
  /** Only the tasks of this name: the id of a question, or a scenario. */
  readonly item?: string;
  /** The benchmarks of the suite, which are opened before. */
  readonly benchmarks?: ReadonlyMap<BenchmarkTasks, OpenedTasks>;
}

/** Every episode of a suite, trial by trial, so that whatever was played when a study is stopped is spread over all. */
export function cellsOf(suite: Suite, catalog: Catalog, options: CellOptions = {}): readonly Cell[] {
  const tasks = new Map<string, SuiteTask>();
  for (const source of suite.tasks) {
    const found = tasksOf(source, catalog, options);
    const asked = options.item === undefined ? found : found.filter((task) => isNamed(task, options.item!));
    for (const task of asked.slice(0, options.limit)) tasks.set(`${task.template}/${task.task}`, task);
  }
  if (tasks.size === 0)
    throw new WhetstoneError('suite_invalid', `No task of the suite is called "${options.item}".`);
  return Array.from({ length: suite.trials }, (_, trial) =>
    [...tasks].flatMap(([name, task]) =>
      suite.players.map((player) => ({ key: `${player.name}/${name}/${trial}`, player, task, trial })),
    ),
  ).flat();
}

function tasksOf(source: TaskSource, catalog: Catalog, { benchmarks }: CellOptions): readonly SuiteTask[] {
  if ('questions' in source) return questionsOf(source);
  if ('benchmark' in source) return benchmarkTasksOf(source, benchmarks!.get(source)!);
  return scenariosOf(source, catalog);
}

function benchmarkTasksOf(source: BenchmarkTasks, { name, tasks }: OpenedTasks): readonly BenchmarkTask[] {
  const unknown = source.tasks?.find((task) => !tasks.includes(task));
  if (unknown !== undefined)
    throw new WhetstoneError(
      'suite_invalid',
      `${name} has no task "${unknown}". It has ${tasks.length}: ${tasks.slice(0, 5).join(', ')}, …`,
    );
  return (source.tasks ?? tasks).map((task) => ({
    kind: 'benchmark',
    template: `${name}/${task}`,
    task: '0',
    source,
    name: task,
  }));
}

function isNamed(task: SuiteTask, item: string): boolean {
  if (task.template === item) return true;
  if (task.kind === 'benchmark') return task.name === item;
  return task.kind === 'question' && task.question.id === item;
}

function questionsOf({ questions, check }: QuestionTasks): readonly QuestionTask[] {
  const set = basename(questions);
  return readQuestionFile(questions).map((question) => ({
    kind: 'question',
    template: `${set}/${question.id}`,
    task: '0',
    question,
    check,
  }));
}

function scenariosOf(
  { scenarios, split, variants }: ScenarioTasks,
  catalog: Catalog,
): readonly ScenarioTask[] {
  return namesOf(catalog, scenarios, split).flatMap((template) => {
    const [collection = '', scenario = ''] = template.split('/');
    return Array.from({ length: variants }, (_, variant) => ({
      kind: 'scenario' as const,
      template,
      task: `${variant}`,
      collection,
      scenario,
      variant,
    }));
  });
}

function namesOf(catalog: Catalog, pattern: string, split: string | undefined): readonly string[] {
  const all = catalog.collections.flatMap(({ slug, slugs }) =>
    slugs.map((scenario) => `${slug}/${scenario}`),
  );
  const form = new RegExp(`^${pattern.replace(/[^\w*/-]/g, '\\$&').replaceAll('*', '[^/]*')}$`);
  const matching = all.filter((name) => form.test(name));
  if (matching.length === 0) {
    const near = nearestName(pattern, all);
    throw new WhetstoneError(
      'suite_invalid',
      `No scenario is called "${pattern}" in ${catalog.directory}.${near === undefined ? '' : ` Did you mean "${near}"?`} Write collection/name, with * for any part.`,
    );
  }
  if (split === undefined) return matching;
  const splits = new Map(catalog.collections.map((collection) => [collection.slug, collection.splits]));
  const chosen = matching.filter((name) => {
    const [collection = '', scenario = ''] = name.split('/');
    return splits.get(collection)?.[split]?.includes(scenario) === true;
  });
  if (chosen.length === 0)
    throw new WhetstoneError('suite_invalid', `No scenario of "${pattern}" is in the split "${split}".`);
  return chosen;
}
