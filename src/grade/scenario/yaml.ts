import { LineCounter, isCollection, isMap, parseDocument } from 'yaml';
import type { Document } from 'yaml';

import type { JsonValue } from '../../base/json/value.ts';
import { keep, readKept } from './yaml-cache.ts';

/** A place in a file, counted from 1 as editors do. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A fault of a scenario: what is wrong, where, and what to do. */
export interface Fault {
  readonly message: string;
  readonly place: Place;
}

export interface YamlFile {
  readonly value: JsonValue;
  readonly faults: readonly Fault[];
  /** Where the value at this path stands; the nearest one above it where nothing stands there. */
  readonly locate: (path: readonly (string | number)[]) => Place;
}

/**
 * Reads YAML as JSON, remembering where everything stands. The only door to the parser. What a sound text holds is kept
 * in the user's cache by the text's hash: the parser takes milliseconds, and a catalog may have a thousand files.
 */
export function readYaml(text: string, file: string): YamlFile {
  let parsed: Parsed | undefined;
  const parse = () => (parsed ??= parseText(text, file));
  const kept = readKept(text);
  if (kept === undefined && parse().faults.length > 0)
    return { value: null, faults: parse().faults, locate: () => parse().placeOf(0) };
  const value = kept ?? (parse().document.toJS({ maxAliasCount: 100 }) as JsonValue);
  if (kept === undefined) keep(text, value);
  return { value, faults: [], locate: (path) => parse().placeOf(offsetOf(parse().document, path)) };
}

interface Parsed {
  readonly document: Document.Parsed;
  readonly faults: readonly Fault[];
  readonly placeOf: (offset: number) => Place;
}

function parseText(text: string, file: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    merge: false,
    version: '1.2',
  });
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const faults = document.errors.map((error) => ({
    message: sayError(error.message, text, error.pos[0]),
    place: placeOf(error.pos[0]),
  }));
  return { document, faults, placeOf };
}

/** Tabs are the mistake that YAML explains worst. */
function sayError(message: string, text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(start, text.indexOf('\n', offset) < 0 ? undefined : text.indexOf('\n', offset));
  if (/^\s*\t/.test(line) || /tab/i.test(message))
    return 'A tab stands in the indentation; YAML takes spaces only.';
  return message;
}

function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number {
  let node: unknown = document.contents;
  let offset = rangeOf(node) ?? 0;
  for (const step of path) {
    if (!isCollection(node)) break;
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => String((item.key as { value?: unknown })?.value ?? item.key) === String(step),
      );
      if (!pair) break;
      offset = rangeOf(pair.key) ?? offset;
      node = pair.value;
      continue;
    }
    const item: unknown = node.items[Number(step)];
    if (item === undefined) break;
    offset = rangeOf(item) ?? offset;
    node = item;
  }
  return offset;
}

function rangeOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] } | null)?.range?.[0];
}
