import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import type { TurnRecord } from './record.ts';

/** How much of one episode is read, in characters: an index in Postgres takes a megabyte at most. */
export const mostRead = 150_000;

/** With fewer letters, so many words match that looking for all of them takes seconds. */
const leastBegun = 3;

/** The words of an episode as they are searched: what was said, called and answered. Nothing of its grade. */
export function wordsOf(turns: readonly TurnRecord[]): string {
  const said = turns.flatMap((turn) => {
    // Written by the engine, as JSON.
    const messages = JSON.parse(turn.messages) as JsonValue;
    const answer = JSON.parse(turn.answer) as JsonValue;
    return [
      ...leavesOf(messages, ['content', 'toolCalls', 'name', 'input']),
      ...(isJsonObject(answer)
        ? [
            ...leavesOf(answer['observation'], ['content']),
            ...leavesOf(answer['results'], ['name', 'output']),
          ]
        : []),
    ];
  });
  return searchedWords(said.join(' '));
}

/** A text as it is searched: the words of its beginning. */
export function searchedWords(text: string): string {
  return plainText(text.slice(0, mostRead)).replaceAll(betweenWords, ' ').trim();
}

/** A search as a person types it: words, and phrases in quotes; the word that is being typed may go on. */
export function readSearch(
  text: string,
): readonly { readonly words: readonly string[]; readonly goesOn: boolean }[] {
  const terms = [...text.matchAll(/"([^"]*)"?|[^\s"]+/g)].map((found) => ({
    words: plainWords(found[1] ?? found[0]),
    goesOn: found[1] === undefined && found.index + found[0].length === text.length,
  }));
  return terms
    .filter(({ words }) => words.length > 0)
    .map(({ words, goesOn }) => ({ words, goesOn: goesOn && words.at(-1)!.length >= leastBegun }));
}

const betweenWords = /[^\p{L}\p{N}]+/gu;

function plainWords(text: string): readonly string[] {
  return plainText(text).split(betweenWords).filter(Boolean);
}

/** In lower case and without accents, so that both kinds of store find the same. */
function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}

/** Texts and numbers in a value; of the objects at its top only these fields, and below them everything. */
function leavesOf(value: JsonValue | undefined, fields?: readonly string[]): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => leavesOf(item, fields));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    fields === undefined || fields.includes(name)
      ? leavesOf(item, name === 'toolCalls' ? fields : undefined)
      : [],
  );
}
