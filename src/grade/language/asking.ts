import { readPhrases } from './read-phrases.ts';
import type { Word } from './words.ts';

/**
 * How much the form of what is said, whatever it is about, speaks for its asking the person for something (above 0) or
 * against it: "whether", "please describe" for, "shall I", "do you like" against. See data/asking-words.txt.
 */
export function askingOf(words: readonly Word[]): number {
  forms ??= readForms();
  const met = new Set<string>();
  let before = '^';
  for (const { text } of words) {
    if (forms.has(text)) met.add(text);
    if (forms.has(`${before} ${text}`)) met.add(`${before} ${text}`);
    before = text;
  }
  let sum = 0;
  for (const form of met) sum += forms.get(form)!;
  return (3 * sum) / Math.sqrt(Math.max(1, met.size));
}

/** Words alone and two by two, with what each says; `^` is where a clause begins. */
let forms: ReadonlyMap<string, number> | undefined;

function readForms(): ReadonlyMap<string, number> {
  return new Map(
    readPhrases('asking-words').map((entry) => {
      const colon = entry.lastIndexOf(':');
      return [entry.slice(0, colon), Number(entry.slice(colon + 1)) / 100] as const;
    }),
  );
}
