import { Lists } from './read-lists.ts';

/** What a sentence is: a request for an answer, a named thing that may be asked for, a request to do something, or none of these. */
export type SentenceKind = 'asks' | 'names' | 'orders' | 'says' | 'declines';

const lists = new Lists(new URL('./data/requests.txt', import.meta.url));

/** First words and phrases that make a sentence ask for something. */
export const requestStart = lists.expression('request start');

/** "To find your parcel, …", "If you have it at hand, …": what leads to a question is not the question. */
export const leadIn = lists.expression('lead in');

/** "Once I have your order number, I can look it up." */
export const ifYouGive = lists.expression('if you give');

const action = lists.expression('action');
const andTell = lists.expression('and tell');
const notAboutPerson = lists.expression('not about the person');
// One expression of all requests would be thousands of letters long, and takes V8 0.1 s to begin with.
const requests = lists.expressions('request');
const fragment = lists.expression('fragment');
const names = lists.expression('names');
const readiness = lists.expression('readiness');
const leadsToQuestion = lists.expression('leads to a question');
const openQuestion = lists.expression('open question');
const invertedQuestion = lists.expression('inverted question');
const auxiliaryFirst = lists.expression('auxiliary first');
const auxiliaryQuestion = lists.expression('auxiliary question');
const questionTag = lists.expression('question tag');
const declined = lists.expression('declined');
const asksAfterAll = lists.expression('asks after all');

/** "Swelling (left and right)" */
const bracketed = /(?<!\s)\s*\([^()]*\)/g;

/** What a sentence (plain text) is; `marked` with a question mark, `closed` with a full stop. */
export function kindOf(
  sentence: string,
  end: { readonly marked: boolean; readonly closed: boolean },
): SentenceKind {
  const { marked, closed } = end;
  let core = sentence.replace(leadIn, '');
  // "I do not mean to pry, but do you smoke?"
  if (marked) core = core.replace(leadsToQuestion, '');
  const declinesAt = core.search(declined);
  if (declinesAt >= 0 && !(marked && (startsAsking(core, closed) || questionTag.test(core))))
    return asksBesides(core, declinesAt, end) ? 'asks' : 'declines';
  if (notAboutPerson.test(core)) return 'says';
  if (marked) return 'asks';
  if (action.test(core) && !andTell.test(core)) return 'orders';
  if (requests.some((request) => request.test(core))) return 'asks';
  if (ifYouGive.test(sentence) || fragment.test(sentence) || startsAsking(core, closed)) return 'asks';
  return names.test(sentence.replace(readiness, '').replace(bracketed, '')) ? 'names' : 'says';
}

/** "Tell me your number, no need to spell it", "You do not have to say, but I would like to know why". */
function asksBesides(
  core: string,
  declinesAt: number,
  end: { readonly marked: boolean; readonly closed: boolean },
): boolean {
  const before = core.slice(0, declinesAt);
  if (/(?:,| and| but) $/.test(before) && kindOf(before, end) === 'asks') return true;
  const after = core.replace(asksAfterAll, '');
  // What declines once more is not looked into: a sentence without end may decline without end.
  return after !== core && !declined.test(after) && kindOf(after, end) === 'asks';
}

/** "What a day." and "When you are ready, we go on." begin like questions and are none: a full stop wants a verb near. */
function startsAsking(sentence: string, closed: boolean): boolean {
  if (!requestStart.test(sentence)) return false;
  if (!closed) return true;
  if (openQuestion.test(sentence)) return invertedQuestion.test(sentence);
  return !auxiliaryFirst.test(sentence) || auxiliaryQuestion.test(sentence);
}
