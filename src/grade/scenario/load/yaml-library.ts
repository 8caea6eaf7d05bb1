// The only door to the parser. `yaml.ts` loads it when there is something that our own reader leaves to it.
import {
  CORE_SCHEMA,
  COLLECTION_STYLE_FLOW,
  EVENT_ALIAS,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  NOT_RESOLVED,
  SCALAR_STYLE_DOUBLE_QUOTED,
  SCALAR_STYLE_PLAIN,
  SCALAR_STYLE_SINGLE_QUOTED,
  YAMLException,
  defineScalarTag,
  floatCoreTag,
  getScalarValue,
  load,
  parseEvents,
} from 'js-yaml';
import type { Event } from 'js-yaml';

import type { JsonValue } from '../../../base/json/value.ts';
import { placeAt } from '../place.ts';
import type { Fault, SourceFile } from '../place.ts';
import { explainYaml } from './yaml-faults.ts';
import type { YamlFault } from './yaml-faults.ts';
import { maxAliases } from './yaml-words.ts';

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

/** Reads whatever is YAML, or says what is wrong with it. */
export function readAnyYaml(text: string, file: string): SourceFile {
  try {
    const value = load(text, { schema, maxAliases }) as JsonValue;
    const locate = locator(text, file);
    const circle = circleIn(value);
    if (circle)
      return refused([
        { message: 'This contains itself. Write it out, without the *.', place: locate(circle) },
      ]);
    const traps = trapsIn(text, parseEvents(text, {}));
    if (traps.length > 0)
      return refused(traps.map(({ message, at }) => ({ message, place: placeAt(text, file, at) })));
    return { value, faults: [], text, locate };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { message, at } = explainYaml(text, error.reason, error.mark?.position ?? 0);
    return refused([{ message, place: placeAt(text, file, at) }]);
  }
}

function refused(faults: readonly Fault[]): SourceFile {
  const { place } = faults[0]!;
  return { value: null, faults, locate: () => place };
}

/** What is YAML, and surely not what its author means. */
function trapsIn(text: string, events: readonly Event[]): readonly YamlFault[] {
  const traps: YamlFault[] = [];
  const used = new Set(
    events.flatMap((event) =>
      event.type === EVENT_ALIAS ? [text.slice(event.anchorStart, event.anchorEnd)] : [],
    ),
  );
  events.forEach((event, index) => {
    if ('anchorStart' in event && event.type !== EVENT_ALIAS && event.anchorStart >= 0) {
      const name = text.slice(event.anchorStart, event.anchorEnd);
      if (!used.has(name))
        traps.push({
          message: `"&${name}" names what follows, and no *${name} asks for it. Put a text that begins with & in quotes.`,
          at: event.anchorStart - 1,
        });
    }
    if (event.type === EVENT_MAPPING && event.style === COLLECTION_STYLE_FLOW)
      for (const key of keysOf(events, index)) {
        const value = events[after(events, key)];
        if (
          value?.type === EVENT_SCALAR &&
          value.valueStart < 0 &&
          value.tagStart < 0 &&
          value.anchorStart < 0
        )
          traps.push({
            message: `"${nameOf(text, events[key]) ?? ''}" has no value. Where a comma belongs to a text, the text stands in quotes; nothing is written null.`,
            at: startOf(events[key]),
          });
      }
    if (event.type === EVENT_SCALAR && event.style === SCALAR_STYLE_PLAIN && event.valueStart >= 0) {
      const cut = /^ +#\d/.exec(text.slice(event.valueEnd, event.valueEnd + 40));
      if (cut)
        traps.push({
          message: 'The text ends before this #, which begins a comment. Put the text in quotes.',
          at: event.valueEnd + cut[0].length - 2,
        });
    }
  });
  return traps;
}

function keysOf(events: readonly Event[], mapping: number): readonly number[] {
  const keys: number[] = [];
  for (let key = mapping + 1; events[key]?.type !== EVENT_POP; key = after(events, after(events, key)))
    keys.push(key);
  return keys;
}

/** The path to a value that stands within itself: an alias can do that. */
function circleIn(
  value: JsonValue,
  path: readonly (string | number)[] = [],
  above: ReadonlySet<JsonValue> = new Set(),
): readonly (string | number)[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.has(value)) return path;
  const inside = new Set(above).add(value);
  for (const [key, member] of Object.entries(value)) {
    const found = circleIn(member as JsonValue, [...path, key], inside);
    if (found) return found;
  }
  return undefined;
}

/** Goes over the text again, once, when a place is asked for. */
export function locator(text: string, file: string): SourceFile['locate'] {
  let events: readonly Event[] | undefined;
  return (path) => {
    events ??= parseEvents(text, {});
    return placeAt(text, file, offsetOf(text, events, path));
  };
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
