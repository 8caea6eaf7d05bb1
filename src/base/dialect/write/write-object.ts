import { setMember } from '../../json/member.ts';
import { sha256 } from '../../json/sha256.ts';
import type { Limit, Member, Node, ObjectForm } from '../ir/ir.ts';
import { annotate } from './annotate.ts';
import { escapeKey } from '../../schema/subschemas.ts';
import type { RawMember, RawStep, Wire, Written } from './written-schema.ts';
import type { WriteContext, Writer } from './write-context.ts';
import { mustBeOptional } from './write-reference.ts';
import { writeFree } from './write-scalar.ts';
import { saysNothing, writeOptional } from './write-union.ts';

type MemberEntry = readonly [name: string, member: Member];

/** An object with members, a record, or both. */
export const writeObject: Writer<'object'> = (context, node, form) => write(context, node, form, false);

/** The object at the root: providers take nothing else there. */
export const writeRoot: Writer<'object'> = (context, node, form) => write(context, node, form, true);

function write(context: WriteContext, node: Node, form: ObjectForm, isRoot: boolean): Written {
  const members: MemberEntry[] = [];
  for (const entry of form.members)
    if (entry[1].required || entry[1].node.form.kind !== 'never') members.push(entry);
  const rest = restOf(context, form, members.length, isRoot);
  if (members.length === 0 && rest === 'free' && !(context.features.records && isRoot))
    return writeFree(context, node, 'free-object', 'nothing is said of the members of this object');
  if (members.length === 0 && typeof rest === 'object' && !context.features.records)
    return writePairs(context, node, form, rest);
  return writeMembers(context, node, members, rest, form, isRoot);
}

/** What other members there may be: none, any, or values of a node. */
function restOf(
  context: WriteContext,
  form: ObjectForm,
  members: number,
  isRoot: boolean,
): 'closed' | 'free' | Node {
  // A tool whose arguments are `{type: "object"}` and no more has none.
  if (form.rest === undefined)
    return members > 0 ||
      (isRoot && (form.listed || (context.features.free === 'text' && !context.features.closed)))
      ? 'closed'
      : 'free';
  if (form.rest.form.kind === 'never') return 'closed';
  return saysNothing(form.rest) ? 'free' : form.rest;
}

function writeMembers(
  context: WriteContext,
  node: Node,
  members: readonly MemberEntry[],
  rest: 'closed' | 'free' | Node,
  form: ObjectForm,
  isRoot: boolean,
): Written {
  const properties: Wire = {};
  const required: string[] = [];
  const steps: RawMember[] = [];
  let names: Set<string> | undefined;
  const taken = (): Set<string> => (names ??= new Set(members.map(([name]) => name)));
  for (const [name, member] of members) {
    const wire = takesName(context, name, isRoot) ? name : rename(context, name, taken(), node.path);
    const optional = !member.required || mustBeOptional(context, member.node, name, node.path);
    const nullToo = optional && context.takeNull();
    const written: Written & { readonly absent?: RawMember['absent'] } = nullToo
      ? writeOptional(context, member.node, false)
      : context.write(member.node);
    const { absent } = written;
    setMember<unknown>(properties, wire, written.wire);
    if (absent)
      context.change(
        `${node.path}/properties/${escapeKey(name)}`,
        absent,
        'Optional: null means that it is absent.',
      );
    if (!optional || absent) required.push(wire);
    steps.push({ name, wire, absent, inner: written.step, of: written.wire });
  }
  const wire: Wire = { type: 'object', properties, required };
  const step: RawStep = { op: 'object', members: steps };
  let limit: Limit | undefined;
  if (form.rest !== undefined) limit = sayRest(context, node, form, rest, wire, step, required, taken);
  else if (context.features.closed) wire['additionalProperties'] = false;
  else if (rest === 'free' && context.features.records) wire['additionalProperties'] = true;
  if (required.length === 0 && !context.features.closed) delete wire['required'];
  if (
    members.length === 0 &&
    rest === 'closed' &&
    !isRoot &&
    !context.features.records &&
    !context.features.closed
  )
    wire['maxProperties'] = '0';
  const said = limit ? { ...node, limits: [...node.limits, limit] } : node;
  return { wire: annotate(context, wire, said, 'object'), step };
}

