import { plainNode } from '../ir/ir.ts';
import type { Definition, Form, Node } from '../ir/ir.ts';
import { annotate } from './annotate.ts';
import { absentMarker } from '../plan.ts';
import type { JsonValue } from '../../json/value.ts';
import type { RawChoice, RawMember, Wire, Written } from './written-schema.ts';
import type { WriteContext, Writer } from './write-context.ts';

/** A choice. Null and what can be listed as plain types need no `anyOf`. */
export const writeUnion: Writer<'union'> = (context, node, { branches }) => {
  const alive = flatten(branches).filter(({ form }) => form.kind !== 'never');
  if (alive.length === 0 && branches.length > 0) return context.write(branches[0] as Node);
  const flat = alive.flatMap((branch) => withoutNull(context, branch));
  if (flat.some(saysNothing)) return context.write({ ...node, form: { kind: 'any' } });
  const others = flat.filter((branch) => branch.form.kind !== 'null');
  const all = others.flatMap((branch) => siblings(context, context.write(branch)));
  const written = all.filter(({ wire }) => context.features.besideAnyOf || wire['type'] !== 'null');
  const withNull = others.length < flat.length || written.length < all.length;
  if (written.length === 0) return { wire: annotate(context, { type: 'null' }, node), step: undefined };
  const [only] = written;
  if (written.length === 1 && only) {
    const wire =
      withNull && !acceptsNull(only.wire, others[0] as Node) ? nullable(context, only.wire) : only.wire;
    return { wire: annotate(context, wire, node), step: only.step };
  }
  if (
    context.features.typeLists &&
    written.every((one) => typeof one.wire['type'] === 'string' && Object.keys(one.wire).length === 1)
  ) {
    const types = [
      ...new Set(written.map((one) => one.wire['type'] as string)),
      ...(withNull ? ['null'] : []),
    ];
    return {
      wire: annotate(context, { type: types.length === 1 ? types[0] : types }, node),
      step: undefined,
    };
  }
  const list = written.map((one) => one.wire);
  if (withNull && !list.some((wire, index) => acceptsNull(wire, others[index] ?? node)))
    list.push({ type: 'null' });
  const choices = list.map((wire, index): RawChoice => ({ wire, step: written[index]?.step }));
  return { wire: annotate(context, { anyOf: list }, node), step: { op: 'union', choices, list } };
};

/** The branches of a choice inside a choice, if nothing is said next to them: its description is that of the first. */
function siblings(context: WriteContext, written: Written): readonly Written[] {
  const { wire, step } = written;
  if (context.features.besideAnyOf || wire['anyOf'] === undefined || step?.op !== 'union') return [written];
  return step.choices;
}

/** Where an enum cannot list null, null is a branch of its own. */
function withoutNull(context: WriteContext, branch: Node): readonly Node[] {
  const { form } = branch;
  if (form.kind !== 'enum' || context.features.enums === 'scalars' || !form.values.includes(null))
    return [branch];
  const values = form.values.filter((value) => value !== null);
  return [{ ...branch, form: { kind: 'enum', values } }, plainNode({ kind: 'null' }, branch.path)];
}

/** A member that need not be there, where every member is required. */
export function writeOptional(
  context: WriteContext,
  node: Node,
  exact: boolean,
): Written & { readonly absent: RawMember['absent'] } {
  const { wire, step } = context.write(node);
  const absent = howAbsent(context, wire, node, exact);
  if (absent === 'ambiguous-null') return { wire, step, absent };
  if (absent === 'null') return { wire: nullable(context, wire), step, absent };
  const marker = plainNode({ kind: 'enum', values: [absentMarker] }, node.path);
  const branches = [{ ...node, notes: {} }, marker];
  const form: Form = { kind: 'union', branches };
  const union = writeUnion(context, { ...plainNode(form, node.path), notes: node.notes }, form);
  return { ...union, absent };
}

function howAbsent(
  context: WriteContext,
  wire: Wire,
  node: Node,
  exact: boolean,
): 'null' | 'ambiguous-null' | 'marker' {
  if (!acceptsNull(wire, node)) return 'null';
  return exact || context.marker ? 'marker' : 'ambiguous-null';
}

function acceptsNull(wire: Wire, node: Node): boolean {
  if (wire['$ref'] !== undefined) return formAcceptsNull(node, new Set());
  if (Array.isArray(wire['anyOf']))
    return (wire['anyOf'] as Wire[]).some((branch) => acceptsNull(branch, node));
  if (wire['nullable'] === true) return true;
  const type = wire['type'];
  return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'));
}

/** The wire schema, which takes null too now; a new one where it must become part of a choice. */
export function nullable(context: WriteContext, wire: Wire): Wire {
  const { type } = wire;
  if (Array.isArray(wire['anyOf'])) {
    (wire['anyOf'] as Wire[]).push({ type: 'null' });
    return wire;
  }
  if (type === undefined) return orNull(wire);
  if (context.features.nullable === 'flag') {
    const { title, description } = wire;
    delete wire['title'];
    delete wire['description'];
    wire['nullable'] = true;
    if (title !== undefined) wire['title'] = title;
    if (description !== undefined) wire['description'] = description;
    return wire;
  }
  if (Array.isArray(wire['enum'])) {
    if (context.features.enums !== 'scalars') return orNull(wire);
    wire['enum'] = [...(wire['enum'] as JsonValue[]), null];
  }
  wire['type'] = Array.isArray(type) ? [...(type as string[]), 'null'] : [type, 'null'];
  return wire;
}

/** A node that any value fits: also a choice with such a branch. */
export function saysNothing({ form }: Node): boolean {
  return form.kind === 'any' || (form.kind === 'union' && form.branches.some(saysNothing));
}

function orNull(wire: Wire): Wire {
  const { description, title, ...rest } = wire;
  return {
    anyOf: [rest, { type: 'null' }],
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Branches that are unions themselves, with nothing of their own to say, become siblings. */
function flatten(branches: readonly Node[]): readonly Node[] {
  return branches.flatMap((branch) =>
    branch.form.kind === 'union' &&
    Object.keys(branch.notes).length === 0 &&
    branch.limits.every((limit) => limit.said)
      ? flatten(branch.form.branches)
      : [branch],
  );
}

function formAcceptsNull(node: Node, seen: Set<Definition>): boolean {
  const { form } = node;
  if (form.kind === 'any' || form.kind === 'null') return true;
  if (form.kind === 'enum') return form.values.includes(null);
  if (form.kind === 'union') return form.branches.some((branch) => formAcceptsNull(branch, seen));
  if (form.kind !== 'reference' || seen.has(form.to)) return false;
  seen.add(form.to);
  return formAcceptsNull(form.to.read(), seen);
}
