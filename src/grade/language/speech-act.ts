import { assertedIn, statementsIn } from './asserted.ts';
import type { Clause } from './clause.ts';
import { Lists } from './read-lists.ts';

const lists = new Lists(new URL('./data/speech-acts.txt', import.meta.url));

const advice = lists.expression('advice');
const order = lists.expression('order');
const disclaimer = lists.expression('disclaimer');
const report = lists.expression('report');
const unchanged = lists.expression('unchanged');
const referral = lists.expression('referral');
const caution = lists.expression('caution');
const noReferral = lists.expression('no referral');
const claim = lists.expression('claim');
const offer = /\b(?:why (?:not|do you not|do not you)|how about)\b/;

/**
 * What of a clause tells somebody what to do, or not to do; nothing where it asks, reports, disclaims or refers, and
 * where things are to be left as they are.
 */
export function advisedIn({ text, marked, sentence }: Clause): string {
  if ((marked && !offer.test(sentence)) || refers(sentence)) return '';
  return partsOf(
    text,
    (part) => !report.test(part) && !unchanged.test(part) && (advice.test(part) || order.test(part)),
  );
}

/** What of a clause is said to be so; nothing where it asks, reports or disclaims. What it denies is kept with `denials`. */
export function claimedIn({ text, marked, sentence }: Clause, { denials = false } = {}): string {
  if (marked || refers(sentence)) return '';
  const asserted = denials ? text : assertedIn(text);
  return partsOf(asserted, (part) => !report.test(part) && claim.test(part));
}

function refers(sentence: string): boolean {
  return caution.test(sentence) || (referral.test(sentence) && !noReferral.test(sentence));
}

/** The statements of a clause that are meant, and what goes on from them without a subject of its own. */
function partsOf(text: string, isMeant: (statement: string) => boolean): string {
  return statementsIn(text)
    .map(({ words }) => words)
    .filter((words) => !disclaimer.test(words) && isMeant(words))
    .join(', ');
}
