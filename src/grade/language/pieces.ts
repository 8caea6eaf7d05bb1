import { Lists } from './read-lists.ts';

const lists = new Lists(new URL('./data/clauses.txt', import.meta.url));

const divider = lists.expression('break');
const bareQuestion = lists.expression('bare question');
const beginsQuestion = lists.expression('begins a question');
const heading = lists.expression('heading');
const ownQuestion = lists.expression('own question');
const betweenThings = lists.expression('between things');
const thing = lists.expression('thing');
const pointer = lists.expression('pointer');
const joiningWhen = lists.expression('joining when');
const asksWhen = lists.expression('asks when');

/** The pieces of a sentence with one question each. */
export function piecesOf(text: string): readonly string[] {
  const [first = '', second, ...rest] = text.split(divider);
  const parts =
    second !== undefined && beginsQuestion.test(first)
      ? [`${first} ${second}`, ...rest]
      : [first, second ?? '', ...rest];
  return joinBare(parts.map(withoutCommas).filter((part) => part !== ''));
}

/** "When and where did it happen": a bare question word borrows the words of the piece beside it. */
function joinBare(pieces: readonly string[]): readonly string[] {
  return pieces.map((piece, index) => {
    const beside = pieces[index + 1] ?? pieces[index - 1];
    if (beside === undefined || !bareQuestion.test(piece)) return piece;
    return `${piece} ${beside.replace(/\b(?:who|what|when|where|whereabouts|which|why|how)\b/g, ' ')}`;
  });
}

/** Whether what begins a sentence is a few words before a colon, and no question by itself. */
export function isHeading(piece: string, sentence: string): boolean {
  if (!sentence.startsWith(piece) || ownQuestion.test(piece)) return false;
  return heading.test(piece) && /^\s*:/.test(sentence.slice(piece.length));
}

/** The things that are asked for together, where there are several: "your number and the address". */
export function thingsNamedIn(text: string): readonly string[] {
  const named = text
    .split(betweenThings)
    .map(withoutCommas)
    .filter((part) => part !== 'please');
  const [first, ...others] = named;
  if (others.length === 0 || bareQuestion.test(first!)) return [];
  return others.every((part) => thing.test(part)) ? named : [];
}

export function pointsBack(text: string): boolean {
  return pointer.test(text);
}

/** "Where were you when it happened" asks where: a later "when" only joins. Such a word is taken away. */
export function withoutJoiningWhen(text: string): string {
  if (!joiningWhen.test(text) || asksWhen.test(text)) return text;
  const at = text.lastIndexOf(' when ');
  return `${text.slice(0, at)} ${text.slice(at + 6)}`;
}

function withoutCommas(text: string): string {
  return text.replace(/^[\s,]+|[\s,]+$/g, '');
}
