import { type Change, type ChangeKind, shorten } from './change.ts';

/** Where a text is being mended, and what was changed so far. */
export class Cursor {
  readonly text: string;
  readonly end: number;
  at: number;
  readonly changes: Change[] = [];

  constructor(text: string, from: number, to: number) {
    this.text = text.slice(0, to);
    this.at = from;
    this.end = to;
  }

  note(kind: ChangeKind, note: string, offset = this.at): void {
    this.changes.push({ kind, offset, note });
  }

  peek(): string {
    return this.at < this.end ? this.text.charAt(this.at) : '';
  }

  /** What comes next, if it matches a sticky pattern and does not pass the end. */
  match(pattern: RegExp, at = this.at): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(this.text);
    return found !== null && pattern.lastIndex <= this.end ? found : undefined;
  }

  /** Passes spaces and comments. */
  skip(): void {
    for (;;) {
      const space = this.match(/[\s\u200b\ufeff]+/y);
      if (space !== undefined) {
        if (/[^ \t\r\n]/.test(space[0])) this.note('space', 'Spaces that JSON does not know were left out.');
        this.at += space[0].length;
      }
      if (this.match(/\/\/|\/\*|#/y) === undefined) return;
      const block = this.text.startsWith('/*', this.at);
      const found = this.text.indexOf(block ? '*/' : '\n', this.at);
      const end = found < 0 ? this.end : block ? found + 2 : found;
      this.note('comment', `A comment was left out: ${shorten(this.text.slice(this.at, end))}.`);
      this.at = end;
    }
  }
}
