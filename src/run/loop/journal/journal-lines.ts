import type { JournalEntry } from './journal.ts';

/** An entry, and where its line begins; older journals do not say. */
type PlacedEntry = JournalEntry & { readonly byte?: number };

/** What the whole lines of a journal's file hold: one that came second, when two wrote at the same moment, is left out. */
export function entriesIn(
  bytes: Buffer,
  refuse: (why: string, cause: unknown) => never,
): readonly JournalEntry[] {
  let end = 0;
  return bytes
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .flatMap((line, index) => {
      const begin = end;
      end += Buffer.byteLength(line) + 1;
      const { byte = begin, ...entry } = parse(line, index, refuse);
      return byte === begin ? [entry as JournalEntry] : [];
    });
}

function parse(line: string, index: number, refuse: (why: string, cause: unknown) => never): PlacedEntry {
  try {
    return JSON.parse(line) as PlacedEntry;
  } catch (cause) {
    return refuse(`it cannot be read: line ${index + 1} is not JSON`, cause);
  }
}

/** The lines of entries that are written from this byte on, each with its place. */
export function writeLines(entries: readonly string[], begin: number): Buffer {
  let end = begin;
  const lines = entries.map((entry) => {
    const line = Buffer.from(`${entry.slice(0, -1)},"byte":${end}}\n`);
    end += line.length;
    return line;
  });
  return Buffer.concat(lines);
}
