import type { JsonValue } from '../../json/value.ts';
import type { Limit, Node } from '../ir/ir.ts';
import { annotate } from './annotate.ts';
import type { WriteContext, Writer } from './write-context.ts';
import { castEnum, enumTypes } from './write-enum.ts';
import { nullable } from './write-union.ts';
import type { Written } from './written-schema.ts';

export const writeAny: Writer<'any'> = (context, node) =>
  writeFree(context, node, 'free-value', 'nothing is said of this value');

/** A value of which nothing is said, or an object of whose members nothing is. */
export function writeFree(context: WriteContext, node: Node, reason: string, text: string): Written {
  switch (context.features.free) {
    case 'keep': {
      const wire = reason === 'free-value' ? {} : { type: 'object', additionalProperties: true };
      return { wire: annotate(context, wire, node, 'object'), step: undefined };
    }
    case 'text':
      context.change(node.path, 'json-text', 'It may be any value, so it is written as JSON text.');
      return {
        wire: annotate(context, { type: 'string' }, node, undefined, 'Any value, as JSON text.'),
        step: { op: 'text' },
      };
    default:
      context.decline(node.path, reason, text);
      return { wire: { type: 'string' }, step: undefined };
  }
}

export const writeNever: Writer<'never'> = (context, { path }) => {
  if (context.features.free !== 'decline')
    throw context.refused(path, 'nothing-fits', `this schema: no value fits at ${path || 'the root'}`);
  context.decline(path, 'nothing-fits', 'no value fits here');
  return { wire: { type: 'null' }, step: undefined };
};

/** Null, and true or false. */
export function writePlain(
  context: WriteContext,
  node: Node,
  { kind }: { readonly kind: 'null' | 'boolean' },
): Written {
  return { wire: annotate(context, { type: kind }, node), step: undefined };
}

export const writeNumber: Writer<'number'> = (context, node, { integer }) => ({
  wire: annotate(context, { type: integer ? 'integer' : 'number' }, node, 'number'),
  step: undefined,
});

export const writeString: Writer<'string'> = (context, node) => ({
  wire: annotate(context, { type: 'string' }, node, 'string'),
  step: undefined,
});

export const writeEnum: Writer<'enum'> = (context, node, { values }) => {
  const { path, limits } = node;
  const cast = castEnum(values, context.features.enums);
  if (cast.labels)
    context.change(
      path,
      'enum-cast',
      'Not all values can be listed as they are; labels are listed in their place.',
    );
  const weakened: Limit = { keyword: 'enum', value: values as JsonValue, path };
  const named = cast.weakened ? { ...node, limits: [...limits, weakened] } : node;
  const wire = annotate(context, enumTypes(cast.values, context.features, cast.weakened), named);
  return {
    wire: cast.nullToo ? nullable(context, wire) : wire,
    step: cast.labels && { op: 'enum', values: cast.originals, labels: cast.labels },
  };
};
