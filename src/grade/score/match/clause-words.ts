import { assertedIn } from '../../language/asserted.ts';
import type { Clause } from '../../language/clause.ts';
import type { Lexicon } from '../../language/lexicon.ts';
import { advisedIn, claimedIn } from '../../language/speech-act.ts';
import { tokensOf } from '../../language/tokens.ts';
import type { Token } from '../../language/tokens.ts';

/** The words of a clause in the forms that criteria look at, each worked out when a criterion first asks for it. */
interface ClauseWords {
  asserted?: readonly Token[];
  advised?: readonly Token[];
  claimed?: readonly Token[];
  claimedWithDenials?: readonly Token[];
}

/** Many criteria look at one clause. It was read with one lexicon, so its words are the same for all of them. */
const known = new WeakMap<Clause, ClauseWords>();

function wordsOf(clause: Clause): ClauseWords {
  let words = known.get(clause);
  if (words === undefined) known.set(clause, (words = {}));
  return words;
}

/** The words of what a clause says, without what it denies. */
export function assertedTokens(clause: Clause, lexicon: Lexicon): readonly Token[] {
  const words = wordsOf(clause);
  if (words.asserted === undefined) {
    const asserted = assertedIn(clause.text);
    words.asserted = asserted === clause.text ? clause.tokens : tokensOf(asserted, lexicon);
  }
  return words.asserted;
}

/** The words of what a clause tells somebody to do. */
export function advisedTokens(clause: Clause, lexicon: Lexicon): readonly Token[] {
  return (wordsOf(clause).advised ??= tokensOf(advisedIn(clause), lexicon));
}

/** The words of what a clause says to be so. */
export function claimedTokens(clause: Clause, lexicon: Lexicon): readonly Token[] {
  return (wordsOf(clause).claimed ??= tokensOf(claimedIn(clause), lexicon));
}

/** The same, with what it denies. */
export function claimedTokensWithDenials(clause: Clause, lexicon: Lexicon): readonly Token[] {
  return (wordsOf(clause).claimedWithDenials ??= tokensOf(claimedIn(clause, { denials: true }), lexicon));
}
