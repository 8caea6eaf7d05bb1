import type { JsonValue } from '../../base/json/value.ts';
import type { ResultPart } from '../../base/message/part.ts';
import { messageOf } from './call/call-text.ts';

/** Content for the model, with something that only the program keeps. Made by `toolOutput`. */
export class ToolOutput<Content = unknown> {
  readonly content: Content;
  readonly artifact: JsonValue | undefined;
  /** The checks of its provider that a person has agreed to, by their ids. */
  readonly acknowledgedSafetyChecks: readonly string[];
  constructor(
    content: Content,
    artifact: JsonValue | undefined,
    acknowledgedSafetyChecks: readonly string[] = [],
  ) {
    this.content = content;
    this.artifact = artifact;
    this.acknowledgedSafetyChecks = acknowledgedSafetyChecks;
  }
}

/**
 * Content for the model, and an artifact that stays in the history and is never sent.
 * @example run: async ({ sql }) => { const rows = await query(sql); return toolOutput(`${rows.length} rows`, { artifact: rows }) }
 */
export function toolOutput<Content extends string | readonly ResultPart[] | JsonValue>(
  content: Content,
  options: { readonly artifact?: JsonValue; readonly acknowledgedSafetyChecks?: readonly string[] } = {},
): ToolOutput<Content> {
  return new ToolOutput(content, options.artifact, options.acknowledgedSafetyChecks);
}

/** What a tool answered, as content; or why that is not JSON. */
export type ReadOutput =
  | { readonly ok: true; readonly content: readonly ResultPart[]; readonly artifact?: JsonValue }
  | { readonly ok: false; readonly message: string };

/** Text stays text, parts stay parts, everything else becomes JSON. Returning nothing is success, and says so. */
export function readOutput(value: unknown, name: string): ReadOutput {
  try {
    return readAny(value, name);
  } catch (error) {
    // A getter, a proxy or a toJSON of the tool's own.
    return { ok: false, message: `${name} ran, but what it returned cannot be read: ${messageOf(error)}` };
  }
}

function readAny(value: unknown, name: string): ReadOutput {
  if (typeof value === 'string') {
    // Some providers refuse an empty text, and a model reads it as a fault.
    return textOutput(value === '' ? `${name} completed and returned an empty text.` : value);
  }
  if (value === undefined) return textOutput(`${name} completed successfully and returned nothing.`);
  if (value instanceof ToolOutput) {
    const read = readAny(value.content, name);
    if (!read.ok || value.artifact === undefined) return read;
    const odd = findOddity(value.artifact, undefined);
    if (odd === sayable) {
      const artifact = JSON.parse(JSON.stringify(value.artifact, sayNumbersThatJsonLacks)) as JsonValue;
      return { ...read, artifact };
    }
    // It is in the history, which must be written and sent as JSON.
    return odd === undefined
      ? { ...read, artifact: value.artifact }
      : notJson(`${name} ran, but its artifact`, odd);
  }
  if (isParts(value)) return { ok: true, content: value };
  const odd = findOddity(value, undefined);
  if (odd === sayable) return textOutput(JSON.stringify(value, sayNumbersThatJsonLacks));
  if (odd !== undefined) return notJson(`${name} ran, but what it returned`, odd);
  // A `toJSON` may give nothing, whatever the types say.
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined)
    return { ok: false, message: `${name} ran, but the toJSON method of what it returned gives nothing.` };
  return textOutput(text);
}

function notJson(what: string, odd: Oddity): ReadOutput {
  const place = odd.path === '' ? '' : ` (at ${odd.path})`;
  return { ok: false, message: `${what} is not JSON: ${odd.what}${place}.` };
}

function textOutput(text: string): ReadOutput {
  return { ok: true, content: [{ type: 'text', text }] };
}

/** JSON.stringify would write NaN as null and throw on a bigint: the model reads the number in words instead. */
function sayNumbersThatJsonLacks(_key: string, value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return typeof value === 'bigint' ? String(value) : value;
}

function isParts(value: unknown): value is readonly ResultPart[] {
  return Array.isArray(value) && value.length > 0 && value.every(isPart);
}

