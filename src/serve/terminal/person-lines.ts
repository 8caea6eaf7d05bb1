import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';
import { PassThrough, Transform } from 'node:stream';

import type { Ask } from './ask-person.ts';
import { writeControl } from './guard-terminal.ts';
import { Screen } from './screen.ts';

/**
 * What a person types, line by line, at a terminal or through a pipe. At a terminal a paste of several lines is one
 * line, and nothing that is typed while an answer is printed gets between its words: it is there at the next prompt.
 */
export class PersonLines {
  readonly isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  readonly #lines: Interface;
  readonly #screen = new Screen({ isMuted: true });
  readonly #waiting: string[] = [];
  #closed = false;
  /** Who waits for the next line: a question about a call. */
  #wanted: ((line: string) => void) | undefined;
  #wake: (() => void) | undefined;

  constructor(onInterrupt: () => void) {
    const { isTerminal } = this;
    this.#lines = createInterface({
      input: isTerminal ? pasteInput() : process.stdin,
      output: isTerminal ? this.#screen : new PassThrough(),
      prompt,
      terminal: isTerminal,
    });
    if (isTerminal) writeControl(process.stderr, beginPastes);
    this.#lines.on('SIGINT', onInterrupt);
    this.#lines.on('line', (typed) => {
      const line = typed.replaceAll(lineBreak, '\n');
      const wanted = this.#wanted;
      this.#wanted = undefined;
      if (wanted !== undefined) return wanted(line);
      this.#waiting.push(line);
      this.#wake?.();
    });
    this.#lines.on('close', () => {
      this.#closed = true;
      if (isTerminal) writeControl(process.stderr, endPastes);
      this.#wanted?.('');
      this.#wake?.();
    });
  }

  /** The next line; undefined when there are no more. */
  async next(): Promise<string | undefined> {
    this.#screen.isMuted = false;
    if (this.isTerminal && this.#waiting.length === 0 && !this.#closed) this.#lines.prompt(true);
    while (this.#waiting.length === 0 && !this.#closed)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#screen.isMuted = true;
    return this.#waiting.shift();
  }

  /** Takes back what is at the prompt; false when nothing does. */
  clear(): boolean {
    if (this.#lines.line === '') return false;
    this.#lines.write(null, { ctrl: true, name: 'e' });
    this.#lines.write(null, { ctrl: true, name: 'u' });
    return true;
  }

  /** Shows the prompt once more, below something that was printed. */
  promptAgain(): void {
    this.#lines.prompt();
  }

  close(): void {
    this.#lines.close();
  }

  /** Its last line is the prompt, so that what is typed can be edited behind it. */
  readonly ask: Ask = (question, signal) =>
    new Promise((resolve, reject) => {
      const above = question.lastIndexOf('\n') + 1;
      process.stderr.write(question.slice(0, above));
      this.#screen.isMuted = false;
      this.#lines.setPrompt(question.slice(above));
      this.#lines.prompt();
      const done = (): void => {
        this.#wanted = undefined;
        this.#lines.setPrompt(prompt);
        this.#screen.isMuted = true;
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        done();
        process.stderr.write('\n');
        reject(signal.reason as Error);
      };
      this.#wanted = (line) => {
        done();
        resolve(line);
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
}

const prompt = '> ';
const [beginPastes, endPastes] = ['\u001b[?2004h', '\u001b[?2004l'];
/** Represents the end of a line within a paste while it is edited. */
const lineBreak = '␊';

/** Standard input, where the ends of lines within a paste are not Enter. */
function pasteInput(): NodeJS.ReadableStream {
  let isPaste = false;
  let half = '';
  const input = new Transform({
    decodeStrings: false,
    transform(chunk: string, _encoding, done) {
      const text = half + chunk;
      half = halfMarkAtEnd(text);
      let rest = text.slice(0, text.length - half.length);
      for (;;) {
        const at = rest.indexOf(isPaste ? pasteEnds : pasteBegins);
        const piece = at < 0 ? rest : rest.slice(0, at);
        this.push(isPaste ? piece.replaceAll(/\r\n?|\n/g, lineBreak).replaceAll('\t', '    ') : piece);
        if (at < 0) break;
        rest = rest.slice(at + pasteBegins.length);
        isPaste = !isPaste;
      }
      done();
    },
  });
  process.stdin.setEncoding('utf8').pipe(input);
  return Object.assign(input, {
    isTTY: true,
    setRawMode: (isRaw: boolean) => void process.stdin.setRawMode(isRaw),
  });
}

const [pasteBegins, pasteEnds] = ['\u001b[200~', '\u001b[201~'];

/** A mark that has come in part, with more of it to come. The escape key alone is not such a part. */
function halfMarkAtEnd(text: string): string {
  for (let length = pasteBegins.length - 1; length > 1; length--) {
    const mark = [pasteBegins, pasteEnds].find((each) => text.endsWith(each.slice(0, length)));
    if (mark !== undefined) return mark.slice(0, length);
  }
  return '';
}
