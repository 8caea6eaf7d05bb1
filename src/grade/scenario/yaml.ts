// The only door to the parser.
import {
  CORE_SCHEMA,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  NOT_RESOLVED,
  SCALAR_STYLE_DOUBLE_QUOTED,
  SCALAR_STYLE_SINGLE_QUOTED,
  YAMLException,
  defineScalarTag,
  floatCoreTag,
  getScalarValue,
  load,
  parseEvents,
} from 'js-yaml';
import type { Event } from 'js-yaml';

import type { JsonValue } from '../../base/json/value.ts';
import type { Place, SourceFile } from './place.ts';
import { readPlainYaml } from './plain-yaml.ts';

/** Values are JSON: `.inf` and `.nan` are words like any other. */
const schema = CORE_SCHEMA.withTags(
  defineScalarTag(floatCoreTag.tagName, {
    ...floatCoreTag,
    resolve: (source, isExplicit, tagName) => {
      const value = floatCoreTag.resolve(source, isExplicit, tagName);
      return typeof value === 'number' && Number.isFinite(value) ? value : NOT_RESOLVED;
    },
  }),
);

/** Aliases are repeated, not shared, wherever a value is copied: a few of them, and no file grows beyond measure. */
const maxAliases = 30;

/** Reads YAML as JSON. Its value comes from our own reader where that knows the text, and else from the library. */
export function readYaml(text: string, file: string): SourceFile {
  const plain = readPlainYaml(text);
  return plain ? { value: plain.value, faults: [], locate: locator(text, file) } : readAnyYaml(text, file);
}

/** Reads whatever is YAML, or says what is wrong with it. */
export function readAnyYaml(text: string, file: string): SourceFile {
  try {
    const value = text.trim() === '' ? null : (load(text, { schema, maxAliases }) as JsonValue);
    return { value, faults: [], locate: locator(text, file) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const place = placeAt(text, file, error.mark?.position ?? 0);
    return { value: null, faults: [{ message: sayReason(error.reason), place }], locate: () => place };
  }
}

/** Goes over the text again, once, when a place is asked for. */
function locator(text: string, file: string): SourceFile['locate'] {
  let events: readonly Event[] | undefined;
  return (path) => {
    events ??= text.trim() === '' ? [] : parseEvents(text, {});
    return placeAt(text, file, offsetOf(text, events, path));
  };
}

/** Tabs are the mistake that YAML explains worst. */
function sayReason(reason: string): string {
  if (/tab/i.test(reason)) return 'A tab stands in the indentation; YAML takes spaces only. Replace it.';
  return `This is no YAML: ${reason}. Look at the indentation, the brackets and the quotes here and in the line above.`;
}

function placeAt(text: string, file: string, offset: number): Place {
  const before = text.slice(0, Math.max(0, offset));
  const lineStart = before.lastIndexOf('\n') + 1;
  return { file, line: before.split('\n').length, column: before.length - lineStart + 1 };
}

/** Where a value begins, or the nearest above it that there is: of a member, where its name stands. */
function offsetOf(text: string, events: readonly Event[], path: readonly (string | number)[]): number {
  let at = 1; // The first event opens the document.
  let offset = startOf(events[at]);
  for (const step of path) {
    const found = childOf(text, events, { at, step });
    if (!found) break;
    offset = startOf(events[found.named]);
    at = found.value;
  }
  return offset;
}

function childOf(
  text: string,
  events: readonly Event[],
  wanted: { readonly at: number; readonly step: string | number },
): { readonly named: number; readonly value: number } | undefined {
  const kind = events[wanted.at]?.type;
  if (kind !== EVENT_MAPPING && kind !== EVENT_SEQUENCE) return undefined;
  let index = 0;
  for (let named = wanted.at + 1; events[named]?.type !== EVENT_POP; index++) {
    const value = kind === EVENT_MAPPING ? after(events, named) : named;
    if (String(wanted.step) === (kind === EVENT_MAPPING ? nameOf(text, events[named]) : String(index)))
      return { named, value };
    named = after(events, value);
  }
  return undefined;
}

function nameOf(text: string, event: Event | undefined): string | undefined {
  return event?.type === EVENT_SCALAR ? getScalarValue(text, event) : undefined;
}

/** The event that follows a value with all that it holds. */
function after(events: readonly Event[], at: number): number {
  let depth = 0;
  do {
    const kind = events[at]?.type;
    if (kind === EVENT_MAPPING || kind === EVENT_SEQUENCE) depth++;
    else if (kind === EVENT_POP) depth--;
    at++;
  } while (depth > 0);
  return at;
}

function startOf(event: Event | undefined): number {
  if (event?.type === EVENT_MAPPING || event?.type === EVENT_SEQUENCE) return event.start;
  if (event?.type !== EVENT_SCALAR) return 0;
  const quoted = event.style === SCALAR_STYLE_SINGLE_QUOTED || event.style === SCALAR_STYLE_DOUBLE_QUOTED;
  return event.valueStart - (quoted ? 1 : 0);
}
