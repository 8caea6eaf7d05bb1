import { Lists } from './read-lists.ts';

const lists = new Lists(new URL('./data/clauses.txt', import.meta.url));

const divider = lists.expression('break');
const joiner = lists.expression('joiner');
const bareQuestion = lists.expression('bare question');
const beginsQuestion = lists.expression('begins a question');
const heading = lists.expression('heading');
const ownQuestion = lists.expression('own question');
const betweenThings = lists.expression('between things');
const thing = lists.expression('thing');
const pointer = lists.expression('pointer');
const joiningWhen = lists.expression('joining when');
const asksWhen = lists.expression('asks when');

/** The segments of a sentence, with one question each. */
export function segmentsOf(text: string): readonly string[] {
  const [first = '', second, ...rest] = text.split(divider);
  const parts =
    second !== undefined && beginsQuestion.test(first)
      ? [`${first} ${second}`, ...rest]
      : [first, second ?? '', ...rest];
  const said = parts.map(withoutCommas).filter((part) => part !== '');
  const telling = said.filter((part) => !joiner.test(part));
  return joinBare(telling.length > 0 ? telling : said);
}

/** "When and where did it happen": a bare question word borrows the words of the segment beside it. */
function joinBare(segments: readonly string[]): readonly string[] {
  return segments.map((segment, index) => {
    const beside = segments[index + 1] ?? segments[index - 1];
    if (beside === undefined || !bareQuestion.test(segment)) return segment;
    return `${segment} ${beside.replace(/\b(?:who|what|when|where|whereabouts|which|why|how)\b/g, ' ')}`;
  });
}

/** Whether what begins a sentence is a few words before a colon, and no question by itself. */
export function isHeading(segment: string, sentence: string): boolean {
  if (!sentence.startsWith(segment) || ownQuestion.test(segment)) return false;
  return heading.test(segment) && /^\s*:/.test(sentence.slice(segment.length));
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
