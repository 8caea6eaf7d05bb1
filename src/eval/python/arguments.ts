import { typeError } from './exception.ts';
import type { PythonDict, PythonValue } from './value.ts';

/** A parameter of a function: its name, and what it is where it is left out. */
export type Parameter = string | readonly [name: string, usual: PythonValue];

/** What a call was given: in order, then by name. */
export interface Given {
  readonly inOrder?: readonly PythonValue[];
  readonly named: PythonDict;
}

/** The arguments in the order of the parameters; one that is wrong, then one that is missing, is what Python raises. */
export function bindArguments(
  callee: string,
  parameters: readonly Parameter[],
  { inOrder = [], named }: Given,
): PythonValue[] {
  const names = parameters.map(nameOf);
  for (const key of named.keys()) {
    if (!names.includes(key)) throw typeError(`${callee} got an unexpected keyword argument '${key}'`);
    if (names.indexOf(key) < inOrder.length)
      throw typeError(`${callee} got multiple values for argument '${key}'`);
  }
  if (inOrder.length > names.length) throw tooMany(callee, parameters, inOrder.length);
  const missing = parameters
    .slice(inOrder.length)
    .filter((parameter): parameter is string => typeof parameter === 'string' && !named.has(parameter));
  if (missing.length > 0) {
    const arguments_ = missing.length === 1 ? 'argument' : 'arguments';
    throw typeError(
      `${callee} missing ${missing.length} required positional ${arguments_}: ${listed(missing)}`,
    );
  }
  return parameters.map((parameter, at) => {
    if (at < inOrder.length) return inOrder[at]!;
    return named.get(nameOf(parameter)) ?? usualOf(parameter);
  });
}

function nameOf(parameter: Parameter): string {
  return typeof parameter === 'string' ? parameter : parameter[0];
}

function usualOf(parameter: Parameter): PythonValue {
  return typeof parameter === 'string' ? null : parameter[1];
}

/** Python counts the object itself among what a method takes. */
function tooMany(callee: string, parameters: readonly Parameter[], given: number): Error {
  const most = parameters.length + 1;
  const least = parameters.filter((parameter) => typeof parameter === 'string').length + 1;
  const takes = least === most ? `${most}` : `from ${least} to ${most}`;
  const plural = most === 1 ? 'argument' : 'arguments';
  return typeError(`${callee} takes ${takes} positional ${plural} but ${given + 1} were given`);
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length < 3) return quoted.join(' and ');
  return `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`;
}
