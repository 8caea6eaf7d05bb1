import { WhetstoneError } from '../../base/host/errors.ts';
import { findScenario, type Catalog } from '../scenario/load/catalog.ts';
import type { Collection } from '../scenario/load/collection.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { buildTask } from '../scenario/build-task.ts';
import type { Task } from '../scenario/task.ts';
import { Recent } from '../../base/host/recent.ts';
import type { Caller, TaskChoice } from './request.ts';

/** A task, found: which scenario, which variant, which seed, and the split it was chosen by. */
export interface ChosenTask {
  readonly scenario: Scenario;
  readonly variant: number;
  readonly seed: number;
  readonly split?: string;
}

/** The tasks of a catalog: by name, or by their place in a split. */
export class TaskBook {
  readonly catalog: Catalog;
  readonly #tasks = new Recent<string, Task>(1000);
  readonly #testOnly = new Map<string, boolean>();

  constructor(catalog: Catalog) {
    this.catalog = catalog;
  }

  /** The collections that this caller may see. */
  collections(caller: Caller): readonly Collection[] {
    const { collections } = this.catalog;
    return caller.collections === undefined
      ? collections
      : collections.filter((known) => caller.collections?.includes(known.slug));
  }

  choose(caller: Caller, choice: TaskChoice): ChosenTask {
    if (caller.collections && !caller.collections.includes(choice.collection))
      throw new WhetstoneError('collection_forbidden', 'No active subscription for collection', {
        details: { collection: choice.collection },
      });
    const seed = choice.seed ?? 0;
    if (choice.split !== undefined && choice.scenario === undefined) {
      const place = this.#place(choice.collection, choice.split, choice.index ?? 0);
      return { ...place, seed, split: choice.split };
    }
    const scenario = findScenario(this.catalog, choice.collection, choice.scenario ?? '');
    return {
      scenario,
      variant: choice.variant ?? 0,
      seed,
      ...(choice.split !== undefined && { split: choice.split }),
    };
  }

  task({ scenario, variant, seed }: ChosenTask): Task {
    const key = JSON.stringify([scenario.collection, scenario.slug, variant, seed]);
    let task = this.#tasks.get(key);
    if (task === undefined) {
      task = buildTask(scenario, variant, seed);
      this.#tasks.set(key, task);
    }
    return task;
  }

  /** The task of an episode that is stored. */
  taskOf(record: {
    readonly collection: string;
    readonly scenario: string;
    readonly variant: number;
    readonly seed: number;
  }): Task {
    const scenario = findScenario(this.catalog, record.collection, record.scenario);
    return this.task({ scenario, variant: record.variant, seed: record.seed });
  }

  /** How many tasks a split holds: each variant of each of its scenarios. */
  count(collection: string, split: string): number {
    return this.#split(collection, split).reduce((sum, scenario) => sum + scenario.variants, 0);
  }

  /** True when a scenario is in the test split, where nothing is told before the end. */
  isTest({ collection, scenario }: { readonly collection: string; readonly scenario: string }): boolean {
    const key = `${collection}\n${scenario}`;
    let known = this.#testOnly.get(key);
    if (known === undefined) {
      const found = this.catalog.collections.find((one) => one.slug === collection);
      known = found?.splits['test']?.includes(scenario) ?? false;
      this.#testOnly.set(key, known);
    }
    return known;
  }

  /** The task at a place of a split; scenarios follow each other as the split names them, each with all its variants. */
  #place(collection: string, split: string, index: number): Pick<ChosenTask, 'scenario' | 'variant'> {
    // From the end where negative, as in Python's lists.
    let rest = index < 0 ? index + this.count(collection, split) : index;
    for (const scenario of rest < 0 ? [] : this.#split(collection, split)) {
      if (rest < scenario.variants) return { scenario, variant: rest };
      rest -= scenario.variants;
    }
    throw new WhetstoneError(
      'task_unknown',
      `The split "${split}" of "${collection}" has no task ${index}: it has ${this.count(collection, split)}, counted from 0.`,
      { details: { collection, split, index } },
    );
  }

  #split(collection: string, split: string): readonly Scenario[] {
    const shelf = this.catalog.collections.find((known) => known.slug === collection);
    if (shelf === undefined)
      throw new WhetstoneError('scenario_unknown', `There is no collection "${collection}".`, {
        details: { collection },
      });
    const names = Object.hasOwn(shelf.splits, split) ? shelf.splits[split] : undefined;
    if (names === undefined)
      throw new WhetstoneError(
        'task_unknown',
        `"${collection}" has no split "${split}". It has: ${Object.keys(shelf.splits).join(', ')}.`,
        { details: { collection, split } },
      );
    return names.flatMap((name) => shelf.read(name).scenario ?? []);
  }
}
