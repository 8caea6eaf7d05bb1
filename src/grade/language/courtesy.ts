import { Lists } from './read-lists.ts';

const courtesyNames = [
  'greeting',
  'howAreYou',
  'introduction',
  'thanks',
  'empathy',
  'reassurance',
  'farewell',
  'insult',
  'asksToBegin',
  'checksIn',
  'anythingElse',
] as const;

/** What a message does besides asking: the courtesies that make a person open up, or close. */
export type Courtesy = (typeof courtesyNames)[number];

const lists = new Lists(new URL('./data/courtesies.txt', import.meta.url));

const courtesies = courtesyNames.map((name) => ({ name, expression: lists.expression(name) }));

/** The courtesies in a message (plain text, see `plainText`). */
export function courtesiesOf(text: string): readonly Courtesy[] {
  return courtesies.filter(({ expression }) => expression.test(text)).map(({ name }) => name);
}

const smallTalkAlone = lists.expression('small talk alone');

/** Nothing but "How are things going?" or "Anything else?": whatever its words may be used for elsewhere. */
export function isSmallTalk(text: string): boolean {
  return smallTalkAlone.test(text);
}
