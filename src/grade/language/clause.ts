import type { Lexicon, Token } from './lexicon.ts';
import { tokensFrom, tokensOf } from './lexicon.ts';
import { Wording } from './wording.ts';
import { isLetter } from './words.ts';
import type { Word } from './words.ts';
import { withoutContrast, withoutLead, withoutPoliteness } from './framing.ts';
import { kindOf } from './requests.ts';
import type { SentenceKind } from './requests.ts';
import { sentencesOf, wordsSaid } from './sentence.ts';
import type { Sentence } from './sentence.ts';

/** A piece of a message with one thought in it. */
export interface Clause {
  readonly text: string;
  /** The sentence it stands in, and all its words. */
  readonly sentence: string;
  readonly words: readonly Word[];
  /** All that is said with it, courtesies and all: the sentence, or its own part of one that has several. */
  readonly said: string;
  /** Its words, as they are said, with its commas and its end. */
  readonly saidWords: readonly Word[];
  /** The sentence ends with a question mark. */
  readonly marked: boolean;
  /** Its words, without what makes a question polite and what only leads to it. */
  readonly tokens: readonly Token[];
  /**
   * The words of the whole sentence, where some of it was taken for a lead-in; read when they are asked for. Only what
   * comes first in a sentence has a lead-in.
   */
  readonly whole: (() => readonly Token[]) | undefined;
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
  readonly things: (() => readonly Clause[]) | undefined;
}

/** The clauses of a message (plain text, see `plainText`), in order. Linear in its length. */
export function clausesOf(
  plain: string,
  lexicon: Lexicon,
  sentences: readonly Sentence[] = sentencesOf(plain),
): readonly Clause[] {
  const clauses: Clause[] = [];
  let listAsks = false;
  for (const sentence of sentences) {
    const { words } = sentence;
    const alone: SentenceKind = kindOf(sentence.text, {
      marked: sentence.asked,
      closed: sentence.closed,
    });
    // "Please tell me:", and line by line what.
    const listed: boolean = listAsks && sentence.listed && alone !== 'declines';
    const kind: SentenceKind = listed ? 'asks' : alone;
    if (!sentence.listed) listAsks = kind === 'asks' && sentence.opensList;
    const asks = kind === 'asks' || kind === 'names';
    const led = asks ? withoutLead(sentence.text) : sentence.text;
    const body = asks ? withoutPoliteness(led) : led;
    const pieces = piecesOf(body);
    const isHeaded = asks && pieces.length > 1 && isHeading(pieces[0]!, body);
    for (const [place, piece] of pieces.entries()) {
      const heads = isHeaded && place === 0;
      const text = heads ? `${piece} ${pieces[1]}` : piece;
      let wanted = withoutContrast(text);
      // What has just been found to hold no courtesy holds none.
      if (!(asks && body === led && wanted === body)) wanted = withoutPoliteness(wanted);
      wanted = withoutJoiningWhen(wanted);
      const tokens = wanted === sentence.text ? tokensFrom(words, lexicon) : tokensOf(wanted, lexicon);
      const said = listed ? asking(text) : pieces.length > 1 ? text : sentence.text;
      clauses.push({
        text,
        sentence: sentence.text,
        words,
        said,
        saidWords: said === sentence.text ? sentence.said : wordsSaid(said, sentence.asked).said,
        marked: sentence.asked,
        tokens,
        // What is not there is written out: to spread it would cost more than all else of a clause.
        whole:
          kind === 'asks' && place === 0 && body.length < sentence.text.length
            ? () => tokensOf(withoutPoliteness(sentence.text), lexicon)
            : undefined,
        asks,
        names: kind === 'names',
        orders: kind === 'orders',
        declines: kind === 'declines',
        heads,
        pointsBack: pointer.isIn(wanted),
        things: asks ? thingsIn(wanted, sentence, lexicon) : undefined,
      });
    }
  }
  return clauses;
}

/** Whether what begins a sentence is a few words before a colon, and no question by itself. */
function isHeading(piece: string, sentence: string): boolean {
  if (!sentence.startsWith(piece) || ownQuestion.test(piece)) return false;
  return heading.test(piece) && /^\s*:/.test(sentence.slice(piece.length));
}

const heading = /^(?:[^\s?]+(?: |$)){1,4}$/;

const ownQuestion =
  /^(?:and |so |but |please )*(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|was|were|have|has|had|can|could|will|would|tell|give|name|describe)\b/;

/** What is one of several things that are asked for, as if it were the only one. */
function asking(thing: string): string {
  return `please tell me ${thing}`;
}

