import type { Note } from '../../run/tool/contract.ts';
import type { CallRecord } from '../../run/tool/call-record.ts';
import { argumentsAsText } from '../../base/message/arguments.ts';
import { resultText } from '../../base/message/result.ts';
import type { RunEvent } from '../../run/loop/event.ts';

export interface PrintOptions {
  /** Every event as one line of JSON on standard output, and nothing else there. */
  readonly json: boolean;
  /** What notes fold away: details, arguments, results. */
  readonly details: boolean;
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
}

/** Shows a run as it happens: the answer on standard output, one line a call on standard error. */
export class RunPrinter {
  readonly #options: PrintOptions;
  readonly #paint: (text: string, code: number) => string;
  /** The line that shows a call's arguments while they come stands on the terminal. */
  #live = false;
  #column = 0;

  constructor(options: PrintOptions) {
    this.#options = options;
    const colours = options.err.isTTY && options.err.hasColors();
    this.#paint = colours ? (text, code) => `\u001b[${code}m${text}\u001b[0m` : (text) => text;
  }

  show(event: RunEvent): void {
    if (this.#options.json) {
      this.#options.out.write(`${JSON.stringify(asJson(event))}\n`);
      return;
    }
    switch (event.type) {
      case 'text':
        return this.#text(event.text);
      case 'refusal':
        return this.#line(`(refused) ${event.text}`, red);
      case 'call-delta':
        return this.#partial(event.name, event.text);
      case 'call-end':
        return this.#clear();
      case 'note':
        return this.#note(event.name, event.on, event.note);
      case 'progress':
        return this.#line(`  ${event.name}: ${shorten(JSON.stringify(event.progress) ?? '')}`, grey);
      case 'result':
        return this.#result(event.record);
      case 'late':
        return this.#line(`  ${event.name} answered after it was given up; nobody reads it`, grey);
      case 'retry':
        return this.#line(`  ${event.error.message}; trying again in ${event.waitMs} ms`, grey);
      default:
        return;
    }
  }

  /** Ends the line of the answer. */
  end(): void {
    this.#clear();
    if (this.#column > 0) this.#options.out.write('\n');
    this.#column = 0;
  }

  #text(text: string): void {
    this.#clear();
    this.#options.out.write(text);
    const last = text.lastIndexOf('\n');
    this.#column = last === -1 ? this.#column + text.length : text.length - last - 1;
  }

  #partial(name: string, text: string): void {
    const { err } = this.#options;
    if (!err.isTTY) return;
    if (!this.#live) err.write(this.#column > 0 ? '\n' : '');
    this.#live = true;
    this.#column = 0;
    const room = Math.max(10, err.columns - name.length - 6);
    err.write(`\r\u001b[2K${this.#paint(`… ${name} ${text.replaceAll(/\s+/g, ' ').slice(-room)}`, grey)}`);
  }

  #clear(): void {
    if (this.#live) this.#options.err.write('\r\u001b[2K');
    this.#live = false;
  }

  #note(name: string, on: 'request' | 'result' | 'failure', note: Note): void {
    const { label, detail } = typeof note === 'string' ? { label: note, detail: undefined } : note;
    const mark = { request: '●', result: '✓', failure: '✗' }[on];
    this.#line(`${mark} ${name}: ${label}`, on === 'failure' ? red : blue);
    if (this.#options.details && detail !== undefined) this.#line(indent(detail), grey);
  }

  #result(record: CallRecord): void {
    const { call, result, success } = record;
    const took = result.durationMs === undefined ? '' : ` (${Math.round(result.durationMs)} ms)`;
    const what = success ? '' : `: ${shorten(resultText(result))}`;
    this.#line(
      `${success ? '✓' : '✗'} ${call.name} ${shorten(argumentsAsText(call))}${took}${what}`,
      success ? blue : red,
    );
    if (this.#options.details) this.#line(indent(resultText(result)), grey);
  }

  #line(text: string, colour: number): void {
    this.end();
    this.#options.err.write(`${this.#paint(text, colour)}\n`);
  }
}

const [red, blue, grey] = [31, 34, 90];

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

/** Errors have nothing that JSON would show; partial arguments are a view that others can make from the text. */
function asJson(event: RunEvent): unknown {
  if (event.type === 'call-delta') {
    const { type, step, slot, id, name, text } = event;
    return { type, step, slot, id, name, text };
  }
  if (event.type !== 'result') return event;
  const { cause, ...record } = event.record;
  return { ...event, record: { ...record, ...(cause !== undefined && { cause: String(cause) }) } };
}
