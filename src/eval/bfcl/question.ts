import { WhetstoneError } from '../../base/host/errors.ts';
import { listOf, requireDict, requireText, wrong } from '../python/field.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import { type Category, categories, type Version } from './category.ts';
import { isDict, itemsOf } from './value.ts';

/** A question as it is graded: how it is judged, what may be called, and what is expected. */
export interface Question {
  readonly version: Version;
  readonly category: Category;
  readonly functions: readonly Description[];
  readonly expected: readonly ExpectedCall[];
}

/** A function as the model was told of it. */
export interface Description {
  readonly name: string;
  readonly parameters: PythonDict;
  readonly required: readonly PythonValue[];
}

/** One call that is expected: the values that each parameter may have; `""` where it may be left out. */
export interface ExpectedCall {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, readonly PythonValue[]>;
}

/** A question as BFCL writes it: what the model was told of, and what is possible as an answer. */
export interface WrittenQuestion {
  readonly version: Version;
  readonly category: string;
  readonly functions: PythonValue | undefined;
  readonly answer: PythonValue | undefined;
}

export function readQuestion({ version, category: name, functions, answer }: WrittenQuestion): Question {
  const category = categories[version].get(name);
  if (category === undefined) {
    throw new WhetstoneError(
      'benchmark_line',
      `“category” is “${name}”, which is not graded call by call in version ${version}. Known: ${[...categories[version].keys()].join(', ')}.`,
    );
  }
  if (category.judgement === 'no-call' || category.judgement === 'some-call')
    return { version, category, functions: [], expected: [] };
  const described = Array.isArray(functions) ? functions : [functions];
  return {
    version,
    category,
    functions: described.map((each) => readDescription(each)),
    expected: readExpected(answer),
  };
}

function readDescription(value: PythonValue | undefined): Description {
  const description = requireDict(value, 'function');
  const parameters = requireDict(description.get('parameters'), 'function.parameters');
  return {
    name: requireText(description.get('name'), 'function.name'),
    parameters: requireDict(parameters.get('properties'), 'function.parameters.properties'),
    required: listOf(parameters.get('required') ?? [], 'function.parameters.required'),
  };
}

/** Of 2024-08 one object for all calls, whose names are numbered where one comes again; of v4 a list of objects. */
function readExpected(value: PythonValue | undefined): readonly ExpectedCall[] {
  const truth = value instanceof Map && value.has('ground_truth') ? value.get('ground_truth') : value;
  const dicts = Array.isArray(truth)
    ? truth.map((each, index) => requireDict(each, `possible_answer[${index}]`))
    : [requireDict(truth, 'possible_answer')];
  const calls = dicts.flatMap((dict) => [...dict]);
  if (calls.length === 0) wrong(truth, 'possible_answer', 'one call or more');
  return calls.map(([name, parameters]) => ({
    name,
    // One question of 2024-08 has a parameter where a call should be; it counts as a call, and nothing describes it.
    parameters: new Map(
      isDict(parameters) ? [...parameters].map(([key, allowed]) => [key, itemsOf(allowed)]) : [],
    ),
  }));
}