function thingsIn(wanted: string, { text, words, asked }: Sentence, lexicon: Lexicon): Clause['things'] {
  const named = wanted
    .split(joined.expression)
    .map(withoutCommas)
    .filter((part) => part !== 'please');
  if (named.length < 2 || bareQuestion.test(named[0]!) || !named.slice(1).every((part) => thing.test(part)))
    return undefined;
  return () =>
    named.map((part) => {
      const said = asking(part);
      return {
        text: part,
        sentence: text,
        words,
        said,
        saidWords: wordsSaid(said, asked).said,
        marked: asked,
        tokens: tokensOf(part, lexicon),
        whole: undefined,
        asks: true,
        names: false,
        orders: false,
        declines: false,
        heads: false,
        pointsBack: false,
        things: undefined,
      };
    });
}

const joined = new Wording(
  /,(?: and| plus| as well as| along with| together with)? | (?:and|plus|as well as|along with|together with) (?:also )?/,
);

/** A thing, whatever is said of it, or a few words without a verb of their own. */
const thing =
  /^(?:(?:the|your|his|her|their|its) (?!\w+ (?:is|are|was|were|did|does|do|has|have|can|could|will)\b)[\w' -]+|(?!(?:and|or|but|so|please|thanks?|sorry|if|because|as|since|then|me|not)\b)(?:(?!(?:i|we|you|he|she|it|they|is|are|was|were|am|be|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|not)\b)[\w'-]+(?: |$)){1,6})$/;

const pointer = new Wording(/\b(?:it|this|that|those|these|they|them|there|then|yours|one)\b/);

/** A comma or an "and" before a new question opens a new clause; so does a dash or a colon. */
const clauseBreak = new Wording(
  /\s*(?:[:\u2013\u2014]|--)\s+|(?:,\s*(?:and |or |but |so |also |then |plus |as well as )?|\s(?:and|or|but|also|then|plus|as well as)\s+)\s*(?=\b(?:who|whom|what|when|where|which|why|how|did|do you|do your|does|is|are|was|were|has|have you|have your|can you|could you|would you|any|whether|(?:in|on|at|of|for|from|with|to|by|since|until|under|into) (?:what|which|whom|whose|when|where|how))\b)/,
);

function piecesOf(text: string): readonly string[] {
  const parts = text.split(clauseBreak.expression);
  if (parts.length > 1) return joinBare(joinLead(parts));
  const piece = withoutCommas(text);
  return piece === '' ? [] : [piece];
}

function withoutCommas(text: string): string {
  if (isLetter(text.charCodeAt(0)) && isLetter(text.charCodeAt(text.length - 1))) return text;
  return text.replace(/^[\s,]+|[\s,]+$/g, '');
}

/** "Where were you when it happened" asks where: a later "when" only joins. Such a word is taken away. */
function withoutJoiningWhen(text: string): string {
  if (
    !text.includes(' when ') ||
    !joiningWhen.test(text) ||
    /\b(?:remember|know|recall|say|sure|certain|tell|told) (?:exactly |roughly |about )?when\b/.test(text)
  )
    return text;
  const at = text.lastIndexOf(' when ');
  return `${text.slice(0, at)} ${text.slice(at + 6)}`;
}

const joiningWhen =
  /^(?:and |so |but )?(?:who|what|where|which|why|how|were|was|did|does|do|can|is|are|had|has|have|describe|explain)\b.* when /;

/** "On a scale of ten, how bad is it": what stands before the first question and asks nothing belongs to it. */
function joinLead([first, second, ...rest]: readonly string[]): readonly string[] {
  if (
    first === undefined ||
    second === undefined ||
    !/^(?:on|at|in|during|before|after|since|with|without|compared|now that|(?:when|while)(?= (?:i|you|we|he|she|it|they|the|your)\b)|from|by|out of|under) (?!what|which|whom|when)/.test(
      first,
    )
  )
    return [first, second, ...rest].filter((part) => part !== undefined);
  return [`${first} ${second}`, ...rest];
}

const bareQuestion = /^(?:who|what|when|where|which|why|how)(?: and| or)?$/;

/** "When and where did it happen": a bare question word borrows the words of the clause beside it. */
function joinBare(parts: readonly string[]): readonly string[] {
  const pieces = parts.map(withoutCommas).filter((part) => part !== '');
  return pieces.map((piece, index) => {
    if (!bareQuestion.test(piece)) return piece;
    const beside = pieces[index + 1] ?? pieces[index - 1];
    return beside === undefined
      ? piece
      : `${piece} ${beside.replace(/\b(?:who|what|when|where|whereabouts|which|why|how)\b/g, ' ')}`;
  });
}
