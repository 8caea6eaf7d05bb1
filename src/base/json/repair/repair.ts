import { WhetstoneError } from '../../host/errors.ts';
import { jsonEqual } from '../equal.ts';
import type { Change } from './change.ts';
import { parseLeniently, type LenientReading } from './lenient-parser.ts';
import { parseJson } from '../parse.ts';
import type { JsonValue } from '../value.ts';

export type { Change as RepairChange } from './change.ts';

export interface Repaired {
  readonly value: JsonValue;
  /** What was changed, in the order of the text; empty where the text was JSON already. */
  readonly changes: readonly Change[];
}

/**
 * Makes sense of what a model wrote for JSON: fences, prose around it, trailing commas, single quotes, bare keys,
 * comments, Python literals, JSON inside a string, missing closers. Says everything it changed. Never used by itself
 * where a call would be run: a guess is for a person, or for asking the model again.
 */
export function repairJson(text: string): Repaired {
  if (typeof text !== 'string') {
    throw new WhetstoneError('json_input', `repairJson takes text, not ${typeof text}.`, {
      details: { text },
    });
  }
  let changes: readonly Change[] = [];
  let current = text;
  // JSON in a string in a string: each round takes one layer off.
  for (let layer = 0; ; layer++) {
    const { value, changes: made } = repairLayer(current);
    changes = changes.concat(made);
    if (typeof value !== 'string' || layer === 3 || !/^\s*"?\s*[[{]/.test(value)) return { value, changes };
    const inner = tryRepair(value);
    // Text that merely begins with a bracket stays text.
    if (inner === undefined || inner.changes.some(isGuess)) return { value, changes };
    changes = changes.concat({ kind: 'double-encoded', offset: 0, note: 'The JSON was inside a string.' });
    current = value;
  }
}

function repairLayer(text: string): Repaired {
  const exact = tryExact(text);
  if (exact !== undefined) return exact;
  const escaped = unescapeWhole(text);
  if (escaped !== undefined) {
    const { value, changes } = repairLayer(escaped.text);
    return { value, changes: [{ kind: 'double-encoded', offset: 0, note: escaped.note }, ...changes] };
  }
  const changes: Change[] = [];
  const { from, to } = unfence(text, changes);
  const body = findBody(text, from, to) ?? findBody(text, 0, text.length);
  if (body === undefined) {
    throw new WhetstoneError('json_repair', `Nothing in this text can be read as JSON: ${excerpt(text)}.`, {
      details: { text },
    });
  }
  noteProse(text, from, body.from, changes);
  const after: Change[] = [];
  noteProse(text, body.to, to, after);
  return { value: body.value, changes: changes.concat(body.changes, after) };
}

/** A change without which the text would be prose. */
function isGuess({ kind }: Change): boolean {
  return kind === 'unquoted-string' || kind === 'prose' || kind === 'extra-closer';
}

function tryExact(text: string): Repaired | undefined {
  try {
    return { value: parseJson(text), changes: [] };
  } catch {
    return undefined;
  }
}

function tryRepair(text: string): Repaired | undefined {
  try {
    return repairLayer(text);
  } catch {
    return undefined;
  }
}

/** Where every quote is written as another format has it: in a string, in a table, on a page. */
function unescapeWhole(text: string): { readonly text: string; readonly note: string } | undefined {
  const found = /^\s*[[{]\s*(?:\[\s*|\{\s*)*(?:\\[nrt]\s*)*(\\"|""(?=[^"\s:,}\]])|&quot;|&#34;)/.exec(
    text,
  )?.[1];
  if (found === undefined) return undefined;
  if (found === '\\"') {
    const inner = tryExact(`"${text.trim().replaceAll(/[\n\r\t]/g, ' ')}"`)?.value;
    const note = 'Every quote was escaped, as inside a string.';
    return typeof inner === 'string' ? { text: inner, note } : undefined;
  }
  if (found === '""')
    return { text: text.replaceAll('""', '"'), note: 'Every quote was doubled, as in a table.' };
  const plain = text.replaceAll(
    /&(quot|#34|apos|#39|lt|gt|amp);/g,
    (_, name: string) => entities[name] as string,
  );
  return { text: plain, note: 'Every quote was written as an entity, as on a page.' };
}

const entities: Readonly<Record<string, string>> = {
  quot: '"',
  '#34': '"',
  apos: "'",
  '#39': "'",
  lt: '<',
  gt: '>',
  amp: '&',
};

/** Where the contents of the first code fence that holds JSON are; the whole text where there is none. */
function unfence(text: string, changes: Change[]): { from: number; to: number } {
  const opening = /(```|~~~)[ \t]*(?:[\w+-]+)?[ \t]*(?:\r?\n|(?=[[{"]))/g;
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const from = opening.lastIndex;
    const fence = found[1] as string;
    // A fence at the beginning of a line ends the block; one inside a string does not.
    const closing = text.indexOf(`\n${fence}`, from);
    const end = closing < 0 ? text.indexOf(fence, from) : closing;
    if (jsonBegins.test(text.slice(from, from + 2000))) {
      changes.push({ kind: 'fence', offset: found.index, note: 'The JSON was inside a code fence.' });
      return { from, to: end < 0 ? text.length : end };
    }
    if (end < 0) break;
    opening.lastIndex = text.indexOf(fence, end) + fence.length;
  }
  return { from: 0, to: text.length };
}

const jsonBegins =
  /^\s*(?:\/\/.*\s*|#.*\s*|\/\*[^]*?\*\/\s*)*(?:[[{"'\d-]|(?:true|false|null|True|False|None)\b)/;

interface Body extends LenientReading {
  readonly from: number;
}

/** The largest container in a stretch of text; a scalar only where it is all there is. */
function findBody(text: string, from: number, to: number): Body | undefined {
  let best: Body | undefined;
  const opening = /[[{]/g;
  opening.lastIndex = from;
  for (let found = opening.exec(text); found !== null && found.index < to; found = opening.exec(text)) {
    if (!looksLikeContainer(text, found.index, to)) continue;
    const reading = readContainers(text, found.index, to);
    if (reading === undefined) continue;
    opening.lastIndex = Math.max(reading.to, found.index + 1);
    const size = reading.to - found.index;
    if (best === undefined || size > best.to - best.from) best = { ...reading, from: found.index };
  }
  if (best !== undefined) return best;
  const start = from + (/^\s*/.exec(text.slice(from, to))?.[0].length ?? 0);
  if (start === to || !/["'“\d+.\-tfnTFNuIU]/.test(text.charAt(start))) return undefined;
  const scalar = parseLeniently(text, start, to);
  return scalar !== undefined && text.slice(scalar.to, to).trim() === '' && !scalar.changes.some(isGuess)
    ? { ...scalar, from: start }
    : undefined;
}

/** Citations such as `[1]` are JSON too, only smaller than what is looked for; `{name}` and `[see below]` are not. */
function looksLikeContainer(text: string, at: number, to: number): boolean {
  const head = text.slice(at + 1, Math.min(to, at + 400));
  return text[at] === '{'
    ? /^\s*(?:$|[}"'“‘`#]|,\s*["'}]|\/[/*]|[^\s{}[\]",:]+\s*(?::|=>?))/.test(head)
    : /^\s*(?:$|[\]["'{“‘`(#\d-]|\/[/*]|\.\.\.|(?:true|false|null|True|False|None)\b|[\w -]*(?:,|\n))/.test(
        head,
      );
}

/** A container and those that follow it at once: one value if they are all alike, else a list. */
function readContainers(text: string, from: number, to: number): LenientReading | undefined {
  const first = parseLeniently(text, from, to);
  if (first === undefined) return undefined;
  const values = [first.value];
  let { changes } = first;
  let end = first.to;
  for (;;) {
    const gap = /^[\s,]*(?=[[{])/.exec(text.slice(end, to));
    if (gap === null) break;
    const next = end + gap[0].length;
    if (!looksLikeContainer(text, next, to)) break;
    const more = parseLeniently(text, next, to);
    if (more === undefined) break;
    values.push(more.value);
    changes = changes.concat(more.changes);
    end = more.to;
  }
  if (values.length === 1) return first;
  const alike = values.every((value) => jsonEqual(value, first.value));
  const note = alike ? 'The same value was there more than once.' : `${values.length} values became a list.`;
  const several: Change = { kind: 'several-values', offset: first.to, note };
  return { value: alike ? first.value : values, changes: changes.concat(several), to: end };
}

function noteProse(text: string, from: number, to: number, changes: Change[]): void {
  const prose = text
    .slice(from, to)
    .replace(/^[ \t\r\n]+/, '')
    .trimEnd();
  if (prose !== '') changes.push({ kind: 'prose', offset: from, note: `Left out: ${excerpt(prose)}.` });
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}
