import type { Node } from './form.ts';
import type { Wire } from './wire.ts';
import type { FormWriter } from './write-form.ts';
import { keepLimits } from './write-limits.ts';

/** The wire with what the node says beside its structure: limits that are kept, and a description of the rest. */
export function noted(
  writer: FormWriter,
  wire: Wire,
  node: Node,
  kind?: 'number' | 'string' | 'list' | 'object',
  lead?: string,
): Wire {
  const { notes } = node;
  if (node.limits.length === 0 && lead === undefined && isEmpty(notes)) return wire;
  const texts = keepLimits(wire, node, kind, writer.features, writer.dropped);
  const described: string[] = [];
  if (lead !== undefined) described.push(lead);
  if (notes['default'] !== undefined && notes['default'] !== null)
    texts.unshift(`default: ${JSON.stringify(notes['default'])}`);
  if (notes['examples'] !== undefined) texts.push(`examples: ${JSON.stringify(notes['examples'])}`);
  if (notes['deprecated'] === true) texts.push('deprecated');
  if (texts.length > 0) described.push(`(${texts.join('; ')})`);
  const own = notes['description'] ?? wire['description'];
  const description = [
    ...(typeof own === 'string' && own !== '' ? [own] : []),
    ...described.filter((text) => !String(own).includes(text)),
  ].join(' ');
  const title = writer.features.notes.includes('title') ? notes['title'] : undefined;
  if (title === undefined && description === '') return wire;
  if (Array.isArray(wire['anyOf']) && !writer.features.besideAnyOf) {
    const [first] = wire['anyOf'] as Wire[];
    if (first && description !== '')
      first['description'] =
        first['description'] === undefined ? description : `${description} ${String(first['description'])}`;
    return wire;
  }
  const { title: inner, description: _, ...rest } = wire;
  const named = title ?? inner;
  return {
    ...rest,
    ...(named === undefined ? {} : { title: named }),
    ...(description === '' ? {} : { description }),
  };
}

function isEmpty(notes: object): boolean {
  for (const _ in notes) return false;
  return true;
}
