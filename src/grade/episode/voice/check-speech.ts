import { plainText } from '../../language/plain-text.ts';
import type { Lexicon } from '../../language/lexicon.ts';
import { questionConcepts } from '../../language/lexicon.ts';
import { stem } from '../../language/stem.ts';
import { tokensOf } from '../../language/tokens.ts';
import { emptyWords, wordsOf } from '../../language/words.ts';
import { questionIndexOf } from '../../person/question-index.ts';
import { withoutYesOrNo } from '../../person/yes-or-no.ts';
import type { PlayState } from '../../scenario/play-state.ts';
import type { Fact } from '../../scenario/task.ts';
import { isNumber, numbersIn } from './number-words.ts';
import type { Cue } from './voice.ts';
import { wordsIn } from './voice.ts';

/**
 * Why these words may not stand for the rules' answer, in a sentence for whoever said them; nothing when they may. It
 * refuses too much rather than too little: what is refused costs a retry, what slips through a fact.
 */
export function objectionTo(said: string, cue: Cue): string | undefined {
  const scope = scopeOf(cue);
  for (const check of [form, locked, invented, guessed, untold, added]) {
    const why = check(said, scope);
    if (why !== undefined) return why;
  }
  return undefined;
}

interface Scope {
  readonly cue: Cue;
  /** The rules' answer. */
  readonly answer: string;
  /** All that the person has said, before and by this answer. */
  readonly told: string;
  /** All that is known to both sides: what the person has said, and what the operator reads. */
  readonly common: string;
  /** What the operator said, in all turns. */
  readonly heard: string;
  /** What the answer tells, and must not be left out: facts, for the first time or again, acts and talk. */
  readonly due: readonly string[];
}

function scopeOf(cue: Cue): Scope {
  const { task, opening, turns, messages, speech, state } = cue;
  const answer = speech.heard.says;
  const out = task.facts.filter((fact) => isOut(fact, state)).map(({ says }) => says);
  const { acts, topics } = task.person;
  // A yes or a no that would answer the contrary of what was asked is left out of the answer.
  const due = [...out, ...[...acts, ...topics].map(({ says }) => says)].flatMap(
    (says) => [says, withoutYesOrNo(says)].find((said) => said !== '' && answer.includes(said)) ?? [],
  );
  const told = [
    answer,
    ...out,
    task.person.name,
    task.person.opens,
    ...turns.map(({ observation }) => observation.content),
  ].join('\n');
  const results = turns.flatMap(({ outcomes }) => outcomes.map(({ output }) => output));
  return {
    cue,
    answer,
    told,
    common: [told, opening.content, ...results].join('\n'),
    heard: [...turns.map((turn) => turn.messages), messages].map(wordsIn).join('\n'),
    due,
  };
}

type Check = (said: string, scope: Scope) => string | undefined;

