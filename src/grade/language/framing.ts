import { Lists } from './read-lists.ts';
import { ifYouGive, leadIn } from './requests.ts';

/** What frames a question without being asked. */
const lists = new Lists(
  new URL('./data/requests.txt', import.meta.url),
  new URL('./data/framing.txt', import.meta.url),
);

const contrast = lists.expression('contrast');
const besideOneself = lists.expression('beside oneself', 'g');
const contrastFirst = lists.expression('contrast first');
// One expression for them all is thousands of letters long, and takes V8 0.2 s at its first use.
const polite = lists.expressions('polite', 'g');
const tail = lists.expression('tail');
const excuse = lists.expression('excuse');
const announced = lists.expression('announced');
const aside = lists.expression('aside');

/** The question itself, without what leads to it and what it is for. */
export function withoutLead(sentence: string): string {
  let text = sentence.replace(ifYouGive, '').replace(leadIn, '').replace(announced, '');
  text = text.replace(contrastFirst, '').replace(excuse, '').replace(aside, ' ');
  if (text.length < sentence.length) text = text.replace(leadIn, '');
  const cut = text.replace(tail, '');
  return cut !== text && /\w+ \w+/.test(cut) ? cut : text;
}

/** A question without what only makes it polite. */
export function withoutPoliteness(text: string): string {
  return polite.reduce((rest, phrase) => rest.replace(phrase, ' '), text);
}

/** What is asked for, without what is set against it. */
export function withoutContrast(text: string): string {
  const rest = text.replace(besideOneself, ' ').replace(contrast, '');
  return rest === text || /\w/.test(rest) ? rest : text;
}
