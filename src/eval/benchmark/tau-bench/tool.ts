import { PythonException, typeError } from '../python/exception.ts';
import type { Table } from '../python/database.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';

/** The tables of one episode by their names. */
export type Data = Readonly<Record<string, Table>>;

/** A tool of tau-bench: its parameters in their order, all of them required, and what it does. */
export interface Tool {
  readonly parameters: readonly string[];
  run(data: Data, ...given: PythonValue[]): string;
}

/** What an agent is told of a call: what the tool answers, or the text of what it raised. */
export function observe(
  tools: ReadonlyMap<string, Tool>,
  data: Data,
  name: string,
  given: PythonDict,
): string {
  const tool = tools.get(name);
  if (tool === undefined) return `Unknown action ${name}`;
  try {
    return tool.run(data, ...bind(name, tool.parameters, given));
  } catch (error) {
    if (error instanceof PythonException) return `Error: ${error.message}`;
    throw error;
  }
}

/** The arguments in the order of the parameters; a wrong one, then a missing one, is what Python raises. */
function bind(name: string, parameters: readonly string[], given: PythonDict): PythonValue[] {
  const type = name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (given.has('data')) {
    throw typeError(`${type}.invoke() got multiple values for keyword argument 'data'`);
  }
  for (const key of given.keys()) {
    if (!parameters.includes(key)) {
      throw typeError(`${type}.invoke() got an unexpected keyword argument '${key}'`);
    }
  }
  const missing = parameters.filter((parameter) => !given.has(parameter));
  if (missing.length > 0) {
    const arguments_ = missing.length === 1 ? 'argument' : 'arguments';
    throw typeError(
      `${type}.invoke() missing ${missing.length} required positional ${arguments_}: ${listed(missing)}`,
    );
  }
  return parameters.map((parameter) => given.get(parameter)!);
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length < 3) return quoted.join(' and ');
  return `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`;
}
