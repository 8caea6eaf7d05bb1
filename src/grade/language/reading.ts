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

/** What was read last with a lexicon: the person hears a message, and the grade judges the same one right after. */
const latest = new WeakMap<Lexicon, { readonly text: string; readonly reading: Reading }>();

export function readingOf(text: string, lexicon: Lexicon): Reading {
  const known = latest.get(lexicon);
  if (known?.text === text) return known.reading;
  const plain = plainText(text);
  let courtesies: readonly Courtesy[] | undefined;
  const reading: Reading = {
    plain,
    clauses: keep(clausesOf(plain, lexicon)),
    courtesies: () => (courtesies ??= courtesiesOf(plain)),
  };
  latest.set(lexicon, { text, reading });
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
