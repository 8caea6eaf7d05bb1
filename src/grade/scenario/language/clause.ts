import { contrast, notAboutPerson, refusedRequest, requestInside, requestStart } from './common-words.ts';
import { bagOf } from './pattern.ts';
import type { Bag } from './pattern.ts';
import type { Lexicon, Token } from './lexicon.ts';
import { tokensOf } from './lexicon.ts';

/** A piece of a message with one thought in it. */
export interface Clause {
  readonly text: string;
  /** The sentence it stands in. */
  readonly sentence: string;
  /** The sentence ends with a question mark. */
  readonly marked: boolean;
  readonly tokens: readonly Token[];
  readonly bag: Bag;
  /** It asks the person something, or tells the person to speak of something. */
  readonly asks: boolean;
  /** It says `it`, `this` or `that`: what was last spoken of may be meant. */
  readonly pointsBack: boolean;
}

/** The clauses of a message (plain text, see `plainText`), in order. Linear in its length. */
export function clausesOf(plain: string, lexicon: Lexicon): readonly Clause[] {
  const clauses: Clause[] = [];
  for (const sentence of sentencesOf(plain)) {
    const asksWhole = sentence.asked || startsAsking(sentence) || requestInside.test(sentence.text);
    const asks = asksWhole && !refusedRequest.test(sentence.text) && !notAboutPerson.test(sentence.text);
    for (const text of joinBare(sentence.text.split(clauseBreak))) {
      const wanted = withoutJoiningWhen(text.split(contrast)[0]!.replace(address, ' '));
      const tokens = tokensOf(wanted, lexicon);
      clauses.push({
        text,
        sentence: sentence.text,
        marked: sentence.asked,
        tokens,
        bag: bagOf(tokens),
        asks,
        pointsBack: /\b(?:it|this|that|those|these|they|them|there|then)\b/.test(wanted),
      });
    }
  }
  return clauses;
}

/** "What a day." and "When you are ready, we go on." begin like questions and are none: a full stop wants a verb near. */
function startsAsking(sentence: Sentence): boolean {
  if (!requestStart.test(sentence.text)) return false;
  if (
    !sentence.closed ||
    !/^(?:\w+,? )?(?:who|whom|whose|what|when|where|which|why|how)\b/.test(sentence.text)
  )
    return true;
  return /^(?:\w+,? )?(?:who|whom|whose|what|when|where|which|why|how)(?: (?!i |you |we |he |she |they |it |this |that )\w+){0,2} (?:did|do|does|is|are|was|were|have|has|had|can|could|would|will)\b/.test(
    sentence.text,
  );
}

/** Lower case, one kind of apostrophe, contractions written out. What a text does not hold is not looked for in it. */
export function plainText(message: string): string {
  let text = message
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/[\u201c\u201d"*_#]/g, ' ');
  if (text.includes("'")) text = withoutContractions(text);
  // The way back is not the back.
  if (text.includes('back'))
    text = text.replace(
      /\b(come|comes|came|go|goes|went|going|call|called|calling|be|get|got|write|come right|bring|send|give|pay) (?:(you|it|me|him|her|them|us|that) )?back\b(?! pain| hurt)/g,
      '$1 $2 again',
    );
  if (text.includes('.')) text = text.replace(/\b(dr|mr|mrs|ms|st|no|vs|approx|e\.g|i\.e)\./g, '$1');
  if (text.includes(' not '))
    text = text.replace(
      /\b(?:did not|do not|does not|have not|has not|are not|is not|was not|were not|could not|would not) (you|they|he|she|there|it|anyone|anybody)\b/g,
      (found) => found.replace(' not ', ' '),
    );
  return text;
}

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

interface Sentence {
  readonly text: string;
  readonly asked: boolean;
  /** It ends with a full stop or an exclamation mark. */
  readonly closed: boolean;
}

function sentencesOf(text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  for (const piece of text.match(/[^.?!\n;]+(?:\.(?=\d)[^.?!\n;]+)*[.?!\n;]*/g) ?? []) {
    const body = piece.replace(/^[\s\-\u2022\u2013\u2014>()\d]*[).]?\s+|[\s.?!;]+$/g, '').trim();
    if (body !== '') sentences.push({ text: body, asked: /\?/.test(piece), closed: /[.!]\s*$/.test(piece) });
  }
  return sentences;
}

/** A comma or an "and" before a new question opens a new clause; so does a dash or a colon. */
const clauseBreak =
  /\s*(?:[:\u2013\u2014]|--)\s+|(?:,\s*(?:and |or |but |also |then |plus |as well as )?|\s(?:and|or|but|also|then|plus|as well as)\s+)\s*(?=\b(?:who|whom|what|when|where|which|why|how|did|do you|do your|does|is|are|was|were|has|have you|have your|can you|could you|would you|any|in what|on what|on which|at what|since when|to whom|for how)\b)/;

/** "Where were you when it happened" asks where: a later "when" only joins. Such a word is taken away. */
function withoutJoiningWhen(text: string): string {
  if (
    !joiningWhen.test(text) ||
    /\b(?:remember|know|recall|say|sure|certain|tell|told) (?:exactly |roughly |about )?when\b/.test(text)
  )
    return text;
  const at = text.lastIndexOf(' when ');
  return at < 0 ? text : `${text.slice(0, at)} ${text.slice(at + 6)}`;
}

const joiningWhen =
  /^(?:and |so |but )?(?:who|what|where|which|why|how|were|was|did|is|are|had|has|have|describe|explain)\b.* when /;

/** Words that only address the person: "tell me", "let us know". What is asked for stands beside them. */
const address = /\b(?:tell|notify|inform|show|give|remind|let) (?:me|us)(?: know)?\b/g;

/** "When and where did it happen": a bare question word borrows the words of the clause beside it. */
function joinBare(parts: readonly string[]): readonly string[] {
  const pieces = parts.map((part) => part.replace(/^[\s,]+|[\s,]+$/g, '')).filter((part) => part !== '');
  return pieces.map((piece, index) => {
    if (!/^(?:who|what|when|where|which|why|how)(?: and| or)?$/.test(piece)) return piece;
    const beside = pieces[index + 1] ?? pieces[index - 1];
    return beside === undefined
      ? piece
      : `${piece} ${beside.replace(/\b(?:who|what|when|where|which|why|how)\b/g, ' ')}`;
  });
}
