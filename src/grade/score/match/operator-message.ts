import { assertedIn, leavesOpen } from '../../language/asserted.ts';
import type { Clause } from '../../language/clause.ts';
import type { Lexicon } from '../../language/lexicon.ts';
import { matchPattern, type Pattern } from '../../language/pattern.ts';
import { readingOf } from '../../language/reading.ts';
import type { Reading } from '../../language/reading.ts';
import { requestStart } from '../../language/requests.ts';
import type { Courtesy } from '../../language/courtesy.ts';
import { tokensOf } from '../../language/tokens.ts';
import type { Token } from '../../language/tokens.ts';
import { sentenceAsWritten } from '../../language/sentence.ts';
import type { Task, TermRule } from '../../scenario/task.ts';
import type { TranscriptTurn } from '../../scenario/transcript.ts';
import { advisedTokens, assertedTokens, claimedTokens, claimedTokensWithDenials } from './clause-words.ts';
import { criterionPatternsOf, type PatternList, type CriterionPatterns } from './criterion-patterns.ts';

/** What words are looked at for: as a statement, a question, advice, or a claim. */
export type SpeechAct = 'said' | 'asked' | 'advises' | 'claims';

/**
 * What the operator said at once. What was found in it is kept as long as the episode is played, and therefore small.
 */
export interface OperatorMessage {
  readonly turn: number;
  readonly text: string;
  courtesies?: readonly Courtesy[];
  /** The lists of which a pattern could be met here. */
  lists?: readonly PatternList[];
  /** The first clause that meets such a list as what it is looked at for, or none. */
  met?: Partial<Record<SpeechAct, Map<PatternList, string | undefined>>>;
  wrote?: Map<string, boolean>;
  avoided?: ReadonlyMap<TermRule, string>;
}

/** A server grades a transcript again after each turn: what was said in a turn before is read once. */
const readBefore = new WeakMap<
  TranscriptTurn,
  { readonly lexicon: Lexicon; readonly said: readonly OperatorMessage[] }
>();

export function operatorMessagesIn(turn: TranscriptTurn, lexicon: Lexicon): readonly OperatorMessage[] {
  const known = readBefore.get(turn);
  if (known?.lexicon === lexicon) return known.said;
  const said: OperatorMessage[] = [];
  for (const { role, content } of turn.messages)
    if (role === 'assistant' && content.trim() !== '') said.push({ turn: turn.turn, text: content });
  readBefore.set(turn, { lexicon, said });
  return said;
}

/** The messages as one grading looks at them: each is read once, and no further than somebody asks. */
export class OperatorMessageReader {
  readonly #task: Task;
  readonly #lexicon: Lexicon;
  readonly #wanted: CriterionPatterns;
  readonly #read = new Map<OperatorMessage, Reading>();

  constructor(task: Task, lexicon: Lexicon) {
    this.#task = task;
    this.#lexicon = lexicon;
    this.#wanted = criterionPatternsOf(task, lexicon);
  }

  courtesies(message: OperatorMessage): readonly Courtesy[] {
    return (message.courtesies ??= this.#reading(message).courtesies());
  }

  /** The first statement, question, advice or claim that meets one of the patterns. */
  firstClause(message: OperatorMessage, kind: SpeechAct, list: PatternList): string | undefined {
    message.lists ??= this.#wanted.listsFor(this.#reading(message).plain);
    if (!message.lists.includes(list)) return undefined;
    const known = ((message.met ??= {})[kind] ??= new Map());
    if (!known.has(list)) {
      const clause = this.#findClause(message, kind, list);
      known.set(list, clause && (sentenceAsWritten(message.text, clause.sentence) ?? clause.text));
    }
    return known.get(list);
  }

  /** Whether it contains a text, in capitals or not. */
  wrote(message: OperatorMessage, text: string): boolean {
    const known = (message.wrote ??= new Map());
    if (!known.has(text)) known.set(text, message.text.toLowerCase().includes(text.toLowerCase()));
    return known.get(text)!;
  }

  /** The first word of a rule that should not have been said. */
  avoided(message: OperatorMessage, rule: TermRule): string | undefined {
    message.avoided ??= wordsToAvoidIn(message.text, this.#task.criteria.terminology);
    return message.avoided.get(rule);
  }

  #findClause(message: OperatorMessage, kind: SpeechAct, list: PatternList): Clause | undefined {
    const patterns = this.#wanted.patterns(list);
    const isMet = (tokens: readonly Token[], those = patterns) =>
      those.some((pattern) => matchPattern(pattern, tokens) !== undefined);
    const denying = patterns.filter(wantsDenial);
    const meets = (clause: Clause) => {
      if (kind === 'asked') return clause.asks && isMet(clause.tokens);
      if (kind === 'advises') return isMet(advisedTokens(clause, this.#lexicon));
      const isOpen = denying.length > 0 && leavesOpen(clause.sentence);
      const denied = isOpen ? [] : denying;
      const meant = isOpen ? patterns.filter((pattern) => !denying.includes(pattern)) : patterns;
      if (kind === 'claims')
        return (
          isMet(claimedTokens(clause, this.#lexicon), meant) ||
          (denied.length > 0 && isMet(claimedTokensWithDenials(clause, this.#lexicon), denied))
        );
      if (!isStatement(clause)) return false;
      return isMet(assertedTokens(clause, this.#lexicon), meant) || isMet(clause.tokens, denied);
    };
    const barred = this.#wanted.barred(list);
    const saysBarred = ({ sentence }: Clause) =>
      barred.length > 0 &&
      tokensOf(assertedIn(sentence), this.#lexicon).some(({ keys }) =>
        keys.some((key) => barred.includes(key)),
      );
    for (const clause of this.#reading(message).clauses)
      if (meets(clause) && !saysBarred(clause)) return clause;
    return undefined;
  }

  #reading(message: OperatorMessage): Reading {
    let reading = this.#read.get(message);
    if (reading === undefined) {
      reading = readingOf(message.text, this.#lexicon);
      this.#read.set(message, reading);
    }
    return reading;
  }
}

/**
 * The clause says something: it does not ask. "What you tell me worries me" begins like a question and is none, and
 * "First class for nothing?" only takes up what somebody asked for.
 */
function isStatement({ asks, marked, text, sentence }: Clause): boolean {
  if (marked && !verb.test(sentence)) return false;
  return !(asks && (requestStart.test(text) || requestStart.test(sentence)));
}

const verb =
  /\b(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)\b/;

/** "You need no doctor" is said by denying: such a pattern names the denial itself. */
function wantsDenial({ source }: Pattern): boolean {
  return /(?:^|[\s=|_])(?:not|no|never|cannot|without|nothing|nobody)(?=[\s|_]|$)/.test(
    source.replace(/!\S+/g, ''),
  );
}

const nothing: ReadonlyMap<TermRule, string> = new Map();

function wordsToAvoidIn(text: string, rules: readonly TermRule[]): ReadonlyMap<TermRule, string> {
  const lower = text.toLowerCase();
  let found: Map<TermRule, string> | undefined;
  for (const rule of rules) {
    const word = rule.avoid.find((one) => containsWord(lower, one.toLowerCase()));
    if (word !== undefined) (found ??= new Map()).set(rule, word);
  }
  return found ?? nothing;
}

function containsWord(text: string, word: string): boolean {
  if (word === '') return false;
  const letter = /[\p{L}\p{N}]/u;
  // The first may be a part of a longer word, and one after it may stand alone.
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!letter.test(text[at - 1] ?? ' ') && !letter.test(text[at + word.length] ?? ' ')) return true;
  return false;
}
