import type { Lexicon, Token } from './lexicon.ts';
import { tokensFrom, tokensOf } from './lexicon.ts';
import { Wording } from './wording.ts';
import type { Signs } from './wording.ts';
import { fullStop, isLetter, questionMark, readWords, signsIn } from './words.ts';
import type { Word } from './words.ts';
import { withoutContrast, withoutLead, withoutPoliteness } from './framing.ts';
import { kindOf } from './requests.ts';
import type { SentenceKind } from './requests.ts';

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
    const { words, signs } = sentence;
    const alone: SentenceKind = kindOf(sentence.text, {
      marked: sentence.asked,
      closed: sentence.closed,
      signs,
    });
    // "Please tell me:", and line by line what.
    const listed: boolean = listAsks && sentence.listed && alone !== 'declines';
    const kind: SentenceKind = listed ? 'asks' : alone;
    if (!sentence.listed) listAsks = kind === 'asks' && sentence.opensList;
    const asks = kind === 'asks' || kind === 'names';
    const led = asks ? withoutLead(sentence.text, signs) : sentence.text;
    const body = asks ? withoutPoliteness(led, signs) : led;
    const pieces = piecesOf(body, signs);
    for (const [place, text] of pieces.entries()) {
      let wanted = withoutContrast(text, signs);
      // What has just been found to hold no courtesy holds none.
      if (!(asks && body === led && wanted === body)) wanted = withoutPoliteness(wanted, signs);
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
            ? () => tokensOf(withoutPoliteness(sentence.text, signs), lexicon)
            : undefined,
        asks,
        names: kind === 'names',
        orders: kind === 'orders',
        declines: kind === 'declines',
        pointsBack: pointer.isIn(wanted, signs),
        things: asks ? thingsIn(wanted, sentence, lexicon) : undefined,
      });
    }
  }
  return clauses;
}

/** What is one of several things that are asked for, as if it were the only one. */
function asking(thing: string): string {
  return `please tell me ${thing}`;
}

function thingsIn(
  wanted: string,
  { text, words, asked, signs }: Sentence,
  lexicon: Lexicon,
): Clause['things'] {
  if (!joined.mayBeIn(signs)) return undefined;
  const named = wanted
    .split(joined.expression)
    .map(withoutCommas)
    .filter((part) => part !== 'please');
  if (named.length < 2 || !named.slice(1).every((part) => thing.test(part))) return undefined;
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

/** Lower case, one kind of apostrophe, contractions written out. What a text does not hold is not looked for in it. */
export function plainText(message: string): string {
  let text = message
    .toLowerCase()
    .replaceAll('**', ' ')
    .replace(
      /^[ \t]*(?:[-*\u2022\u2013\u2014](?:[ \t]+\d{1,2}(?:\.\d{1,2})?[.)]?(?=[ \t]+[a-z]))?|\(?\d{1,2}[.)]|[a-z][.)])[ \t]+/gm,
      '- ',
    )
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/[\u201c\u201d"*_#]/g, ' ');
  if (text.includes("'")) text = withoutContractions(text);
  // What belongs to the operator is another thing than what belongs to the person.
  if (/\b(?:our|my) /.test(text)) text = text.replace(ours, 'our-$1');
  // To like a thing is more than "would like".
  if (text.includes(' like'))
    text = text.replace(/\b(do|does|did) (you|he|she|they|anyone|anybody) like\b/g, '$1 $2 enjoy');
  for (const [sign, idiom, meaning] of idioms) if (text.includes(sign)) text = text.replace(idiom, meaning);
  // The way back is not the back.
  if (text.includes('back'))
    text = text.replace(
      /\b(come|comes|came|go|goes|went|going|call|called|calling|be|get|got|write|come right|bring|send|give|pay) (?:(you|it|me|him|her|them|us|that) )?back\b(?! pain| hurt)/g,
      '$1 $2 again',
    );
  if (text.includes(' no.')) text = text.replace(numbered, '$1 number');
  if (text.includes('.')) text = text.replace(/\b(dr|mr|mrs|ms|st|no|vs|approx|e\.g|i\.e)\./g, '$1');
  if (text.includes(' not '))
    text = text.replace(
      /\b(?:did not|do not|does not|have not|has not|are not|is not|was not|were not|could not|would not) (you|they|he|she|there|it|anyone|anybody)\b/g,
      (found) => found.replace(' not ', ' '),
    );
  return text;
}

/** "Order no.": there it is no answer. */
const numbered =
  /\b(order|parcel|tracking|account|invoice|contract|claim|case|file|customer|reference|policy|ticket|article|item|model|serial|phone|telephone|house|room) no\./g;

