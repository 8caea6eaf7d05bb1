import { PythonException, valueError } from '../python/exception.ts';
import type { Field } from '../python/model.ts';
import { deepCopy, type PythonDict, type PythonValue } from '../python/value.ts';
import { Table } from '../python/database.ts';
import { spokenTools } from './spoken/domains.ts';
import { type DomainRules, invoke, type Method, type World } from './toolkit.ts';

/** Who makes a call. */
export type Side = 'assistant' | 'user';

/** A call, as both sides make them. */
export interface Call {
  readonly name: string;
  readonly requestor: Side;
  readonly kwargs: PythonDict;
}

/** The databases of a domain as they are in its folder, converted once. */
export interface Databases {
  readonly agent: PythonDict;
  readonly user: PythonDict;
}

/** One run of a domain on fresh data. */
export class Environment {
  readonly #rules: DomainRules;
  readonly #isSolo: boolean;
  readonly world: World;

  constructor(
    rules: DomainRules,
    databases: Databases,
    how: { readonly name: string; readonly isSolo: boolean },
  ) {
    this.#rules = rules;
    this.#isSolo = how.isSolo;
    this.world = { agent: fresh(databases.agent), user: fresh(databases.user), name: how.name };
    this.sync();
  }

  /** Keeps the two sides in step. */
  sync(): void {
    this.#rules.sync?.(this.world);
  }

  /** Puts a task's own data over those of the domain. */
  overlay(side: Side, update: PythonDict): void {
    const isAgent = side === 'assistant';
    const database = isAgent ? this.world.agent : this.world.user;
    merge(database, deepCopy(update));
    const model: Field = isAgent ? this.#rules.agentModel : this.#rules.userModel;
    const converted = model.convert(database) as PythonDict;
    for (const [name, value] of converted) if (update.has(name)) database.set(name, value);
  }

  /** Replays a recorded call: only tools that change something run, and an error changes nothing further. */
  replay(call: Call): void {
    if (!this.isWrite(call.name)) return;
    try {
      this.perform(call);
      this.sync();
    } catch (error) {
      if (!(error instanceof PythonException)) throw error;
    }
  }

  /** Performs a call as it is played, and answers it as its tool does. */
  respond(call: Call): { readonly content: string; readonly error: boolean } {
    try {
      const content = this.#answer(call);
      this.sync();
      return { content, error: false };
    } catch (error) {
      if (!(error instanceof PythonException)) throw error;
      return { content: `Error: ${error.message}`, error: true };
    }
  }

  #answer(call: Call): string {
    const { name, requestor, kwargs } = call;
    const { agent, user } = spokenTools[this.#rules.name]!;
    // Without a person the agent has their tools, too.
    const tools = requestor === 'user' ? user : this.#isSolo ? { ...user, ...agent } : agent;
    const tool = Object.hasOwn(tools, name) ? tools[name]! : undefined;
    if (tool === undefined) throw valueError(`Tool '${name}' not found.`);
    const before = tool.before?.(this.world) ?? null;
    let result: PythonValue = null;
    if (this.isWrite(name)) result = this.perform(call);
    const given = invoke(
      {
        parameters: Object.keys(tool.parameters),
        ...(tool.optional !== undefined && { optional: tool.optional }),
        run: (_world, ...values) => values,
      },
      this.world,
      deepCopy(kwargs),
    ) as PythonValue[];
    return tool.answer(this.world, given, { result, before });
  }

  /** Performs a call without keeping the sides in step. */
  perform({ name, requestor, kwargs }: Call): PythonValue {
    const { agent, user } = this.#rules;
    const isOfUser = requestor === 'user' || (this.#isSolo && Object.hasOwn(user.writes, name));
    if (requestor === 'user' && this.#isSolo)
      throw valueError('User tool calls are not allowed in solo mode');
    const { writes } = isOfUser ? user : agent;
    if (!Object.hasOwn(writes, name)) throw valueError(`Tool '${name}' not found.`);
    return invoke(writes[name]!, this.world, deepCopy(kwargs));
  }

  /** Whether a tool of either side changes something. */
  isWrite(name: string): boolean {
    const { agent, user } = this.#rules;
    if (Object.hasOwn(agent.writes, name)) return true;
    return !agent.reads.includes(name) && Object.hasOwn(user.writes, name);
  }

  /** Calls a function of one side that a task names, tools among them. */
  call(side: Side, name: string, kwargs: PythonDict): PythonValue {
    const { writes, functions, reads } = side === 'user' ? this.#rules.user : this.#rules.agent;
    const methods: Readonly<Record<string, Method>> = { ...writes, ...functions };
    if (!Object.hasOwn(methods, name)) {
      if (!reads.includes(name)) throw new PythonException('AttributeError', `no function “${name}”`);
      this.sync();
      return null;
    }
    const result = invoke(methods[name]!, this.world, deepCopy(kwargs));
    this.sync();
    return result;
  }
}

function fresh(database: PythonDict): PythonDict {
  const copied: PythonDict = new Map();
  // Tables are dicts of records, which are copied when they are taken; lists are short.
  for (const [name, value] of database) {
    copied.set(name, value instanceof Map && value.size > fewRecords ? new Table(value) : deepCopy(value));
  }
  return copied;
}

const fewRecords = 40;

function merge(target: PythonDict, update: PythonDict): void {
  for (const [key, value] of update) {
    const known = target.get(key);
    if (known instanceof Map && value instanceof Map) merge(known, value);
    else target.set(key, value);
  }
}

/** Where two databases differ, each place named. */
export function differences(left: PythonDict, right: PythonDict): string[] {
  return [...left.keys()].flatMap((name) => {
    const a = left.get(name)!;
    const b = right.get(name)!;
    if (!(a instanceof Table && b instanceof Table)) return isSame(a, b) ? [] : [name];
    return [...new Set([...a.keys(), ...b.keys()])]
      .filter((id) => !(a.isUntouched(id) && b.isUntouched(id)))
      .filter((id) => !isSame(a.peek(id), b.peek(id)))
      .map((id) => `${name} ${id}`);
  });
}

/** The same JSON, key order aside: 5 and 5.0 are two values. */
function isSame(left: PythonValue | undefined, right: PythonValue | undefined): boolean {
  if (Object.is(left, right)) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
  }
  if (!(left instanceof Map && right instanceof Map) || left.size !== right.size) return false;
  for (const [key, value] of left) if (!right.has(key) || !isSame(value, right.get(key))) return false;
  return true;
}
