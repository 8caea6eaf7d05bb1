import { fullStop, isLetter, questionMark, readWords } from './words.ts';
import type { Word } from './words.ts';

/** A sentence of a message, as it is read. */
export interface Sentence {
  readonly text: string;
  readonly words: readonly Word[];
  /** These as they are said, with its commas and its end. */
  readonly said: readonly Word[];
  readonly asked: boolean;
  /** It ends with a full stop or an exclamation mark. */
  readonly closed: boolean;
  /** It is a line of a list. */
  readonly listed: boolean;
  /** It ends with a colon, or asks for the following. */
  readonly opensList: boolean;
}

/** The sentences of a message (plain text), in order. */
export function sentencesOf(plain: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  for (const piece of plain.match(/[^.?!\n;]+(?:\.(?=\d)[^.?!\n;]+)*[.?!\n;]*/g) ?? []) {
    const text = withoutStops(isLetter(piece.charCodeAt(0)) ? piece : piece.replace(bullet, ''));
    if (text === '') continue;
    const asked = piece.includes('?');
    const { words, said } = wordsSaid(text, asked);
    const end = piece.trimEnd();
    const closed = end.endsWith('.') || end.endsWith('!');
    sentences.push({
      text,
      words,
      said,
      asked,
      closed,
      listed: /^\s*- /.test(piece),
      opensList: end.endsWith(':') || (asked && /\b(?:following|these|below)\b/.test(text)),
    });
  }
  return sentences;
}

/** The words of a text, and how they are said: with its commas, and its end. */
export function wordsSaid(text: string, asked: boolean): Pick<Sentence, 'words' | 'said'> {
  const words: Word[] = [];
  const said: Word[] = [];
  readWords(text, words, said);
  said.push(asked ? questionMark : fullStop);
  return { words, said };
}

const bullet = /^[\s\-\u2022\u2013\u2014>()\d]*[).]?\s+/;

function withoutStops(text: string): string {
  let end = text.length;
  while (end > 0 && !isLetter(text.charCodeAt(end - 1)) && /[\s.?!;]/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}
