import {
  COLLECTION_STYLE_FLOW,
  EVENT_ALIAS,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  SCALAR_STYLE_PLAIN,
} from 'js-yaml';
import type { Event } from 'js-yaml';

import type { YamlFault } from './yaml-faults.ts';
import { after, nameOf, startOf } from './yaml-locations.ts';

/** What is YAML, and surely not what its author means. */
export function yamlTraps(text: string, events: readonly Event[]): readonly YamlFault[] {
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
            message: `"${nameOf(text, events[key]) ?? ''}" has no value. Where a comma belongs to a text, the text needs quotes; nothing is written null.`,
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
