import { Lists } from './read-lists.ts';

const lists = new Lists(new URL('./data/denials.txt', import.meta.url));

const negation = new RegExp(`\\b(?:${lists.get('negation').join('|')})\\b`);
const soothing = new RegExp(`\\b(?:${lists.get('soothing').join('|')})\\b`, 'g');
const encouraging = new RegExp(`\\b(?:${lists.get('encouraging').join('|')})\\b`, 'g');
const newStatement = new RegExp(`(${lists.get('new statement').join('|')})`);
const openQuestion = lists.expression('open question');
const goesOn = lists.expression('goes on');
const unfinished = lists.expression('unfinished');
const ownSubject = lists.expression('own subject');
const guess = new RegExp(`\\b(?:${lists.get('guess').join('|')})\\b`);
const notKnown = lists.expression('not known');
const denial = new RegExp(`${negation.source}|\\bnothing\\b`);

/**
 * What a clause says without what it denies (plain text, see `plainText`). A denial ends where a new statement begins:
 * of "do not worry, have an aspirin" is left "have an aspirin", and of "do not stop, skip or double it" nothing.
 */
export function assertedIn(clause: string): string {
  if (!negation.test(clause)) return clause;
  const text = clause.replace(soothing, ' ').replace(encouraging, ' ');
  if (!negation.test(text)) return text;
  const asserted: string[] = [];
  let denied = false;
  let open = false;
  for (const { joint, words } of statementsIn(text)) {
    const denies = negation.test(words);
    const continues: boolean =
      denied && !ownSubject.test(words) && (open || (joint === ',' && goesOn.test(words)));
    if (denies) asserted.push(beforeWithout(words));
    else if (!continues) asserted.push(words);
    open = denies ? unfinished.test(words) : continues && open;
    denied = denies || continues;
  }
  return asserted.filter((words) => words !== '').join(', ');
}

/**
 * Whether all that a sentence denies is a guess that its speaker does not vouch for: "it may be nothing, I cannot judge
 * that from here" leaves open that it is something.
 */
export function leavesOpen(sentence: string): boolean {
  const statements = statementsIn(sentence).map(({ words }) => words);
  return (
    statements.some((words) => notKnown.test(words)) &&
    statements.every((words) => notKnown.test(words) || guess.test(words) || !denial.test(words))
  );
}

/** What comes before a "without" is not denied by it. */
function beforeWithout(words: string): string {
  const at = words.search(/\bwithout\b/);
  return at < 0 || negation.test(words.slice(0, at)) ? '' : words.slice(0, at).trim();
}

export interface Statement {
  /** What joins it to the one before. */
  readonly joint: string;
  words: string;
}

/** A clause, divided where something new is said. */
export function statementsIn(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  const pieces = text.split(newStatement);
  for (let at = 0; at < pieces.length; at += 2) {
    const joint = pieces[at - 1]?.trim() ?? '';
    const piece = pieces[at]!.trim();
    const words = keepsJoint.test(joint) ? `${joint.replace(/^,\s*/, '')} ${piece}` : piece;
    const before = statements.at(-1);
    if (before && /\b(?:if|when)$/.test(joint) && openQuestion.test(before.words))
      before.words += ` ${words}`;
    else if (piece !== '') statements.push({ joint, words });
  }
  return statements;
}

/** Words that say under which condition something holds stay with it: patterns may bar them. */
const keepsJoint = /\b(?:if|when|unless|until|till|because|once|as long as)$/;
