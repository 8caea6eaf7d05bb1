import { readPhrases } from './read-lists.ts';

/**
 * How much the form of what is said, whatever it is about, speaks for its asking the person for something (above 0) or
 * against it: "whether", "please describe" for, "shall I", "do you like" against.
 */
export function askingOf(words: readonly string[]): number {
  forms ??= readForms();
  const met = new Set<string>();
  let before = '^';
  for (const word of words) {
    if (forms.has(word)) met.add(word);
    if (forms.has(`${before} ${word}`)) met.add(`${before} ${word}`);
    before = word;
  }
  let sum = 0;
  for (const form of met) sum += forms.get(form)!;
  return (3 * sum) / Math.sqrt(Math.max(1, met.size));
}

/** Words alone and two by two, with what each says; `^` is where a clause begins. */
let forms: ReadonlyMap<string, number> | undefined;

function readForms(): ReadonlyMap<string, number> {
  return new Map(
    readPhrases(new URL('./data/asking-words.txt', import.meta.url)).map((entry) => {
      const colon = entry.lastIndexOf(':');
      return [entry.slice(0, colon), Number(entry.slice(colon + 1)) / 100] as const;
    }),
  );
}
