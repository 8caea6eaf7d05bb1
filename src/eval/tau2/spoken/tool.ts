import type { JsonObject } from '../../../base/json/value.ts';
import { valueError } from '../../python/exception.ts';
import { calculate } from '../../python/evaluate.ts';
import { writeJson } from '../../python/json.ts';
import { str } from '../../python/repr.ts';
import type { PythonValue } from '../../python/value.ts';
import type { World } from '../toolkit.ts';

/** A tool as players are told of it, and what it answers them. */
export interface SpokenTool {
  readonly description: string;
  /** In their order, each with its schema. */
  readonly parameters: Readonly<Record<string, JsonObject>>;
  /** What may be left out, with its default. */
  readonly optional?: Readonly<Record<string, PythonValue>>;
  /** What must be known of the world before the tool changes it. */
  before?(world: World): PythonValue;
  /** Of a tool that changes something, once that is done; `result` is what came of it. */
  answer(world: World, given: readonly PythonValue[], came: Came): string;
}

export interface Came {
  readonly result: PythonValue;
  readonly before: PythonValue;
}

/** The tools of both sides of a domain. */
export interface SpokenTools {
  readonly agent: Readonly<Record<string, SpokenTool>>;
  readonly user: Readonly<Record<string, SpokenTool>>;
}

export const textSchema = (description: string): JsonObject => ({ type: 'string', description });

export const oneOfSchema = (description: string, ...values: string[]): JsonObject => ({
  type: 'string',
  enum: values,
  description,
});

export const listSchema = (description: string, items: JsonObject): JsonObject => ({
  type: 'array',
  items,
  description,
});

export const recordSchema = (properties: Readonly<Record<string, JsonObject>>): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

/** A record is written as it is. */
export function written({ result }: Came): string {
  return writeJson(result);
}

/** A dict that a tool makes up itself is written with its numbers as text; the records in it are not. */
export function plainDict(members: Readonly<Record<string, PythonValue>>): string {
  return writeJson(
    new Map(
      Object.entries(members).map(([name, value]) => [
        name,
        typeof value === 'number' || typeof value === 'bigint' ? str(value) : value,
      ]),
    ),
  );
}

/** The tools that several domains have. */
export const calculateTool: SpokenTool = {
  description: 'Calculates an expression.',
  parameters: { expression: textSchema("Numbers, + - * /, parentheses and spaces, such as '2 + 2'.") },
  answer(_world, [expression]) {
    if (typeof expression !== 'string' || !/^[0-9+\-*/(). ]*$/.test(expression))
      throw valueError('Invalid characters in expression');
    const value = calculate(expression);
    if (value.startsWith('Error: ')) throw valueError(value.slice('Error: '.length));
    return value;
  },
};

export const transferTool: SpokenTool = {
  description:
    'Hands the person over to a human agent. Only where they ask for one, or where policy and tools do not allow to solve their problem.',
  parameters: { summary: textSchema('What the person wants, in short.') },
  answer: () => 'Transfer successful',
};