function isPart(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const part = value as {
    readonly type?: unknown;
    readonly text?: unknown;
    readonly source?: unknown;
    readonly api?: unknown;
    readonly raw?: unknown;
  };
  if (part.type === 'text') return typeof part.text === 'string';
  if (part.type === 'other') return typeof part.api === 'string' && typeof part.raw === 'object';
  if (part.type !== 'image' && part.type !== 'document') return false;
  const kind = (part.source as { readonly kind?: unknown } | undefined)?.kind;
  return kind === 'base64' || kind === 'url' || (part.type === 'document' && kind === 'text');
}

interface Oddity {
  readonly path: string;
  readonly what: string;
}

/** The value holds numbers that JSON lacks, and nothing worse. Writing it with a replacer costs five times as much. */
const sayable: Oddity = { path: '', what: 'a number that JSON cannot hold' };

/** What JSON.stringify would drop in silence or choke on: functions, symbols, maps, promises, cycles. */
function findOddity(value: unknown, above: Above | undefined): Oddity | undefined {
  if (typeof value === 'function') return { path: '', what: 'a function' };
  if (typeof value === 'symbol') return { path: '', what: 'a symbol' };
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : sayable;
  if (typeof value === 'bigint') return sayable;
  if (typeof value !== 'object' || value === null) return undefined;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return {
      path: '',
      what: `${value.byteLength} bytes; give text, or an image or document part with its base64`,
    };
  }
  for (let at = above; at !== undefined; at = at.above) {
    if (at.value === value) return { path: '', what: 'an object that contains itself' };
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return undefined;
  const here: Above = { value, above };
  let found: Oddity | undefined;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const odd = findOddity(value[index], here);
      if (odd !== undefined && odd !== sayable) return below(index, odd);
      found ??= odd;
    }
    return found;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      return {
        path: '',
        what: `a ${value.constructor?.name ?? 'class instance'}, which JSON would write as {}`,
      };
    }
  }
  for (const key of keys) {
    const odd = findOddity((value as Record<string, unknown>)[key], here);
    if (odd !== undefined && odd !== sayable) return below(key, odd);
    found ??= odd;
  }
  return found;
}

function below(key: string | number, odd: Oddity): Oddity {
  return { path: `/${key}${odd.path}`, what: odd.what };
}

interface Above {
  readonly value: object;
  readonly above: Above | undefined;
}

/** Characters of a result that a model is sent where the tool says nothing: about 12,000 tokens. */
export const defaultOutputBudget = 50_000;

/** Content within its budget: the same, or head and tail with a line between them that says what is gone. */
export interface BudgetedContent {
  readonly content: readonly ResultPart[];
  /** The whole text and its length, when something was cut. */
  readonly whole?: string;
}

/** Cuts the text of a result to its budget. Images and documents are kept: they are not counted in characters. */
export function cutToBudget(
  content: readonly ResultPart[],
  budget: number | false,
  options: { readonly callId: string; readonly reader?: string | undefined },
): BudgetedContent {
  if (budget === false) return { content };
  let characters = 0;
  for (const part of content) if (part.type === 'text') characters += part.text.length;
  if (characters <= budget) return { content };
  const whole = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const text = headAndTail(whole, budget, options);
  return { content: [{ type: 'text', text }, ...content.filter((part) => part.type !== 'text')], whole };
}

function headAndTail(
  whole: string,
  budget: number,
  options: { readonly callId: string; readonly reader?: string | undefined },
): string {
  const half = Math.max(0, Math.floor(budget / 2));
  const head = cutBefore(whole, half);
  const tail = cutAfter(whole, whole.length - half);
  const gone = whole.length - head.length - tail.length;
  const way =
    options.reader === undefined
      ? ''
      : ` To read on, call ${options.reader} with {"call_id": ${JSON.stringify(options.callId)}, "from": ${head.length}}.`;
  return `${head}\n[… ${gone} of ${whole.length} characters are left out here.${way} …]\n${tail}`;
}

/** The first `length` characters, and never half of a surrogate pair. */
export function cutBefore(text: string, length: number): string {
  return text.slice(0, isSplitAt(text, length) ? length - 1 : length);
}

function cutAfter(text: string, from: number): string {
  return text.slice(isSplitAt(text, from) ? from + 1 : from);
}

function isSplitAt(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
