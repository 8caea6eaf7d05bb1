import { Recent } from '../../base/host/recent.ts';
import { clausesOf } from './clause.ts';
import type { Clause } from './clause.ts';
import { courtesiesOf } from './courtesy.ts';
import type { Courtesy } from './courtesy.ts';
import { plainText } from './plain-text.ts';
import type { Lexicon } from './lexicon.ts';

/** A message as it is understood; each part of it is worked out when it is first asked for. */
export interface Reading {
  readonly plain: string;
  /** Read one after another, as they are asked for. */
  readonly clauses: Iterable<Clause>;
  readonly courtesies: () => readonly Courtesy[];
}

/**
 * What was read last, by lexicon: the person hears a message, the grade judges the same one right after, and in the next
 * variant or the next rollout of a group much is said word for word again. Weighed by its length, as what is made of it.
 */
const latest = new Recent<string, Reading>(200_000, ({ plain }) => plain.length + 100);

const numbers = new WeakMap<Lexicon, number>();
let lexicons = 0;

export function readingOf(text: string, lexicon: Lexicon): Reading {
  let number = numbers.get(lexicon);
  if (number === undefined) numbers.set(lexicon, (number = lexicons++));
  const key = `${number} ${text}`;
  const known = latest.get(key);
  if (known) return known;
  const plain = plainText(text);
  let courtesies: readonly Courtesy[] | undefined;
  const reading: Reading = {
    plain,
    clauses: keep(clausesOf(plain, lexicon)),
    courtesies: () => (courtesies ??= courtesiesOf(plain)),
  };
  latest.set(key, reading);
  return reading;
}

/** What can be gone over again, though each item is made once. */
function keep<Item>(items: Iterator<Item>): Iterable<Item> {
  const made: Item[] = [];
  return {
    *[Symbol.iterator]() {
      for (let at = 0; ; at++) {
        if (at === made.length) {
          const next = items.next();
          if (next.done === true) return;
          made.push(next.value);
        }
        yield made[at]!;
      }
    },
  };
}
