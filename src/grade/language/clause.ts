import { Recent } from '../../base/host/recent.ts';
import type { Lexicon } from './lexicon.ts';
import { withoutContrast, withoutLead, withoutPoliteness } from './framing.ts';
import { isHeading, segmentsOf, pointsBack, thingsNamedIn, withoutJoiningWhen } from './segments.ts';
import { kindOf } from './requests.ts';
import type { SentenceKind } from './requests.ts';
import { sentencesOf } from './sentence.ts';
import type { Sentence } from './sentence.ts';
import { tokensFrom, tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';
import { wordsSaid } from './words.ts';

/** A segment of a message with one thought in it. */
export interface Clause {
  readonly text: string;
  /** The sentence it is in, and all its words. */
  readonly sentence: string;
  readonly words: readonly string[];
  /** All that is said with it, courtesies and all: the sentence, or its own part of one that has several. */
  readonly said: string;
  /** Its words, as they are said, with its commas and its end. */
  readonly saidWords: readonly string[];
  /** The sentence ends with a question mark. */
  readonly marked: boolean;
  /** Its words, without what makes a question polite and what only leads to it. */
  readonly tokens: readonly Token[];
  /** The words of the whole sentence, where some of it was taken for a lead-in. */
  readonly whole?: readonly Token[];
  /** It asks the person something, or tells the person to speak of something. */
  readonly asks: boolean;
  /** It names a thing and says nothing of it: perhaps the person is asked for that. */
  readonly names: boolean;
  /** It tells the person to do something. */
  readonly orders: boolean;
  /** It says that something need not be told. */
  readonly declines: boolean;
  /** A heading with what it heads, which comes next by itself: "Work: have they offered you something?" */
  readonly heads: boolean;
  /** It says `it`, `this` or `that`: what was last spoken of may be meant. */
  readonly pointsBack: boolean;
  /** The things that it asks for, each as if it were asked for alone: "your number and the address". */
  readonly things: readonly Clause[];
}

/** The clauses of a message (plain text, see `plainText`), in order. Linear in its length. */
export function* clausesOf(plain: string, lexicon: Lexicon): Generator<Clause> {
  let listAsks = false;
  for (const sentence of sentencesOf(plain)) {
    const alone = kindOf(sentence.text, { marked: sentence.asked, closed: sentence.closed });
    // "Please tell me:", and line by line what.
    const listed: boolean = listAsks && sentence.listed && alone !== 'declines';
    const kind: SentenceKind = listed ? 'asks' : alone;
    if (!sentence.listed) listAsks = kind === 'asks' && sentence.opensList;
    yield* knownClausesIn(sentence, { kind, listed }, lexicon);
  }
}

/** The latest sentences with their clauses: much of what is said is said again, and a message is read anew where it may hold a slip. */
const latest = new WeakMap<Lexicon, Recent<string, readonly Clause[]>>();
const mostSentences = 100;

function knownClausesIn(sentence: Sentence, form: SentenceForm, lexicon: Lexicon): readonly Clause[] {
  let known = latest.get(lexicon);
  if (known === undefined) latest.set(lexicon, (known = new Recent(mostSentences)));
  const key = `${form.kind} ${form.listed} ${sentence.asked} ${sentence.text}`;
  let clauses = known.get(key);
  if (clauses === undefined) known.set(key, (clauses = clausesIn(sentence, form, lexicon)));
  return clauses;
}

interface SentenceForm {
  readonly kind: SentenceKind;
  readonly listed: boolean;
}

function clausesIn(sentence: Sentence, { kind, listed }: SentenceForm, lexicon: Lexicon): readonly Clause[] {
  const { text: whole, words, asked: marked } = sentence;
  const asks = kind === 'asks' || kind === 'names';
  const body = asks ? withoutPoliteness(withoutLead(whole)) : whole;
  const segments = segmentsOf(body);
  const headed = asks && segments.length > 1 && isHeading(segments[0]!, body);
  return segments.map((segment, place) => {
    const heads = headed && place === 0;
    const text = heads ? `${segment} ${segments[1]}` : segment;
    const wanted = withoutJoiningWhen(withoutPoliteness(withoutContrast(text)));
    const said = listed ? asking(text) : segments.length > 1 ? text : whole;
    const hasLead = kind === 'asks' && place === 0 && body.length < whole.length;
    return {
      text,
      sentence: whole,
      words,
      said,
      saidWords: said === whole ? sentence.said : wordsSaid(said, marked),
      marked,
      tokens: wanted === whole ? tokensFrom(words, lexicon) : tokensOf(wanted, lexicon),
      ...(hasLead && { whole: tokensOf(withoutPoliteness(whole), lexicon) }),
      asks,
      names: kind === 'names',
      orders: kind === 'orders',
      declines: kind === 'declines',
      heads,
      pointsBack: pointsBack(wanted),
      things: asks ? thingsIn(wanted, sentence, lexicon) : [],
    };
  });
}

/** What is one of several things that are asked for, as if it were the only one. */
function asking(thing: string): string {
  return `please tell me ${thing}`;
}

function thingsIn(
  wanted: string,
  { text: sentence, words, asked: marked }: Sentence,
  lexicon: Lexicon,
): readonly Clause[] {
  return thingsNamedIn(wanted).map((text) => {
    const said = asking(text);
    return {
      text,
      sentence,
      words,
      said,
      saidWords: wordsSaid(said, marked),
      marked,
      tokens: tokensOf(text, lexicon),
      asks: true,
      names: false,
      orders: false,
      declines: false,
      heads: false,
      pointsBack: false,
      things: [],
    };
  });
}
