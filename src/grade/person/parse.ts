import type { Clause } from '../language/clause.ts';
import { courtesiesOf } from '../language/courtesy.ts';
import type { Courtesy } from '../language/courtesy.ts';
import { readingOf } from '../language/reading.ts';
import type { QuestionIndex } from './question-index.ts';
import { isReadAloud } from './read-aloud.ts';
import type { Briefing } from './read-aloud.ts';

/** A message, read into clauses. */
export interface ParsedMessage {
  readonly plain: string;
  readonly courtesies: readonly Courtesy[];
  /** Read one after another, as they are asked for. */
  readonly clauses: Iterable<ParsedClause>;
}

export interface ParsedClause {
  readonly clause: Clause;
  /** It is read from the briefing. */
  readonly readAloud: boolean;
}

/** Nobody takes in more at once: of a longer message its end is heard, and of that so many clauses. */
const mostCharacters = 2000;
const mostClauses = 50;

/** Reads a message into clauses, with the courtesies in it. */
export function parse(message: string, { lexicon, briefing }: QuestionIndex): ParsedMessage {
  const reading = readingOf(message.slice(-mostCharacters), lexicon);
  const plain = reading.plain.trim();
  return {
    plain,
    courtesies: plain === reading.plain ? reading.courtesies() : courtesiesOf(plain),
    clauses: clausesHeard(reading.clauses, briefing),
  };
}

function* clausesHeard(clauses: Iterable<Clause>, briefing: Briefing): Generator<ParsedClause> {
  let sentence: string | undefined;
  let readAloud = false;
  let count = 0;
  for (const clause of clauses) {
    if (++count > mostClauses) return;
    if (clause.sentence !== sentence) readAloud = isReadAloud(clause, briefing);
    ({ sentence } = clause);
    yield { clause, readAloud };
  }
}
