import {
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  SCALAR_STYLE_DOUBLE_QUOTED,
  SCALAR_STYLE_SINGLE_QUOTED,
  getScalarValue,
  parseEvents,
} from 'js-yaml';
import type { Event } from 'js-yaml';

import type { SourceFile } from '../diagnostic.ts';
import { locationAt } from '../diagnostic.ts';

/** Goes over the text again, once, when a place is asked for. */
export function yamlPlaces(text: string, file: string): SourceFile['locate'] {
  let events: readonly Event[] | undefined;
  return (path) => {
    events ??= parseEvents(text, {});
    return locationAt(text, file, offsetOf(text, events, path));
  };
}

/** Where a value begins, or the nearest above it that there is: for a member, where its name begins. */
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

export function nameOf(text: string, event: Event | undefined): string | undefined {
  return event?.type === EVENT_SCALAR ? getScalarValue(text, event) : undefined;
}

/** The event that follows a value with all that it holds. */
export function after(events: readonly Event[], at: number): number {
  let depth = 0;
  do {
    const kind = events[at]?.type;
    if (kind === EVENT_MAPPING || kind === EVENT_SEQUENCE) depth++;
    else if (kind === EVENT_POP) depth--;
    at++;
  } while (depth > 0);
  return at;
}

export function startOf(event: Event | undefined): number {
  if (event?.type === EVENT_MAPPING || event?.type === EVENT_SEQUENCE) return event.start;
  if (event?.type !== EVENT_SCALAR) return 0;
  const quoted = event.style === SCALAR_STYLE_SINGLE_QUOTED || event.style === SCALAR_STYLE_DOUBLE_QUOTED;
  return event.valueStart - (quoted ? 1 : 0);
}
