import { bindArguments } from '../python/arguments.ts';
import { PythonException, typeError } from '../python/exception.ts';
import type { Table } from '../python/database.ts';
import { deepCopy, type PythonValue } from '../python/value.ts';
import type { Action } from './task.ts';

/** The tables of one episode by their names. */
export type Data = Readonly<Record<string, Table>>;

/** A tool of tau-bench: its parameters in their order, all of them required, and what it does. */
export interface Tool {
  readonly parameters: readonly string[];
  run(data: Data, ...given: PythonValue[]): string;
}

/** The tools of a domain by their names. */
export interface Toolset {
  readonly domain: string;
  readonly tools: ReadonlyMap<string, Tool>;
}

/** What an agent is told of a call: what the tool answers, or the text of what it raised. */
export function observe({ domain, tools }: Toolset, data: Data, { name, kwargs }: Action): string {
  const tool = tools.get(name);
  if (tool === undefined) return `Unknown action ${name}`;
  try {
    if (kwargs.has('data')) {
      // Python finds this one fault before it enters the function, and names the module too.
      const invoke = `tau_bench.envs.${domain}.tools.${name}.${className(name)}.invoke()`;
      throw typeError(`${invoke} got multiple values for keyword argument 'data'`);
    }
    // A tool stores the very lists that it is given, and a later call may change them.
    return tool.run(
      data,
      ...bindArguments(`${className(name)}.invoke()`, tool.parameters, { named: deepCopy(kwargs) }),
    );
  } catch (error) {
    if (error instanceof PythonException) return `Error: ${error.message}`;
    throw error;
  }
}

function className(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
