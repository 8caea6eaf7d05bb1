import { plainNode } from '../ir/ir.ts';
import type { Limit, Node } from '../ir/ir.ts';
import { annotate } from './annotate.ts';
import type { RawMember, RawStep, Wire, Written } from './written-schema.ts';
import type { FormWriter } from './write-node.ts';
import { saysNothing, writeOptional } from './write-union.ts';

/** A list whose items are all alike. */
export function writeList(writer: FormWriter, node: Node, rest: Node | undefined): Written {
  if (rest?.form.kind === 'never') {
    const limits = [...node.limits, { keyword: 'maxItems', value: 0, path: node.path }];
    const wire = { type: 'array', items: { type: 'null' } };
    return { wire: annotate(writer, wire, { ...node, limits }, 'list'), step: undefined };
  }
  if (!rest || saysNothing(rest)) {
    if (writer.features.free === 'decline')
      writer.decline(node.path, 'free-value', 'nothing is said of the items');
    if (writer.features.free === 'keep') {
      const items = rest ? writer.write(rest).wire : {};
      return { wire: annotate(writer, { type: 'array', items }, node, 'list'), step: undefined };
    }
  }
  const items = writer.write(rest ?? plainNode({ kind: 'any' }, node.path));
  const wire = annotate(writer, { type: 'array', items: items.wire }, node, 'list');
  return { wire, step: items.step && { op: 'list', items: items.step } };
}

/** A list whose first places each hold something of their own. */
export function writeTuple(
  writer: FormWriter,
  node: Node,
  first: readonly Node[],
  rest: Node | undefined,
): Written {
  const closed = rest?.form.kind === 'never';
  if (writer.features.tuples) {
    const places = first.map((place) => writer.write(place));
    const wire: Wire = { type: 'array', prefixItems: places.map((place) => place.wire) };
    const other = closed || !rest ? undefined : writer.write(rest);
    if (other) wire['items'] = other.wire;
    if (closed) wire['maxItems'] = first.length;
    const changes = places.some((place) => place.step) || other?.step;
    return {
      wire: annotate(writer, wire, node, 'list'),
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
    writer,
    node,
    first,
    closed ? undefined : (rest ?? plainNode({ kind: 'any' }, node.path)),
  );
}

function tupleAsObject(
  writer: FormWriter,
  node: Node,
  first: readonly Node[],
  rest: Node | undefined,
): Written {
  writer.change(node.path, 'tuple-to-object', 'A tuple stands as an object with one member a place.');
  if (rest && saysNothing(rest) && writer.features.free === 'decline')
    writer.decline(node.path, 'open-tuple', 'nothing is said of the items after the first ones');
  const least = Math.max(
    0,
    ...node.limits.filter((limit) => limit.keyword === 'minItems').map((limit) => Number(limit.value)),
  );
  const letter = writer.features.memberName && !writer.features.memberNameAtRootOnly ? '_' : '';
  const properties: Wire = {};
  const required: string[] = [];
  const places = first.map((place, index): RawMember => {
    const wire = `${letter}${index}`;
    const optional = index >= least;
    const written =
      optional && writer.features.allRequired
        ? writeOptional(writer, place, true)
        : { ...writer.write(place), absent: undefined };
    const { absent } = written;
    properties[wire] = written.wire;
    if (!optional || absent) required.push(wire);
    return { name: String(index), wire, absent, inner: written.step, of: written.wire };
  });
  const wire: Wire = { type: 'object', properties };
  const step: RawStep = { op: 'tuple', places };
  if (rest) {
    const items = writer.write(rest);
    properties['rest'] = { type: 'array', items: items.wire };
    required.push('rest');
    step.rest = { wire: 'rest', ...(items.step ? { items: items.step } : {}) };
  }
  if (required.length > 0 || writer.features.closed) wire['required'] = required;
  if (writer.features.closed) wire['additionalProperties'] = false;
  const counted = node.limits.map((limit): Limit =>
    limit.keyword === 'minItems' && Number(limit.value) <= first.length
      ? { ...limit, said: true }
      : limit.keyword === 'maxItems' && !rest
        ? { ...limit, said: true }
        : limit,
  );
  return { wire: annotate(writer, wire, { ...node, limits: counted }), step };
}
