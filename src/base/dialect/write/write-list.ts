import { plainNode } from '../ir/ir.ts';
import type { Limit, Node } from '../ir/ir.ts';
import { annotate } from './annotate.ts';
import type { RawMember, RawStep, Wire, Written } from './written-schema.ts';
import type { WriteContext, Writer } from './write-context.ts';
import { saysNothing, writeOptional } from './write-union.ts';

/** A list: all items alike, or each of the first ones something of its own. */
export const writeList: Writer<'list'> = (context, node, { first, rest }) =>
  first.length > 0 ? writeTuple(context, node, first, rest) : writeItems(context, node, rest);

function writeItems(context: WriteContext, node: Node, rest: Node | undefined): Written {
  if (rest?.form.kind === 'never') {
    const limits = [...node.limits, { keyword: 'maxItems', value: 0, path: node.path }];
    const wire = { type: 'array', items: { type: 'null' } };
    return { wire: annotate(context, wire, { ...node, limits }, 'list'), step: undefined };
  }
  if (!rest || saysNothing(rest)) {
    if (context.features.free === 'decline')
      context.decline(node.path, 'free-value', 'nothing is said of the items');
    if (context.features.free === 'keep') {
      const items = rest ? context.write(rest).wire : {};
      return { wire: annotate(context, { type: 'array', items }, node, 'list'), step: undefined };
    }
  }
  const items = context.write(rest ?? plainNode({ kind: 'any' }, node.path));
  const wire = annotate(context, { type: 'array', items: items.wire }, node, 'list');
  return { wire, step: items.step && { op: 'list', items: items.step } };
}

function writeTuple(
  context: WriteContext,
  node: Node,
  first: readonly Node[],
  rest: Node | undefined,
): Written {
  const closed = rest?.form.kind === 'never';
  if (context.features.tuples) {
    const places = first.map((place) => context.write(place));
    const wire: Wire = { type: 'array', prefixItems: places.map((place) => place.wire) };
    const other = closed || !rest ? undefined : context.write(rest);
    if (other) wire['items'] = other.wire;
    if (closed) wire['maxItems'] = first.length;
    const changes = places.some((place) => place.step) || other?.step;
    return {
      wire: annotate(context, wire, node, 'list'),
      step: changes
        ? {
            op: 'places',
            places: places.map((place) => place.step),
            ...(other?.step ? { rest: other.step } : {}),
          }
        : undefined,
    };
  }
  return tupleAsObject(
    context,
    node,
    first,
    closed ? undefined : (rest ?? plainNode({ kind: 'any' }, node.path)),
  );
}

function tupleAsObject(
  context: WriteContext,
  node: Node,
  first: readonly Node[],
  rest: Node | undefined,
): Written {
  context.change(
    node.path,
    'tuple-to-object',
    'A tuple is written as an object with one member per position.',
  );
  if (rest && saysNothing(rest) && context.features.free === 'decline')
    context.decline(node.path, 'open-tuple', 'nothing is said of the items after the first ones');
  const least = Math.max(
    0,
    ...node.limits.filter((limit) => limit.keyword === 'minItems').map((limit) => Number(limit.value)),
  );
  const letter = context.features.memberName && !context.features.memberNameAtRootOnly ? '_' : '';
  const properties: Wire = {};
  const required: string[] = [];
  const places = first.map((place, index): RawMember => {
    const wire = `${letter}${index}`;
    const optional = index >= least;
    const written =
      optional && context.features.allRequired
        ? writeOptional(context, place, true)
        : { ...context.write(place), absent: undefined };
    const { absent } = written;
    properties[wire] = written.wire;
    if (!optional || absent) required.push(wire);
    return { name: String(index), wire, absent, inner: written.step, of: written.wire };
  });
  const wire: Wire = { type: 'object', properties };
  const step: RawStep = { op: 'tuple', places };
  if (rest) {
    const items = context.write(rest);
    properties['rest'] = { type: 'array', items: items.wire };
    required.push('rest');
    step.rest = { wire: 'rest', ...(items.step ? { items: items.step } : {}) };
  }
  if (required.length > 0 || context.features.closed) wire['required'] = required;
  if (context.features.closed) wire['additionalProperties'] = false;
  const counted = node.limits.map((limit): Limit =>
    limit.keyword === 'minItems' && Number(limit.value) <= first.length
      ? { ...limit, said: true }
      : limit.keyword === 'maxItems' && !rest
        ? { ...limit, said: true }
        : limit,
  );
  return { wire: annotate(context, wire, { ...node, limits: counted }), step };
}
