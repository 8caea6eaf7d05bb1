import { readPhrases } from './read-lists.ts';

/**
 * How much the form of a sentence, whatever it is about, suggests that it asks the person for something (above 0) or
 * that it does not (below 0): "whether" and "please describe" do, "shall I" and "do you like" do not.
 */
export function askingOf(words: readonly string[]): number {
  forms ??= readForms();
  const met = new Set<Form>();
  let before = '^';
  for (const word of words) {
    const alone = forms.get('')?.get(word);
    if (alone) met.add(alone);
    const behind = forms.get(before)?.get(word);
    if (behind) met.add(behind);
    before = word;
  }
  let sum = 0;
  for (const { says } of met) sum += says;
  return (3 * sum) / Math.sqrt(Math.max(1, met.size));
}

interface Form {
  readonly says: number;
}

/** Words by the one before them, with what each says: `^` is where a clause begins, and nothing is before a word alone. */
let forms: ReadonlyMap<string, ReadonlyMap<string, Form>> | undefined;

function readForms(): ReadonlyMap<string, ReadonlyMap<string, Form>> {
  const read = new Map<string, Map<string, Form>>();
  for (const entry of readPhrases(new URL('./data/asking-words.txt', import.meta.url))) {
    const colon = entry.lastIndexOf(':');
    const [word = '', before = ''] = entry.slice(0, colon).split(' ').toReversed();
    const behind = read.get(before) ?? new Map<string, Form>();
    read.set(before, behind.set(word, { says: Number(entry.slice(colon + 1)) / 100 }));
  }
  return read;
}
