import type { Clause } from '../language/clause.ts';
import { Lists } from '../language/read-lists.ts';
import { stem } from '../language/stem.ts';
import { wordsOf } from '../language/words.ts';

const lists = new Lists(new URL('./data/yes-or-no.txt', import.meta.url));
const asksWhat = lists.expression('asks what');
const turnsRound = lists.expression('turns round');
const denies = lists.expression('denies', 'i');

/**
 * A yes or a no that begins what a fact says answers the clause: it asks whether, it does not ask the other way round, and
 * what the fact goes on to say is not the contrary.
 */
export function takesYesOrNo({ text, tokens }: Clause, says: string): boolean {
  if (asksWhat.test(text) || turnsRound.test(text)) return false;
  const begins = yesOrNo.exec(says);
  if (!begins) return true;
  const rest = says.slice(begins[0].length - 1);
  const isYes = begins[1]!.toLowerCase().startsWith('y');
  // "Yes, she moves it freely." answers whether all is well.
  if (isYes && turnsRound.test(rest.toLowerCase())) return false;
  const asked = new Set(tokens.filter(({ weight }) => weight > 0.5).map(({ keys }) => keys[0]!));
  return rest
    .split(/[.,;:!?…]|\b(?:and|but)\b/)
    .filter((part) => wordsOf(part).some((word) => asked.has(stem(word))))
    .every((part) => denies.test(part) !== isYes);
}

const yesOrNo = /^(yes|yeah|yep|no|nope)[,.!;:…] *(?=\S)(.)/i;

/** "No, nothing. I never drink." to "How much did you drink?": the rest of it answers as well. */
export function withoutYesOrNo(says: string): string {
  return says.replace(yesOrNo, (_, __, first: string) => first.toUpperCase());
}
