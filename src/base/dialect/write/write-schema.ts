import type { Node } from '../ir/ir.ts';
import { WriteContext } from './write-context.ts';
import type { WriteOptions, Writers } from './write-context.ts';
import { writeList } from './write-list.ts';
import { writeObject, writeRoot } from './write-object.ts';
import { followed, writeReference } from './write-reference.ts';
import { writeAny, writeEnum, writeNever, writeNumber, writePlain, writeString } from './write-scalar.ts';
import { writeUnion } from './write-union.ts';
import type { Wire, Written } from './written-schema.ts';

const writers: Writers = {
  any: writeAny,
  never: writeNever,
  null: writePlain,
  boolean: writePlain,
  number: writeNumber,
  string: writeString,
  enum: writeEnum,
  list: writeList,
  object: writeObject,
  union: writeUnion,
  reference: writeReference,
};

/** Writes a whole schema in a dialect's words: an object, whatever the node is. */
export function writeSchema(
  whole: Node,
  options: WriteOptions,
): { readonly root: Written; readonly context: WriteContext } {
  const context = new WriteContext(options, writers);
  const node = followed(context, whole);
  const { form } = node;
  const written = form.kind === 'object' ? writeRoot(context, node, form) : context.write(node);
  const { wire, step } = written;
  if (wire['type'] === 'object' && (!step || step.op === 'object')) {
    wire['properties'] ??= {};
    return { root: written, context };
  }
  context.change(
    whole.path,
    'wrap-root',
    'The root is not a plain object, so it is wrapped in one as the member "value".',
  );
  const wrapped: Wire = { type: 'object', properties: { value: wire }, required: ['value'] };
  if (context.features.closed) wrapped['additionalProperties'] = false;
  return {
    root: { wire: wrapped, step: { op: 'wrap', key: 'value', ...(step && { inner: step }) } },
    context,
  };
}
