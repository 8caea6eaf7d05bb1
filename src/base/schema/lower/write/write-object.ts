import { setMember } from '../../../json/member.ts';
import { sha256 } from '../../../json/sha256.ts';
import type { Limit, Member, Node, ObjectForm } from '../ir/ir.ts';
import { annotate } from './annotate.ts';
import { escapeKey } from '../../subschemas.ts';
import type { RawMember, RawStep, Wire, Written } from './written-schema.ts';
import type { FormWriter } from './write-node.ts';
import { saysNothing, writeOptional } from './write-union.ts';

type MemberEntry = readonly [name: string, member: Member];

/** An object with members, a record, or both. */
export function writeObject(writer: FormWriter, node: Node, form: ObjectForm, isRoot: boolean): Written {
  const members: MemberEntry[] = [];
  for (const entry of form.members)
    if (entry[1].required || entry[1].node.form.kind !== 'never') members.push(entry);
  const rest = restOf(writer, form, members.length, isRoot);
  if (members.length === 0 && rest === 'free' && !(writer.features.records && isRoot))
    return writer.free(node, 'free-object', 'nothing is said of the members of this object');
  if (members.length === 0 && typeof rest === 'object' && !writer.features.records)
    return writePairs(writer, node, form, rest);
  return writeMembers(writer, node, members, rest, form, isRoot);
}

/** What may stand beside the members: nothing, anything, or values of a node. */
function restOf(
  writer: FormWriter,
  form: ObjectForm,
  members: number,
  isRoot: boolean,
): 'closed' | 'free' | Node {
  // A tool whose arguments are `{type: "object"}` and no more has none.
  if (form.rest === undefined)
    return members > 0 ||
      (isRoot && (form.listed || (writer.features.free === 'text' && !writer.features.closed)))
      ? 'closed'
      : 'free';
  if (form.rest.form.kind === 'never') return 'closed';
  return saysNothing(form.rest) ? 'free' : form.rest;
}

function writeMembers(
  writer: FormWriter,
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
    const wire = takesName(writer, name, isRoot) ? name : rename(writer, name, taken(), node.path);
    const optional = !member.required || writer.mustBeOptional(member.node, name, node.path);
    const nullToo = optional && writer.takeNull();
    const written: Written & { readonly absent?: RawMember['absent'] } = nullToo
      ? writeOptional(writer, member.node, false)
      : writer.write(member.node);
    const { absent } = written;
    setMember<unknown>(properties, wire, written.wire);
    if (absent)
      writer.change(
        `${node.path}/properties/${escapeKey(name)}`,
        absent,
        'Optional: null says that it is not there.',
      );
    if (!optional || absent) required.push(wire);
    steps.push({ name, wire, absent, inner: written.step, of: written.wire });
  }
  const wire: Wire = { type: 'object', properties, required };
  const step: RawStep = { op: 'object', members: steps };
  let limit: Limit | undefined;
  if (form.rest !== undefined) limit = sayRest(writer, node, form, rest, wire, step, required, taken);
  else if (writer.features.closed) wire['additionalProperties'] = false;
  else if (rest === 'free' && writer.features.records) wire['additionalProperties'] = true;
  if (required.length === 0 && !writer.features.closed) delete wire['required'];
  if (
    members.length === 0 &&
    rest === 'closed' &&
    !isRoot &&
    !writer.features.records &&
    !writer.features.closed
  )
    wire['maxProperties'] = '0';
  const said = limit ? { ...node, limits: [...node.limits, limit] } : node;
  return { wire: annotate(writer, wire, said, 'object'), step };
}

/** Says what may stand beside the members; gives the limit that is left to say. */
function sayRest(
  writer: FormWriter,
  node: Node,
  form: ObjectForm,
  rest: 'closed' | 'free' | Node,
  wire: Wire,
  step: Extract<RawStep, { op: 'object' }>,
  required: string[],
  taken: () => ReadonlySet<string>,
): Limit | undefined {
  const features = writer.features;
  if (rest === 'closed') {
    if (!features.records && !features.closed)
      return { keyword: 'additionalProperties', value: false, path: node.path, said: true };
    wire['additionalProperties'] = false;
    return undefined;
  }
  if (features.records) {
    const other = rest === 'free' ? undefined : writer.write(rest);
    wire['additionalProperties'] = other ? other.wire : true;
    if (other?.step) step.others = other.step;
    return undefined;
  }
  if (features.closed) wire['additionalProperties'] = false;
  if (rest === 'free' && features.free === 'decline') {
    writer.decline(
      node.path,
      'open-object',
      'other members of any kind may stand beside those that are listed',
    );
    return undefined;
  }
  let name = 'others';
  while (taken().has(name) || step.members.some((member) => member.wire === name)) name += '_';
  const pairs = pairList(writer, rest === 'free' ? (form.rest as Node) : rest, form);
  setMember<unknown>(wire['properties'] as Wire, name, {
    ...pairs.wire,
    description: 'Further members, as pairs.',
  });
  if (features.allRequired) required.push(name);
  step.pairs = { wire: name, ...(pairs.step ? { value: pairs.step } : {}) };
  writer.change(
    node.path,
    'record-to-pairs',
    `Further members stand as pairs of key and value in "${name}".`,
  );
  return { keyword: 'additionalProperties', value: 'pairs', path: node.path, said: true };
}

function writePairs(writer: FormWriter, node: Node, form: ObjectForm, value: Node): Written {
  writer.change(node.path, 'record-to-pairs', 'A record stands as a list of pairs of key and value.');
  const pairs = pairList(writer, value, form);
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
    writer,
    pairs.wire,
    { ...node, limits },
    'list',
    'Pairs of key and value, each key once.',
  );
  return { wire, step: { op: 'pairs', ...(pairs.step ? { value: pairs.step } : {}) } };
}

function pairList(writer: FormWriter, value: Node, form: ObjectForm): Written {
  const name = form.names && writer.write(form.names);
  const key = name && !name.step && name.wire['type'] === 'string' ? name.wire : { type: 'string' };
  const written = writer.write(value);
  const pair: Wire = {
    type: 'object',
    properties: { key, value: written.wire },
    required: ['key', 'value'],
  };
  if (writer.features.closed) pair['additionalProperties'] = false;
  return { wire: { type: 'array', items: pair }, step: written.step };
}

function takesName({ features }: FormWriter, name: string, isRoot: boolean): boolean {
  const rule = features.memberName;
  return !rule || (features.memberNameAtRootOnly && !isRoot) || rule.test(name);
}

function rename(writer: FormWriter, name: string, taken: Set<string>, path: string): string {
  const clean = name
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replace(/^(?![A-Za-z_])/, '_')
    .slice(0, 48);
  for (let round = 0; ; round++) {
    const wire = `${clean}_${sha256(round === 0 ? name : `${name}#${round}`).slice(0, 8)}`;
    if (taken.has(wire)) continue;
    taken.add(wire);
    writer.change(
      `${path}/properties/${escapeKey(name)}`,
      'rename',
      `"${name}" is no name that the provider takes; it is called "${wire}".`,
    );
    return wire;
  }
}
