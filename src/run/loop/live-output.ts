import type { JsonValue } from '../../base/json/value.ts';
import { LiveArguments } from '../../base/message/live-arguments.ts';
import type { RunEvent } from './event.ts';

type OutputEvent = Extract<RunEvent, { type: 'output' }>;

/** A final answer while its text arrives: what can be read of the JSON so far, within a fence too. */
export class LiveOutput {
  readonly #step: number;
  readonly #json = new LiveArguments();
  /** What came before the JSON, or its end: a fence may come in two pieces. */
  #before = '';
  #isOnlySpace = true;
  #hasBegun = false;

  constructor(step: number) {
    this.#step = step;
  }

  /** Takes a piece of text; tells of it where it belongs to the JSON. */
  push(piece: string): OutputEvent | undefined {
    const text = this.#hasBegun ? piece : this.#begin(piece);
    if (text === '') return undefined;
    this.#json.push(text);
    return new ReadableOutput(this.#step, text, this.#json);
  }

  #begin(piece: string): string {
    const text = this.#before + piece;
    this.#isOnlySpace &&= text.trim() === '' || /^\s*[[{]/.test(text);
    const begin = this.#isOnlySpace ? text.search(/[[{]/) : /```\w*\s*(?=[[{])/.exec(text);
    const at = typeof begin === 'number' ? begin : begin === null ? -1 : begin.index + begin[0].length;
    this.#hasBegun = at >= 0;
    this.#before = text.slice(-longestFence);
    return this.#hasBegun ? text.slice(at) : '';
  }
}

const longestFence = 32;

/** Reads the answer so far only where somebody asks for it. */
class ReadableOutput implements OutputEvent {
  readonly type = 'output';
  readonly step: number;
  readonly text: string;
  readonly #json: LiveArguments;

  constructor(step: number, text: string, json: LiveArguments) {
    this.step = step;
    this.text = text;
    this.#json = json;
  }

  get output(): JsonValue | undefined {
    return this.#json.current;
  }
}

/** The JSON of a final answer: the whole text, or what is fenced in it. Throws what `JSON.parse` throws. */
export function readOutput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const fenced = /```\w*\s([^]*)```/.exec(text)?.[1];
    if (fenced === undefined) throw error;
    return JSON.parse(fenced);
  }
}
