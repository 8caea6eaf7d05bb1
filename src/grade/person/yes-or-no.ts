import type { Clause } from '../language/clause.ts';
import { Lists } from '../language/read-lists.ts';

const lists = new Lists(new URL('./data/yes-or-no.txt', import.meta.url));
const asksWhat = lists.expression('asks what');
const turnsRound = lists.expression('turns round');

/** A yes or a no that begins what a fact says answers the clause: it asks whether, and does not ask it the other way round. */
export function takesYesOrNo({ text }: Clause): boolean {
  return !asksWhat.test(text) && !turnsRound.test(text);
}

const yesOrNo = /^(?:yes|yeah|yep|no|nope)[,.!;:] +(?=\S+ \S)(.)/i;

/** "No, nothing. I never drink." to "How much did you drink?": the rest of it answers as well. */
export function withoutYesOrNo(says: string): string {
  return says.replace(yesOrNo, (_, first: string) => first.toUpperCase());
}