/** Words that mean something else where they stand so; what is in each of them stands before it. */
const idioms: readonly (readonly [sign: string, RegExp, string])[] = [
  ['be so ', /\bbe so (?:kind|good) (?:as to|and) /g, ''],
  ['picture', /\b(?:put|kept|keep|been) in the picture\b/g, 'informed'],
  [' all right', /(?<!are you|is that|it is|be) all right(?=[?.!,]|$)/g, ' normally'],
  ['hand', /\b(?:give|lend)(s?) (me|you|us|him|her|them|somebody|someone) a hand\b/g, 'help$1 $2'],
  ['hand', /\bhand (?:it |this |that |them )?(in|over|out)\b/g, 'submit $1'],
  [' hand', /\b(?:at|on|in|to) hand\b/g, 'ready'],
  [' work', /\b(?:does|do) (this|that|it|the \w+|things?) work\b/g, 'does $1 function'],
  [' works', /\bhow (this|that|it|things?) works\b/g, 'how $1 functions'],
  [' to work', /\b(?:get|getting|come|way|commute|travel) to work\b/g, 'commute'],
  ['are you ', /\bare you (?:all right|alright|okay|ok)\b(?! with)/g, 'how are you'],
  ['s ', /\b(?:is|was) (that|this|it) (?:right|correct|so)(?=[.?!]|$)/g, 'is $1 so'],
  [' see', /\b(?:do )?(?:you|i) see(?: what (?:i|you) mean)?(?=[,.?!]|$)/g, ' '],
  ['in a', /\bin (?:a|any) (?:rush|hurry)\b/g, 'without time'],
  [' far', /\b(?:so|thus) far\b/g, 'already'],
];

const ours =
  /\b(?:our|my) (?!(?:file|list|screen|computer|sheet|questionnaire|checklist|rule|protocol|template|record|form|note|system|polic|call|conversation|report|assessment|database|side|guideline|question|first|last|next|own|shop|purchase|understanding|department|intake|plan|colleague|confirmation|message|reply|warehouse|website)s?)([a-z])/g;

function withoutContractions(text: string): string {
  return text
    .replace(/\b(ca|wo|sha)n't\b/g, (_, verb: string) => `${whole[verb]} not`)
    .replace(/n't\b/g, ' not')
    .replace(/\b(what|who|where|when|how|that|there|it|he|she|let)'s\b/g, (_, word: string) =>
      word === 'let' ? 'let us' : `${word} is`,
    )
    .replace(/'re\b/g, ' are')
    .replace(/'ve\b/g, ' have')
    .replace(/'ll\b/g, ' will')
    .replace(/'d\b/g, ' would')
    .replace(/\bi'm\b/g, 'i am')
    .replace(/'s\b/g, '');
}

const whole: Readonly<Record<string, string>> = { ca: 'can', wo: 'will', sha: 'shall' };

/** A sentence of a message, as it is read. */
export interface Sentence {
  readonly text: string;
  readonly words: readonly Word[];
  /** These as they are said, with its commas and its end. */
  readonly said: readonly Word[];
  readonly signs: Signs;
  readonly asked: boolean;
  /** It ends with a full stop or an exclamation mark. */
  readonly closed: boolean;
  /** It is a line of a list. */
  readonly listed: boolean;
  /** It ends with a colon, or asks for the following. */
  readonly opensList: boolean;
}

export function sentencesOf(plain: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  for (const piece of plain.match(/[^.?!\n;]+(?:\.(?=\d)[^.?!\n;]+)*[.?!\n;]*/g) ?? []) {
    const text = withoutStops(isLetter(piece.charCodeAt(0)) ? piece : piece.replace(bullet, ''));
    if (text === '') continue;
    const asked = piece.includes('?');
    const { words, said } = wordsSaid(text, asked);
    const end = piece.trimEnd();
    const closed = end.endsWith('.') || end.endsWith('!');
    sentences.push({
      text,
      words,
      said,
      signs: signsIn(text, words),
      asked,
      closed,
      listed: /^\s*- /.test(piece),
      opensList: end.endsWith(':') || (asked && /\b(?:following|these|below)\b/.test(text)),
    });
  }
  return sentences;
}

function wordsSaid(text: string, asked: boolean): Pick<Sentence, 'words' | 'said'> {
  const words: Word[] = [];
  const said: Word[] = [];
  readWords(text, words, said);
  said.push(asked ? questionMark : fullStop);
  return { words, said };
}

const bullet = /^[\s\-\u2022\u2013\u2014>()\d]*[).]?\s+/;

function withoutStops(text: string): string {
  let end = text.length;
  while (end > 0 && !isLetter(text.charCodeAt(end - 1)) && /[\s.?!;]/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** A comma or an "and" before a new question opens a new clause; so does a dash or a colon. */
const clauseBreak = new Wording(
  /\s*(?:[:\u2013\u2014]|--)\s+|(?:,\s*(?:and |or |but |so |also |then |plus |as well as )?|\s(?:and|or|but|also|then|plus|as well as)\s+)\s*(?=\b(?:who|whom|what|when|where|which|why|how|did|do you|do your|does|is|are|was|were|has|have you|have your|can you|could you|would you|any|whether|(?:in|on|at|of|for|from|with|to|by|since|until|under|into) (?:what|which|whom|whose|when|where|how))\b)/,
);

function piecesOf(text: string, signs: Signs): readonly string[] {
  const parts = clauseBreak.mayBeIn(signs) ? text.split(clauseBreak.expression) : [];
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

/** "When and where did it happen": a bare question word borrows the words of the clause beside it. */
function joinBare(parts: readonly string[]): readonly string[] {
  const pieces = parts.map(withoutCommas).filter((part) => part !== '');
  return pieces.map((piece, index) => {
    if (!/^(?:who|what|when|where|which|why|how)(?: and| or)?$/.test(piece)) return piece;
    const beside = pieces[index + 1] ?? pieces[index - 1];
    return beside === undefined
      ? piece
      : `${piece} ${beside.replace(/\b(?:who|what|when|where|whereabouts|which|why|how)\b/g, ' ')}`;
  });
}
