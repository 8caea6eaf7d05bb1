import type { Note } from '../../run/tool/contract.ts';
import type { CallRecord } from '../../run/tool/call/call-record.ts';
import { argumentsAsText } from '../../base/message/arguments.ts';
import { resultText } from '../../base/message/result.ts';
import { messageOf } from '../../run/tool/call/call-text.ts';
import type { RunEvent } from '../../run/loop/event.ts';
import { writeControl } from './guard-terminal.ts';
import { fit, harmless, widthOf } from './terminal-text.ts';

export interface PrintOptions {
  /** Every event as one line of JSON on standard output, and nothing else there. */
  readonly json: boolean;
  /** What notes fold away: details, arguments, results. */
  readonly details: boolean;
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
}

/**
 * Shows a run as it happens: the answer on standard output, one line a call on standard error. On a terminal, one line
 * more shows what is under way: the arguments as they come, a note, progress. It goes when there is something to keep.
 */
export class RunPrinter {
  readonly #options: PrintOptions;
  readonly #paint: (text: string, code: number) => string;
  /** The line that shows what is under way is on the terminal. */
  #live = false;
  #column = 0;
  /** The end of the arguments so far, by slot of the reply. */
  readonly #arguments = new Map<number, string>();
  /** What the notes of a call say, by its id, until its line is printed. */
  readonly #notes = new Map<string, Note[]>();

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
      case 'call-start':
        this.#arguments.set(event.slot, '');
        return this.#underWay(`… ${event.name}`);
      case 'call-delta': {
        const text = ((this.#arguments.get(event.slot) ?? '') + event.text).slice(-mostShown);
        this.#arguments.set(event.slot, text);
        return this.#underWay(`… ${event.name}`, text);
      }
      case 'call-end':
        this.#arguments.delete(event.slot);
        return this.#clear();
      case 'note':
        return this.#note(event.callId, event.name, event.on, event.note);
      case 'progress':
        return this.#progress(event.name, event.progress);
      case 'result':
        return this.#result(event.record);
      case 'late':
        return this.#line(`  ${event.name} answered after it was given up; the answer is ignored`, grey);
      case 'fault': {
        const what = event.doing === 'stop' ? 'could not be stopped' : 'cannot say whether it is available';
        return this.#line(`  ${event.name} ${what}: ${messageOf(event.cause)}`, red);
      }
      case 'retry':
        return this.#line(
          `  ${event.error.message.replace(/\.$/, '')}; trying again in ${event.waitMs} ms`,
          grey,
        );
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
    const { out } = this.#options;
    out.write(out.isTTY ? harmless(text) : text);
    const last = text.lastIndexOf('\n');
    this.#column = last === -1 ? this.#column + text.length : text.length - last - 1;
  }

  /** Shows what is under way, where there is a terminal: `text` by its end, since it grows there. */
  #underWay(what: string, text = ''): void {
    const { err } = this.#options;
    if (!err.isTTY) return;
    if (!this.#live) this.end();
    this.#live = true;
    // A line that is one column too long would leave a piece of itself behind.
    const columns = Math.max(10, err.columns - 1);
    const head = fit(harmless(what), columns);
    const room = columns - widthOf(head) - 1;
    const rest = room > 3 && text !== '' ? ` ${fit(harmless(text), room, 'end')}` : '';
    writeControl(err, `\r\u001b[2K${this.#paint(head + rest, grey)}`);
  }

  #clear(): void {
    if (this.#live) writeControl(this.#options.err, '\r\u001b[2K');
    this.#live = false;
  }

  #note(callId: string, name: string, on: Extract<RunEvent, { type: 'note' }>['on'], note: Note): void {
    this.#notes.set(callId, [...(this.#notes.get(callId) ?? []), note]);
    if (on === 'request' || on === 'run') this.#underWay(`● ${name}: ${labelOf(note)}`);
  }

  #progress(name: string, progress: unknown): void {
    const said = `${name}: ${JSON.stringify(progress) ?? ''}`;
    if (this.#options.err.isTTY) this.#underWay(`● ${said}`);
    else this.#line(`  ${shorten(said)}`, grey);
  }

  #result(record: CallRecord): void {
    const { call, result, success } = record;
    const notes = this.#notes.get(call.id) ?? [];
    this.#notes.delete(call.id);
    const took = result.durationMs === undefined ? '' : ` (${Math.round(result.durationMs)} ms)`;
    const what = notes.length > 0 ? `: ${notes.map(labelOf).join(' · ')}` : ` ${argumentsAsText(call)}`;
    const why = success ? '' : `: ${shorten(resultText(result))}`;
    const { err } = this.#options;
    const room = (err.isTTY ? Math.max(20, err.columns) : 110) - widthOf(call.name) - took.length - 2;
    const mark = success ? '✓' : '✗';
    // What went wrong is told whole: it is what a person must read.
    this.#line(`${mark} ${call.name}${withSpace(fit(what, room))}${took}${why}`, success ? blue : red);
    if (!this.#options.details) return;
    if (notes.length > 0) this.#line(indent(argumentsAsText(call)), grey);
    for (const note of notes) {
      if (typeof note === 'object' && note.detail !== undefined) this.#line(indent(note.detail), grey);
    }
    this.#line(indent(resultText(result)), grey);
  }

  #line(text: string, colour: number): void {
    this.end();
    const { err } = this.#options;
    writeControl(err, `${this.#paint(harmless(text), colour)}\n`);
  }
}

const [red, blue, grey] = [31, 34, 90];
/** Characters: more than a line holds, and few enough to be looked at with every piece that comes. */
const mostShown = 1000;

function labelOf(note: Note): string {
  return typeof note === 'string' ? note : note.label;
}

/** `: a note` follows the name directly, arguments follow a space. */
function withSpace(what: string): string {
  return what === '' || what.startsWith(':') ? what : ` ${what}`;
}

function shorten(text: string): string {
  return fit(text, 300);
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
  if (event.type === 'fault') return { ...event, cause: messageOf(event.cause) };
  if (event.type !== 'result') return event;
  const { cause, ...record } = event.record;
  return { ...event, record: { ...record, ...(cause !== undefined && { cause: messageOf(cause) }) } };
}
