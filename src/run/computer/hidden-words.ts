/** What is in the place of words that are hidden. */
const cover = '█████';

/** A text without some words, in the spellings of addresses too. */
export function withoutWords(text: string, words: Iterable<string>): string {
  // The longest first: a shorter one may be a part of it.
  const ordered = [...words].toSorted((one, other) => other.length - one.length);
  const spellings = ordered.flatMap((word) => [
    word,
    encodeURIComponent(word.toWellFormed()),
    new URLSearchParams([['', word]]).toString().slice(1),
  ]);
  return spellings.reduce((all, spelling) => all.replaceAll(spelling, cover), text);
}

/** What was told, with each of its texts made safe; its type says no more than what it is. */
export function mapTexts<Told extends { readonly type: string }>(
  told: Told,
  map: (text: string) => string,
): Told {
  const fields = Object.entries(told).map(([field, value]) => [
    field,
    typeof value === 'string' && field !== 'type' ? map(value) : value,
  ]);
  return Object.fromEntries(fields) as Told;
}
