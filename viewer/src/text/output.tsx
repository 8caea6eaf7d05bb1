import { useState } from 'preact/hooks';

import { readAnsi } from './ansi.ts';
import { Copy } from './copy.tsx';
import { firstPart } from './first-part.ts';

interface OutputProps {
  readonly text: string;
  readonly label: string;
  readonly bad?: boolean;
  readonly lines?: number;
}

/** What a tool answered: JSON set out, a terminal's colours kept, long output folded, all of it to copy. */
export function Output({ text, label, bad = false, lines = 24 }: OutputProps) {
  const [parts, setParts] = useState(1);
  const set = setOut(text);
  const { shown, left } = firstPart(set, lines, parts);
  return (
    <div class="output">
      <pre class={bad ? 'failed' : undefined} tabIndex={0} aria-label={label} dir="auto">
        {readAnsi(shown).map(({ text: piece, style }, place) =>
          style === '' ? (
            piece
          ) : (
            <span key={place} class={style}>
              {piece}
            </span>
          ),
        )}
      </pre>
      <p class="small tools">
        {left > 0 && (
          <button class="link" type="button" onClick={() => setParts(parts + 1)}>
            Show more ({left.toLocaleString()} characters)
          </button>
        )}
        <Copy text={text} />
      </p>
    </div>
  );
}

/** JSON on lines of its own; anything else, and JSON too long to be worth it, as it is. */
function setOut(text: string): string {
  if (text.length > 200_000 || !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
