import { readFileSync } from 'node:fs';

/** The phrases of a file in `data/`: divided by `|` or a new line; a line that begins with `//` says what they are. */
export function readPhrases(name: string): readonly string[] {
  const text = readFileSync(new URL(`./data/${name}.txt`, import.meta.url), 'utf8');
  return text
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('//'))
    .flatMap((line) => line.split('|'))
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
}
