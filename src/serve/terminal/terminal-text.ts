/** How many columns a text takes on a terminal: letters of East Asia and pictures take two, marks that join none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const letter of letters.segment(text)) width += widthOfLetter(letter.segment);
  return width;
}

/** A text in one line of at most `columns` columns, cut at its end, or at its start to show how it continues. */
export function fit(text: string, columns: number, keep: 'start' | 'end' = 'start'): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (widthOf(line) <= columns) return line;
  const all = [...letters.segment(line)].map(({ segment }) => segment);
  let kept = '';
  let width = 1;
  for (const letter of keep === 'start' ? all : all.toReversed()) {
    width += widthOfLetter(letter);
    if (width > columns) break;
    kept = keep === 'start' ? kept + letter : letter + kept;
  }
  return keep === 'start' ? `${kept}…` : `…${kept}`;
}

interface WrapOptions {
  readonly columns: number;
  /** Before each line, and before the first where that is another. */
  readonly indent?: string;
  readonly first?: string;
}

/** A text in lines of at most `columns` columns, broken between words; a longer word has a line of its own. */
export function wrapped(text: string, { columns, indent = '', first = indent }: WrapOptions): string {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = lines.length === 0 ? first : indent;
    let isEmpty = true;
    for (const word of paragraph.split(' ')) {
      if (!isEmpty && widthOf(line) + 1 + widthOf(word) > columns) {
        lines.push(line);
        line = indent;
        isEmpty = true;
      }
      line += isEmpty ? word : ` ${word}`;
      isEmpty = false;
    }
    lines.push(line);
  }
  return lines.join('\n');
}

/** How wide text is written: as wide as the terminal, and 80 columns at most or where there is none. */
export function textColumns(stream: NodeJS.WriteStream): number {
  // A terminal that does not know its size says 0.
  return Math.min(80, (stream.isTTY && stream.columns) || 80);
}

/**
 * What a model or a tool wrote may hold commands to the terminal, or turn the direction of reading around so that it looks
 * like something else: they are shown as signs, and do nothing.
 */
export function harmless(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\P{Control}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, (sign) => {
      const code = sign.charCodeAt(0);
      return code < 32 ? String.fromCharCode(0x2400 + code) : '\ufffd';
    });
}

const letters = new Intl.Segmenter();
const joining = /^[\p{Mark}\p{Format}]+$/u;
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;

function widthOfLetter(letter: string): number {
  if (letter >= ' ' && letter <= '~') return 1;
  if (joining.test(letter)) return 0;
  return wide.test(letter) || letter.includes('\ufe0f') ? 2 : 1;
}