const form: Check = (said, { answer }) => {
  if (said === '') return 'You said nothing.';
  if (said.length > Math.max(400, answer.length * 3)) return 'That is much too long.';
  if (
    /\bas an? (?:ai|assistant|language model)\b|\b(?:language model|system prompt|my instructions)\b/i.test(
      said,
    )
  )
    return 'You stepped out of your part.';
  if (/<\/?\w+>|```|^\s*[{[]/m.test(said)) return 'Write what is said and nothing else.';
  return undefined;
};

/** What only a tool has shown the operator, the person has still to be asked for. */
function isOut({ id, reveal }: Fact, { revealed, shown }: PlayState): boolean {
  return Object.hasOwn(revealed, id) && (reveal === 'hidden' || shown?.includes(id) !== true);
}

/** Words by which a fact that is not out yet would be known, or others that mean the same. */
const locked: Check = (said, { cue, told, heard }) => {
  const { lexicon } = questionIndexOf(cue.task);
  // Known is a word, not all that may mean the same: "doctor" is no secret, and "the clinic" may be one.
  const known = new Set([...stemsOf(told), ...stemsOf(withoutNames(heard))]);
  const isNew = ([word]: readonly string[]): boolean => !known.has(word!);
  const spoken = keysIn(said, lexicon).filter(isNew);
  const secret = cue.task.facts.filter((fact) => !isOut(fact, cue.state));
  for (const text of secret.flatMap(({ says, is }) => [says, is])) {
    const telling = keysIn(text, lexicon).filter(isNew);
    const all = new Set(telling.flat());
    const shared = new Set(spoken.filter((keys) => keys.some((key) => all.has(key))).map(([word]) => word));
    if (shared.size >= (telling.length > fewWords ? 2 : 1))
      return `You spoke of what may not be told now (${[...shared].join(', ')}).`;
  }
  // "Only me." has no word that gives it away, and gives it away all the same.
  const line = ` ${wordsOf(plainText(said)).join(' ')} `;
  const verbatim = secret.find(({ says }) => line.includes(` ${wordsOf(plainText(says)).join(' ')} `));
  return verbatim && `You said what may not be told now (${verbatim.says}).`;
};

/** Of a fact that is told in so few words of its own, each of them tells it. */
const fewWords = 3;

/** For each word that says something: its stem, and the concepts it may stand for. */
function keysIn(
  text: string,
  lexicon: Lexicon,
  counts = (_word: string): boolean => true,
): readonly (readonly string[])[] {
  return tokensOf(plainText(text), lexicon)
    .filter(({ word, empty }) => !empty && !isEveryday(word) && counts(word))
    .map(({ word, keys }) => [
      stem(word),
      ...keys.filter(
        (key) => key.startsWith('#') && !questionConcepts.has(key) && !everyday.has(key.slice(1)),
      ),
    ]);
}

/** Words that nobody has said, and the answer does not have: whoever adds them adds a fact. Small talk wants a few. */
const added: Check = (said, { cue, told, heard, due }) => {
  const { lexicon } = questionIndexOf(cue.task);
  const known = new Set([...keysIn(told, lexicon), ...keysIn(heard, lexicon)].flat());
  const fresh = keysIn(said, lexicon, (word) => !isNumber(word))
    .filter((keys) => !keys.some((key) => known.has(key)))
    .map(([word]) => word);
  return fresh.length > (due.length > 0 ? 0 : smallTalk)
    ? `You said what is not in the answer (${fresh.join(', ')}).`
    : undefined;
};

/** So many words of its own may an answer have that tells nothing. */
const smallTalk = 2;

/** Numbers and names out of nowhere. The operator's numbers may be a guess, and to repeat one is to confirm it. */
const invented: Check = (said, { common, heard }) => {
  const numbers = numbersIn(common);
  const number = [...numbersIn(said)].find((value) => !numbers.has(value));
  if (number !== undefined) return `You said a number that is not in the answer (${number}).`;
  const known = new Set([...wordsOf(plainText(common)), ...wordsOf(plainText(heard))]);
  const name = namesIn(said).find((word) => !known.has(word.toLowerCase()));
  return name === undefined ? undefined : `You said a name that is not in the answer (${name}).`;
};

/** A yes or a no where nothing is told would answer a guess; a "not" where something is told would turn it round. */
const guessed: Check = (said, { answer, due }) => {
  const plain = plainText(said);
  const decided = plainText(answer);
  if (due.length > 0) {
    const says = new Set(wordsOf(plain));
    const has = new Set(wordsOf(decided));
    if (/(?:^|[.!?]\s*)no[,.!]/.test(decided) && !has.has('yes') && says.has('yes'))
      return 'You said "yes" where the answer is "no".';
    const turned = opposites.find(([one, other]) => has.has(one) && !has.has(other) && says.has(other));
    if (turned !== undefined) return `You said "${turned[1]}" where the answer is "${turned[0]}".`;
    return negation.test(plain.replace(idleNot, ' ')) && !negation.test(decided)
      ? 'You said "not" or "no" where the answer does not.'
      : undefined;
  }
  for (const [pattern, word] of [
    [
      /(?:^|[.!?,\u2026]\s*)(?:yes|yeah|yep|correct|exactly|indeed|that is (?:right|true|correct|it))\b/,
      'yes',
    ],
    [/(?:^|[.!?\u2026]\s*)no\b(?! (?:idea|problem|need|trouble|thank))/, 'no'],
  ] as const)
    if (pattern.test(plain) && !pattern.test(decided)) return `You said ${word} where the answer does not.`;
  return undefined;
};

/** Words of which one in the place of the other says the contrary. */
const opposites: readonly (readonly [string, string])[] = (
  [
    ['left', 'right'],
    ['before', 'after'],
    ['more', 'less'],
    ['always', 'never'],
    ['most', 'hardly'],
    ['mostly', 'hardly'],
  ] as const
).flatMap(([one, other]) => [
  [one, other],
  [other, one],
]);

/** A "not" that denies nothing. */
const idleNot =
  /\b(?:not (?:sure|mistaken|at all|to worry)|no (?:doubt|problem|idea)|do not (?:worry|mind))\b/g;

/** What counts as told must have been told: its numbers and names, half its words at least, and its "not". */
const untold: Check = (said, { due }) => {
  const spoken = new Set(stemsOf(said));
  const numbers = numbersIn(said);
  const plain = plainText(said);
  const whole = new Set(wordsOf(plain));
  for (const fact of due) {
    const numbersDue = [...numbersIn(fact)];
    const namesDue = namesIn(fact);
    const words = stemsOf(fact, (word) => !isNumber(word));
    const kept = words.filter((word) => spoken.has(word)).length;
    // A number or a name may be nearly all that a fact tells: "The number is A-1041."
    const least =
      numbersDue.length + namesDue.length > 0 ? Math.floor(words.length * mostOf) : words.length * mostOf;
    const isWhole =
      kept >= least &&
      numbersDue.every((number) => numbers.has(number)) &&
      namesDue.every((name) => whole.has(name.toLowerCase()));
    if (!isWhole) return `You left out of it: ${JSON.stringify(fact)}`;
    if (negation.test(plainText(fact)) && !negation.test(plain))
      return `You lost its "not": ${JSON.stringify(fact)}`;
  }
  return undefined;
};

/** Of the words of a fact so many are said again, where others mean the same. */
const mostOf = 0.6;

const negation = /\b(?:not|no|never|nobody|none|nothing|neither|nor|without|cannot)\b/;

/** The stems of the words that say something, each once. */
function stemsOf(text: string, counts = (_word: string): boolean => true): readonly string[] {
  const words = wordsOf(plainText(text)).filter(
    (word) => !emptyWords.has(word) && !isEveryday(word) && counts(word),
  );
  return [...new Set(words.map(stem))];
}

/** Words with a capital letter inside a sentence. */
function namesIn(text: string): readonly string[] {
  return [
    ...text
      .replace(/\b(?:Mr|Mrs|Ms|Dr)\b\.?/g, 'the')
      .matchAll(/(?<=[^\s.!?\u2026:()\n"\u201c-][^\S\n]+)[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+/g),
  ].map(([name]) => name);
}

function withoutNames(text: string): string {
  const names = new Set(namesIn(text));
  return text.replace(/[A-Za-z\u00c0-\u00ff]+|\d+/g, (word) =>
    names.has(word) || /\d/.test(word) ? ' ' : word,
  );
}

/** Words of any conversation: to say one of them tells nothing. */
const everyday: ReadonlySet<string> = stemSet(
  (
    'tell told yes no not never nothing nobody none yeah oh ah well hello hi bye goodbye thank thanks sorry please welcome good bad hard right fine sure true ' +
    'know think feel mean say said says saying talk ask asked answer question hear see look come came go going went gone give gave take took make made put keep let need want wish hope try trying help ' +
    'now then today still again before after later soon yet always ever often already back day days time times week long while moment first last next ' +
    'very much many lot quite rather too only even just more most less other another same such way kind sort part bit ' +
    'he she him her his they them their people someone anyone somebody anybody who what when where why how which because though although since until whether ' +
    'been being done got one two out up down over off through all both each every own new old big little long few several around ' +
    'afraid mistaken honest honestly guess suppose believe remember matter place point case end start started began happen happened ' +
    'must dear listen turn side hold sit carry bring find found pick everyone everything somehow possibly probably roughly about approximately thereabouts maybe almost nearly exactly ' +
    'scared worried nervous glad happy sad sorry kind lovely nice awful terrible horrible dreadful annoying silly strange easy god heavens goodness love moment second bless'
  ).split(' '),
);

function isEveryday(word: string): boolean {
  return everyday.has(word) || everyday.has(stem(word));
}

function stemSet(words: readonly string[]): ReadonlySet<string> {
  return new Set([...words, ...words.map(stem)]);
}
