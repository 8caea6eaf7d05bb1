import { asking, notAsking } from './asking-words.ts';
import type { Clause } from './clause.ts';

/** The words of a clause as they are said, with its commas and its end; a number is "#". */
export function wordsSaid(clause: Pick<Clause, 'said' | 'marked'>): readonly string[] {
  // The evidence and the form read the same clause, one after the other.
  if (clause !== last.clause) last = { clause, words: wordsIn(clause) };
  return last.words;
}

let last: { readonly clause?: Pick<Clause, 'said' | 'marked'>; readonly words: readonly string[] } = {
  words: [],
};

function wordsIn({ said, marked }: Pick<Clause, 'said' | 'marked'>): readonly string[] {
  const words: string[] = said.match(wordOrComma) ?? [];
  for (let index = 0; index < words.length; index++) if (startsWithDigit(words[index]!)) words[index] = '#';
  words.push(marked ? '?' : '.');
  return words;
}

const wordOrComma = /[a-z\u00c0-\u024f][a-z\u00c0-\u024f'-]*|\d+(?:[.,-]\d+)*|,/g;

function startsWithDigit(word: string): boolean {
  return word >= '0' && word < ':';
}

/** Where a clause begins, in a pair. */
const start = '^';

/**
 * How much the form of what is said, whatever it is about, speaks for its asking the person for something (above 0) or
 * against it: "whether", "please describe" for, "shall I", "do you like" against. See asking-words.ts.
 */
export function askingOf(words: readonly string[]): number {
  known ??= weightsOf();
  const met = new Set<Form>();
  let before = start;
  for (const word of words) {
    const forms = known.get(word);
    if (forms) {
      if (forms.alone) met.add(forms.alone);
      const pair = forms.after.get(before);
      if (pair) met.add(pair);
    }
    before = word;
  }
  let sum = 0;
  for (const { says } of met) sum += says;
  return (3 * sum) / Math.sqrt(Math.max(1, met.size));
}

interface Form {
  readonly says: number;
}

let known: ReadonlyMap<string, { alone?: Form; readonly after: ReadonlyMap<string, Form> }> | undefined;

/** By word: what it says alone, and after another. */
function weightsOf(): NonNullable<typeof known> {
  const forms = new Map<string, { alone?: Form; readonly after: Map<string, Form> }>();
  const learn = (lines: readonly string[], sign: number) => {
    for (const entry of lines.flatMap((line) => line.split('|'))) {
      const [, first, word, hundredths] = /^(?:(\S+) )?(\S+):(\d+)$/.exec(entry)!;
      const its = forms.get(word!) ?? { after: new Map<string, Form>() };
      forms.set(word!, its);
      const form = { says: (sign * Number(hundredths)) / 100 };
      if (first === undefined) its.alone = form;
      else its.after.set(first, form);
    }
  };
  learn(asking, 1);
  learn(notAsking, -1);
  return forms;
}
