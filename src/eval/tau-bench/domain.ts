import { createHash } from 'node:crypto';

import { Table } from '../python/database.ts';
import { repr, reprOfHashable, tuple } from '../python/repr.ts';
import { compareText, type PythonDict } from '../python/value.ts';
import type { SpeakerTool } from '../seat/speaker.ts';
import { airlineTools } from './airline.ts';
import { retailTools } from './retail.ts';
import { sharedTools, terminateTools } from './shared-tools.ts';
import type { Action, Task } from './task.ts';
import { type Data, observe, type Tool, type Toolset } from './tool.ts';

/** What is fixed of each domain: its tables, in the order of their names, and its tools. */
export const domains: Readonly<
  Record<string, { readonly tables: readonly string[]; readonly tools: ReadonlyMap<string, Tool> }>
> = {
  airline: {
    tables: ['flights', 'reservations', 'users'],
    tools: new Map(Object.entries({ ...sharedTools, ...airlineTools })),
  },
  retail: {
    tables: ['orders', 'products', 'users'],
    tools: new Map(Object.entries({ ...sharedTools, ...retailTools })),
  },
};

/** What an agent is told of a domain: its policy, and its tools as the benchmark describes them. */
export interface DomainBrief {
  readonly policy: string;
  readonly tools: readonly SpeakerTool[];
}

/** A domain with its data: runs calls on fresh data and says what the data came to. */
export class Domain {
  readonly #tables: ReadonlyMap<string, OriginalTable>;
  readonly #toolset: Toolset;
  readonly tasks: ReadonlyMap<number, Task>;
  /** Hashes after a task's own actions, by those actions: a study grades each task many times. */
  readonly #expected = new Map<string, string>();
  /** Only playing needs it, so it is read when it is asked for. */
  readonly brief: () => DomainBrief;

  constructor(
    name: string,
    {
      tables,
      tasks,
      brief,
    }: {
      readonly tables: ReadonlyMap<string, PythonDict>;
      readonly tasks: ReadonlyMap<number, Task>;
      readonly brief: () => DomainBrief;
    },
  ) {
    this.brief = brief;
    this.#toolset = { domain: name, tools: domains[name]!.tools };
    this.#tables = new Map([...tables].map(([table, records]) => [table, new OriginalTable(records)]));
    this.tasks = tasks;
  }

  /** What the agent is told of each call, and the hash of the data after all of them. */
  run(calls: readonly Action[]): { readonly observations: readonly string[]; readonly hash: string } {
    const { observations, data } = this.#after(calls);
    return { observations, hash: this.#hash(data) };
  }

  /** Fresh data on which calls are run as they come. */
  session(): (call: Action) => string {
    const data = this.#fresh();
    return (call) => observe(this.#toolset, data, call);
  }

  /** The hash of the data after a task's own actions, without those that end an episode. */
  expectedHash(actions: readonly Action[]): string {
    const calls = replayed(actions);
    const key = calls.map(({ name, kwargs }) => `${name} ${repr(kwargs)}`).join('\n');
    const known = this.#expected.get(key);
    if (known !== undefined) return known;
    if (this.#expected.size >= mostKept) this.#expected.clear();
    const { hash } = this.run(calls);
    this.#expected.set(key, hash);
    return hash;
  }

  /** The tables, of the two, whose records differ. */
  differing(calls: readonly Action[], actions: readonly Action[]): string[] {
    const left = this.#after(calls).data;
    const right = this.#after(replayed(actions)).data;
    return [...this.#tables.keys()].flatMap((table) => {
      const ids = new Set([...left[table]!.keys(), ...right[table]!.keys()]);
      return [...ids]
        .filter((id) => !(left[table]!.isUntouched(id) && right[table]!.isUntouched(id)))
        .filter((id) => recordText(left[table]!, id) !== recordText(right[table]!, id))
        .map((id) => `${table} ${id}`);
    });
  }

  #after(calls: readonly Action[]): { readonly observations: readonly string[]; readonly data: Data } {
    const data = this.#fresh();
    return { observations: calls.map((call) => observe(this.#toolset, data, call)), data };
  }

  #fresh(): Data {
    return Object.fromEntries([...this.#tables].map(([name, table]) => [name, table.fresh()]));
  }

  #hash(data: Data): string {
    const hash = createHash('sha256');
    const names = [...this.#tables.keys()];
    for (const [index, name] of names.entries()) {
      hash.update(`${index === 0 ? '(' : ', '}(${repr(name)}, `);
      hash.update(this.#tables.get(name)!.textOf(data[name]!));
      hash.update(')');
    }
    return hash.update(')').digest('hex');
  }
}

const mostKept = 2000;

function replayed(actions: readonly Action[]): readonly Action[] {
  return actions.filter(({ name }) => !terminateTools.has(name));
}

function recordText(table: Table, id: string): string | undefined {
  const record = table.peek(id);
  return record === undefined ? undefined : reprOfHashable(record);
}

/** The records that every episode begins with, and how each is written where it is hashed. */
class OriginalTable {
  readonly #records: PythonDict;
  readonly #written = new Map<string, string>();
  #ids: readonly string[] | undefined;

  constructor(records: PythonDict) {
    this.#records = records;
  }

  fresh(): Table {
    return new Table(this.#records);
  }

  textOf(table: Table): string {
    this.#ids ??= [...this.#records.keys()].toSorted(compareText);
    const hasAll = table.size === this.#ids.length && this.#ids.every((id) => table.has(id));
    const ids = hasAll ? this.#ids : [...table.keys()].toSorted(compareText);
    return tuple(ids.map((id) => this.#textOfRecord(table, id)));
  }

  #textOfRecord(table: Table, id: string): string {
    if (!table.isUntouched(id)) return written(id, table);
    let text = this.#written.get(id);
    if (text === undefined) this.#written.set(id, (text = written(id, table)));
    return text;
  }
}

function written(id: string, table: Table): string {
  return `(${repr(id)}, ${reprOfHashable(table.peek(id)!)})`;
}
