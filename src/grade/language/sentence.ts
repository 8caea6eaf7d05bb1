import { plainText } from './plain-text.ts';
import { wordsOf, wordsSaid } from './words.ts';

/** A sentence of a message, as it is read. */
export interface Sentence {
  readonly text: string;
  readonly words: readonly string[];
  /** These as they are said, with its commas and its end. */
  readonly said: readonly string[];
  readonly asked: boolean;
  /** It ends with a full stop or an exclamation mark. */
  readonly closed: boolean;
  /** It is a line of a list. */
  readonly listed: boolean;
  /** It ends with a colon, or asks for the following. */
  readonly opensList: boolean;
}

/** The sentences of a message (plain text), in order. */
export function* sentencesOf(plain: string): Generator<Sentence> {
  for (const piece of (plain.match(sentence) ?? []).flatMap(shortPieces)) {
    const text = withoutStops(piece.replace(bullet, ''));
    if (text === '') continue;
    const asked = piece.includes('?');
    const end = piece.trimEnd();
    yield {
      text,
      words: wordsOf(text),
      said: wordsSaid(text, asked),
      asked,
      closed: end.endsWith('.') || end.endsWith('!'),
      listed: /^\s*- /.test(piece),
      opensList: end.endsWith(':') || (asked && /\b(?:following|these|below)\b/.test(text)),
    };
  }
}

/** A sentence of a message as it was written; nothing where its plain words cannot be found again. */
export function sentenceAsWritten(message: string, plain: string): string | undefined {
  const isMeant = (written: string) =>
    [...sentencesOf(plainText(written))].some(({ text }) => text === plain);
  return message.match(sentence)?.find(isMeant)?.trim();
}

const sentence = /[^.?!\n;]+(?:\.(?=\d)[^.?!\n;]+)*[.?!\n;]*/g;

/** A sentence without end is read in pieces: many expressions take the square of its length. */
function shortPieces(text: string): readonly string[] {
  return text.length <= longest ? [text] : (text.match(shortPiece) ?? []);
}

const longest = 400;
const shortPiece = new RegExp(`[^]{1,${longest}}(?=\\s|$)|[^]{1,${longest}}`, 'g');

const bullet = /^[\s\-\u2022\u2013\u2014>()\d]*[).]?\s+/;

function withoutStops(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.?!;]/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}
