import { readFileSync } from 'node:fs';

import type { LineName, mannerNames } from '../scenario/manner.ts';
import type { Task } from '../scenario/task.ts';

type Lines = Readonly<Record<LineName, readonly string[]>>;

/** The lines of each manner; where one has none of its own, it says the plain ones. */
const manners = JSON.parse(readFileSync(new URL('./data/lines.json', import.meta.url), 'utf8')) as Readonly<
  Record<(typeof mannerNames)[number], Partial<Lines>>
> & { readonly plain: Lines };

/** What a person says: the scenario's own line, or one of its manner, chosen by the turn, so that the same messages give the same answers. */
export function lineOf(name: LineName, { person, reference }: Task, turn: number): string {
  const { manner, lines: own } = person;
  if (Object.hasOwn(own, name)) return own[name]!;
  const its = Object.hasOwn(manners, manner) ? manners[manner as keyof typeof manners] : manners.plain;
  const lines = its[name] ?? manners.plain[name];
  return lines[(turn + reference.seed) % lines.length]!;
}
