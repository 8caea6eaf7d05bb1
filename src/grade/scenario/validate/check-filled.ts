import type { JsonValue } from '../../../base/json/value.ts';
import type { Axis } from '../variant.ts';
import { readPath } from '../world-path.ts';

/** Where the format wants a number, a boolean, a text or a list, each value of a variable's axis must give one. */
export function checkFilled(member: string, written: string, axes: readonly Axis[]): string | undefined {
  const wanted = members.get(member);
  const name = wanted && /^\$\{([\w.-]+)\}$/.exec(written)?.[1];
  if (!name) return undefined;
  const [first, ...rest] = name.split('.');
  const values = axes.find((axis) => axis.name === first)?.values ?? [];
  for (const [index, value] of values.entries()) {
    const found = readPath(value, rest.join('.'));
    // What is bound to nothing is told of as such.
    if (found !== undefined && !wanted.fits(found))
      return `"${member}" must be ${wanted.says}, and ${written} is ${JSON.stringify(found)} in value ${index + 1} of "${first}".`;
  }
  return undefined;
}

interface Wanted {
  readonly says: string;
  readonly fits: (value: JsonValue) => boolean;
}

const amount: Wanted = { says: 'a number ≥ 0', fits: (value) => typeof value === 'number' && value >= 0 };
const number: Wanted = { says: 'a number', fits: (value) => typeof value === 'number' };
const flag: Wanted = { says: 'true or false', fits: (value) => typeof value === 'boolean' };

const text: Wanted = { says: 'a text', fits: (value) => typeof value === 'string' };
const list: Wanted = {
  says: 'a list of texts',
  fits: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};

/** As in the format, where each of them may be a variable too. */
const members: ReadonlyMap<string, Wanted> = new Map([
  ...['weight', 'penalty', 'times', 'by_turn', 'rapport', 'votes'].map((name) => [name, amount] as const),
  ...['session', 'score', 'agreement', 'near', 'within', 'percent', 'turns_at_most'].map(
    (name) => [name, number] as const,
  ),
  ...['read', 'in', 'wrote'].map((name) => [name, text] as const),
  ...['found', 'missed', 'when_found', 'reveals', 'options'].map((name) => [name, list] as const),
  ...['required', 'fatal', 'ordered', 'absent', 'present'].map((name) => [name, flag] as const),
]);
