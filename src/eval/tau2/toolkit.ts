import type { Field } from '../python/model.ts';
import { typeError } from '../python/exception.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';

/** The two databases of one run of a domain. */
export interface World {
  readonly agent: PythonDict;
  readonly user: PythonDict;
  /** Tells one run from another: ids that are drawn at random are the same in no two. */
  readonly name: string;
}

/** A function of one side: a tool that changes something, or what only tasks call. */
export interface Method {
  readonly parameters: readonly string[];
  /** What may be left out, with its default. */
  readonly optional?: Readonly<Record<string, PythonValue>>;
  run(world: World, ...given: PythonValue[]): PythonValue;
}

/** What one side of a domain can do. */
export interface Toolkit {
  /** Tools that change something: the only ones that are replayed. */
  readonly writes: Readonly<Record<string, Method>>;
  /** Tools that change nothing. */
  readonly reads: readonly string[];
  /** What tasks call to prepare and to check, and no player can. */
  readonly functions: Readonly<Record<string, Method>>;
}

/** A domain: its databases, what each side can do, and what is done to keep the sides in step. */
export interface DomainRules {
  readonly name: string;
  readonly agentModel: Field;
  readonly userModel: Field;
  readonly agent: Toolkit;
  readonly user: Toolkit;
  sync?(world: World): void;
}

/** A side that can do nothing. */
export const noToolkit: Toolkit = { writes: {}, reads: [], functions: {} };

/** Runs a method with named arguments, as Python binds them. */
export function invoke(method: Method, world: World, given: PythonDict): PythonValue {
  for (const name of given.keys()) {
    if (!method.parameters.includes(name)) throw typeError(`got an unexpected keyword argument '${name}'`);
  }
  const bound = method.parameters.map((name): PythonValue => {
    const value = given.get(name) ?? method.optional?.[name];
    if (given.has(name)) return given.get(name)!;
    if (value === undefined) throw typeError(`missing a required argument: '${name}'`);
    return value;
  });
  return method.run(world, ...bound);
}