/** Says what other members there may be; gives the limit that is left to say. */
function sayRest(
  context: WriteContext,
  node: Node,
  form: ObjectForm,
  rest: 'closed' | 'free' | Node,
  wire: Wire,
  step: Extract<RawStep, { op: 'object' }>,
  required: string[],
  taken: () => ReadonlySet<string>,
): Limit | undefined {
  const features = context.features;
  if (rest === 'closed') {
    if (!features.records && !features.closed)
      return { keyword: 'additionalProperties', value: false, path: node.path, said: true };
    wire['additionalProperties'] = false;
    return undefined;
  }
  if (features.records) {
    const other = rest === 'free' ? undefined : context.write(rest);
    wire['additionalProperties'] = other ? other.wire : true;
    if (other?.step) step.others = other.step;
    return undefined;
  }
  if (features.closed) wire['additionalProperties'] = false;
  if (rest === 'free' && features.free === 'decline') {
    context.decline(
      node.path,
      'open-object',
      'other members of any kind may be added to those that are listed',
    );
    return undefined;
  }
  let name = 'others';
  while (taken().has(name) || step.members.some((member) => member.wire === name)) name += '_';
  const pairs = pairList(context, rest === 'free' ? (form.rest as Node) : rest, form);
  setMember<unknown>(wire['properties'] as Wire, name, {
    ...pairs.wire,
    description: 'Further members, as pairs.',
  });
  if (features.allRequired) required.push(name);
  step.pairs = { wire: name, ...(pairs.step ? { value: pairs.step } : {}) };
  context.change(
    node.path,
    'record-to-pairs',
    `Further members are written as pairs of key and value in "${name}".`,
  );
  return { keyword: 'additionalProperties', value: 'pairs', path: node.path, said: true };
}

function writePairs(context: WriteContext, node: Node, form: ObjectForm, value: Node): Written {
  context.change(node.path, 'record-to-pairs', 'A record is written as a list of pairs of key and value.');
  const pairs = pairList(context, value, form);
  const limits = node.limits.map((limit): Limit =>
    limit.keyword === 'minProperties'
      ? { ...limit, keyword: 'minItems' }
      : limit.keyword === 'maxProperties'
        ? { ...limit, keyword: 'maxItems' }
        : limit,
  );
  for (const limit of node.limits)
    if (/^(min|max)Properties$/.test(limit.keyword)) limits.push({ ...limit, said: true });
  limits.push({ keyword: 'additionalProperties', value: 'pairs', path: node.path, said: true });
  const wire = annotate(
    context,
    pairs.wire,
    { ...node, limits },
    'list',
    'Pairs of key and value, each key once.',
  );
  return { wire, step: { op: 'pairs', ...(pairs.step ? { value: pairs.step } : {}) } };
}

function pairList(context: WriteContext, value: Node, form: ObjectForm): Written {
  const name = form.names && context.write(form.names);
  const key = name && !name.step && name.wire['type'] === 'string' ? name.wire : { type: 'string' };
  const written = context.write(value);
  const pair: Wire = {
    type: 'object',
    properties: { key, value: written.wire },
    required: ['key', 'value'],
  };
  if (context.features.closed) pair['additionalProperties'] = false;
  return { wire: { type: 'array', items: pair }, step: written.step };
}

function takesName({ features }: WriteContext, name: string, isRoot: boolean): boolean {
  const rule = features.memberName;
  return !rule || (features.memberNameAtRootOnly && !isRoot) || rule.test(name);
}

function rename(context: WriteContext, name: string, taken: Set<string>, path: string): string {
  const clean = name
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replace(/^(?![A-Za-z_])/, '_')
    .slice(0, 48);
  for (let round = 0; ; round++) {
    const wire = `${clean}_${sha256(round === 0 ? name : `${name}#${round}`).slice(0, 8)}`;
    if (taken.has(wire)) continue;
    taken.add(wire);
    context.change(
      `${path}/properties/${escapeKey(name)}`,
      'rename',
      `The provider does not take the name "${name}"; the member is called "${wire}".`,
    );
    return wire;
  }
}
