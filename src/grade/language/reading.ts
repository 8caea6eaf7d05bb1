import { clausesOf } from './clause.ts';
import type { Clause } from './clause.ts';
import { plainText } from './plain-text.ts';
import { sentencesOf } from './sentence.ts';
import type { Sentence } from './sentence.ts';
import type { Lexicon } from './lexicon.ts';
import { courtesiesOf } from './small-talk.ts';
import type { Courtesy } from './small-talk.ts';

/** A message as it is understood; each part of it is worked out when it is first asked for. */
export interface Reading {
  readonly plain: string;
  readonly clauses: () => readonly Clause[];
  readonly courtesies: () => readonly Courtesy[];
}

/** What was read last with a lexicon: the person hears a message, and the grade judges the same one right after. */
const latest = new WeakMap<Lexicon, { readonly text: string; readonly reading: Reading }>();

export function readingOf(text: string, lexicon: Lexicon): Reading {
  const known = latest.get(lexicon);
  if (known?.text === text) return known.reading;
  const plain = plainText(text);
  let sentences: readonly Sentence[] | undefined;
  const read = () => (sentences ??= sentencesOf(plain));
  let clauses: readonly Clause[] | undefined;
  let courtesies: readonly Courtesy[] | undefined;
  const reading: Reading = {
    plain,
    clauses: () => (clauses ??= clausesOf(plain, lexicon, read())),
    courtesies: () => (courtesies ??= courtesiesOf(plain)),
  };
  latest.set(lexicon, { text, reading });
  return reading;
}
