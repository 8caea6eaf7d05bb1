import { noNotes } from '../ir/ir.ts';
import type { Node, Notes } from '../ir/ir.ts';
import type { Wire } from './written-schema.ts';
import type { WriteContext } from './write-context.ts';
import { keepLimits } from './write-limits.ts';

/** The wire with what the node says apart from its structure: limits that are kept, and a description of the rest. */
export function annotate(
  context: WriteContext,
  wire: Wire,
  node: Node,
  kind?: 'number' | 'string' | 'list' | 'object',
  lead?: string,
): Wire {
  const { notes, limits } = node;
  if (limits.length === 0 && lead === undefined && isEmpty(notes)) return wire;
  if (wire['$ref'] !== undefined) {
    // Nothing may be said next to a reference.
    const said = annotate(context, {}, node, kind, lead);
    return isEmpty(said) ? wire : { anyOf: [wire], ...said };
  }
  const texts = limits.length === 0 ? [] : keepLimits(wire, node, kind, context.features, context.dropped);
  if (notes !== noNotes) addNotes(texts, notes);
  const own = notes['description'] ?? wire['description'];
  let description = typeof own === 'string' ? own : '';
  if (lead !== undefined) description = follow(description, lead, own);
  if (texts.length > 0) description = follow(description, `(${texts.join('; ')})`, own);
  const title =
    notes['title'] !== undefined && context.features.notes.includes('title') ? notes['title'] : undefined;
  if (title === undefined && description === '') return wire;
  if (Array.isArray(wire['anyOf']) && !context.features.besideAnyOf) {
    const [first] = wire['anyOf'] as Wire[];
    if (first && description !== '')
      first['description'] =
        first['description'] === undefined ? description : `${description} ${String(first['description'])}`;
    return wire;
  }
  // They come last, in this order.
  const named = title ?? wire['title'];
  if (wire['title'] !== undefined) delete wire['title'];
  if (wire['description'] !== undefined) delete wire['description'];
  if (named !== undefined) wire['title'] = named;
  if (description !== '') wire['description'] = description;
  return wire;
}

function addNotes(texts: string[], { default: value, examples, deprecated }: Notes): void {
  if (value !== undefined && value !== null) texts.unshift(`default: ${JSON.stringify(value)}`);
  if (examples !== undefined) texts.push(`examples: ${JSON.stringify(examples)}`);
  if (deprecated === true) texts.push('deprecated');
}

/** What was said before, and another text, unless the schema's own words say it. */
function follow(before: string, text: string, own: unknown): string {
  if (typeof own === 'string' && own.includes(text)) return before;
  return before === '' ? text : `${before} ${text}`;
}

function isEmpty(notes: object): boolean {
  for (const _ in notes) return false;
  return true;
}
