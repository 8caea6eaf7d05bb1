import type { Parameter } from '../../python/arguments.ts';
import type { PythonDict, PythonValue } from '../../python/value.ts';

/** What can be called in an episode, and what it changes. */
export interface Api {
  readonly methods: Readonly<Record<string, Method>>;
  /** What the grader compares: the attributes of the official object that are not private. */
  state(): PythonDict;
}

export interface Method {
  readonly parameters: readonly Parameter[];
  /** Answers a value; a text where it could not be written as JSON. */
  run(...given: PythonValue[]): PythonValue;
}

/** Begins an API with what a question says of it. */
export type StartApi = (initial: PythonDict) => Api;

export function method(parameters: readonly Parameter[], run: Method['run']): Method {
  return { parameters, run };
}

/** A dict of these members. */
export function dict(members: Readonly<Record<string, PythonValue>>): PythonDict {
  return new Map(Object.entries(members));
}

export function error(text: PythonValue): PythonDict {
  return dict({ error: text });
}

/** `initial.get(name, usual)` for each of the attributes. */
export function attributes(initial: PythonDict, usual: Readonly<Record<string, PythonValue>>): PythonDict {
  return new Map(Object.entries(usual).map(([name, value]) => [name, initial.get(name) ?? value]));
}
