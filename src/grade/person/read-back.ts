import type { Clause } from '../language/clause.ts';
import { tokensOf } from '../language/tokens.ts';
import type { Token } from '../language/tokens.ts';
import type { PlayState } from '../scenario/play-state.ts';
import type { QuestionIndex, Topic } from './question-index.ts';

/** "Is that right?", "Please confirm.": said alone, they ask whether what was said before them is true. */
const check = new RegExp(
  `^(?:and |so |just |please |now |then ){0,3}(?:${[
    '(?:is|was|are|were) (?:that|this|it|both|all(?: of (?:that|this))?|everything|they)(?: both| all| still)?(?: (?:so|right|correct|accurate|true|what you (?:see|said|told me|mean|meant)))?',
    '(?:that is |all )?(?:correct|right|agreed|true|yes|no)',
    '(?:did|do|have) i (?:get|got|understand|understood|have|hear|heard) (?:that|you|it|this|everything|all(?: of (?:that|this))?)(?: all| down)?(?: (?:right|correctly|correct|properly))?',
    '(?:(?:can|could|would|will) you )?(?:please |kindly |just ){0,3}confirm(?: (?:that|this|it|both|these|all of (?:it|this|that)))?(?: for me)?',
  ].join('|')})$`,
);

/** "Both booked, you said?" */
const tagged =
  /, (?:(?:is|was) (?:that|it|this)(?: (?:so|right|correct))?|right|correct|yes|you said|did you say|agreed)$/;

/** Whoever asks for more repeats nothing, nor who asks whether there is any. */
const open =
  /^(?:and |so |but |since |until |at |in |on |for |with |from |to )?(?:(?:who|whom|whose|what|when|where|which|why|how)\b|(?:(?:is|are|was|were|do|does|did|have|has|had)\b.*\b)?(?:any|anything|anyone|anybody|anywhere)\b)/;

/** How much of what is repeated must be what the person said, and how telling the words must be. */
const leastShare = 0.45;
const leastTelling = 0.8;

/** What is checked most. */
const number =
  /^(?:.*\d.*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?)$/;
const numberWeight = 3;

const parts = /[,;:\u2013\u2014]| (?:and|but|with|as|because) /;

/** It wants to hear whether something is so, and asks for nothing by itself. */
export function isCheck({ sentence }: Clause): boolean {
  return check.test(sentence);
}

/** It only adds that to what it asks: "You lift boxes, is that right?" */
export function isCheckAdded({ text, sentence }: Clause): boolean {
  return check.test(text) && !check.test(sentence);
}

/** Hears what an operator reads back of facts that are out, and wants confirmed: "E-5120, and two charges. Is that right?" */
export class ReadBack {
  readonly #index: QuestionIndex;
  readonly #told: readonly Topic[];
  readonly #stated: Clause[] = [];

  constructor(index: QuestionIndex, { revealed }: PlayState) {
    this.#index = index;
    this.#told = index.topics.filter(({ fact }) => fact && Object.hasOwn(revealed, fact.id));
  }

  /**
   * The facts that a clause wants confirmed: those stated before it ("Is that right?"), or its own, where it is put as a
   * statement ("Both booked, you said?") or is not understood otherwise.
   */
  confirmedBy(clause: Clause, isUnderstood: boolean): readonly Topic[] {
    if (this.#told.length === 0) return [];
    const checks = isCheck(clause);
    if (!clause.asks && !checks) {
      if (!isUnderstood) this.#stated.push(clause);
      return [];
    }
    const repeated = checks ? this.#stated.splice(0) : [];
    const isTagged = tagged.test(clause.sentence);
    if (clause.marked && (isTagged || (!isUnderstood && !open.test(clause.text)))) repeated.push(clause);
    return [...new Set(repeated.flatMap((one) => this.#repeatedIn(one, checks)))];
  }

  /** Whoever asks for a check may also name what was asked, and not the answer: "the sum that you gave". */
  #repeatedIn({ text }: Clause, byName: boolean): readonly Topic[] {
    return text.split(parts).flatMap((part) => {
      const tokens = tokensOf(part, this.#index.lexicon).filter(isTelling);
      let most = leastShare;
      let found: Topic | undefined;
      for (const topic of this.#told) {
        const { said, asked } = wordsOf(topic, this.#index);
        const share = shareOf(tokens, (key) => said.has(key) || (byName && asked.has(key)));
        if (share > most) [most, found] = [share, topic];
      }
      return found ? [found] : [];
    });
  }
}

/** What the words mean that tell a topic, and those that ask for it. */
interface Words {
  readonly said: ReadonlySet<string>;
  readonly asked: ReadonlySet<string>;
}

const known = new WeakMap<Topic, Words>();

function wordsOf(topic: Topic, { lexicon, patterns, topics }: QuestionIndex): Words {
  let words = known.get(topic);
  if (words === undefined) {
    const tokens = tokensOf(topic.says.toLowerCase(), lexicon).filter(isTelling);
    const asks = patterns.topics[topics.indexOf(topic)]!.patterns;
    words = {
      said: new Set(tokens.flatMap(({ keys }) => keys)),
      asked: new Set(asks.flatMap(({ wanted }) => wanted.flat())),
    };
    known.set(topic, words);
  }
  return words;
}

function isTelling({ weight }: Token): boolean {
  return weight > 0.3;
}

/** How much of it is met, if anything that tells much is. */
function shareOf(tokens: readonly Token[], isMet: (key: string) => boolean): number {
  let all = 0;
  let met = 0;
  let most = 0;
  for (const { word, keys, weight } of tokens) {
    const worth = number.test(word) ? numberWeight : weight;
    all += worth;
    if (!keys.some(isMet)) continue;
    met += worth;
    most = Math.max(most, worth);
  }
  return most >= leastTelling ? met / all : 0;
}
