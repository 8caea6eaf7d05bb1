import { jsonEqual } from '../../json/equal.ts';
import type { JsonValue } from '../../json/value.ts';
import { eitherMember, otherwise } from './conditional-members.ts';
import { hasType } from '../../schema/check/explain.ts';
import { neverForm, noLimits, noNotes } from './ir.ts';
import type { Definition, Form, Member, Node, ObjectForm } from './ir.ts';

/**
 * A node that takes every value which both take. It may take a few more: where two constraints cannot both be
 * said, the limits still name them, and decoded values are checked against the original.
 */
export function mergeNodes(left: Node, right: Node): Node {
  const notes = joinNotes(left, right);
  const limits = [...left.limits, ...right.limits];
  const path = left.form.kind === 'any' ? right.path : left.path;
  const form = mergeForms(left, right);
  return { form, path, notes, limits };
}

function mergeForms(left: Node, right: Node): Form {
  const a = left.form;
  const b = right.form;
  if (a.kind === 'any' || b.kind === 'never') return b;
  if (b.kind === 'any' || a.kind === 'never') return a;
  if (a.kind === 'reference') return mergeReference(a.to, right);
  if (b.kind === 'reference') return mergeReference(b.to, left);
  if (a.kind === 'union') return distribute(a.branches, right);
  if (b.kind === 'union') return distribute(b.branches, left);
  if (a.kind === 'enum') return filterEnum(a.values, b);
  if (b.kind === 'enum') return filterEnum(b.values, a);
  if (a.kind === 'number' && b.kind === 'number') return { kind: 'number', integer: a.integer || b.integer };
  if (a.kind === 'list' && b.kind === 'list') return mergeLists(a, b);
  if (a.kind === 'object' && b.kind === 'object') return mergeObjects(a, b);
  return a.kind === b.kind ? a : neverForm;
}

function mergeReference(definition: Definition, other: Node): Form {
  const isPlain = other.form.kind !== 'reference';
  if (isPlain && !definition.isBeingRead()) return mergeNodes(definition.read(), other).form;
  return { kind: 'reference', to: combine(definition, other) };
}

/** Several definitions, with what is said next to them, as one: a definition of its own. */
interface Combination extends Definition {
  readonly parts: readonly Part[];
}

type Part = Definition | Node;

/**
 * Definitions that contain themselves meet again further down, each other or what is said next to them: the same
 * parts are the same definition.
 */
function combine(definition: Definition, other: Node): Definition {
  const own = partsOf(definition);
  const added = other.form.kind === 'reference' ? partsOf(other.form.to) : [other];
  const parts = [...own, ...added.filter((part) => !holds(own, part))];
  if (parts.length === own.length) return definition;
  const [first] = parts as [Definition];
  let known = combinations.get(first);
  if (!known) combinations.set(first, (known = []));
  const same = known.find(
    (one) => one.parts.length === parts.length && parts.every((part) => holds(one.parts, part)),
  );
  if (same) return same;
  // Parts that are made again at each turn have no end; the wider form is still true, and the check keeps the rest.
  if (parts.length > mostParts || depth >= mostDepth) return definition;
  const combination = combinationOf(parts);
  for (const part of parts)
    if (isDefinition(part) && part !== first)
      combinations.set(part, [...(combinations.get(part) ?? []), combination]);
  known.push(combination);
  return combination;
}

const combinations = new WeakMap<Definition, Combination[]>();
const mostParts = 12;

/** How many combinations led to the one that is being read. */
let depth = 0;
const mostDepth = 12;

function combinationOf(parts: readonly Part[]): Combination {
  const inside = depth + 1;
  let node: Node | undefined;
  let reading = false;
  const read = (): Node => {
    const outside = depth;
    [depth, reading] = [inside, true];
    try {
      return parts
        .map((part) => (isDefinition(part) ? part.read() : { ...part, notes: noNotes, limits: noLimits }))
        .reduce(mergeNodes);
    } finally {
      [depth, reading] = [outside, false];
    }
  };
  return {
    name: parts.flatMap((part) => (isDefinition(part) ? [part.name] : [])).join('_'),
    parts,
    read: () => (node ??= read()),
    isBeingRead: () => reading || parts.some((part) => isDefinition(part) && part.isBeingRead()),
  };
}

function partsOf(definition: Definition): readonly Part[] {
  return 'parts' in definition ? (definition as Combination).parts : [definition];
}

function isDefinition(part: Part): part is Definition {
  return 'read' in part;
}

function holds(parts: readonly Part[], part: Part): boolean {
  return parts.some(
    (one) => one === part || (!isDefinition(one) && !isDefinition(part) && one.form === part.form),
  );
}

function distribute(branches: readonly Node[], other: Node): Form {
  // Choices times choices grow without end; the wider form is still true, and the check keeps the rest.
  if (size(branches) * size([other]) > mostBranches) return { kind: 'union', branches };
  const merged = branches
    .map((branch) => mergeNodes(branch, { ...other, notes: {}, limits: [] }))
    .filter((branch) => branch.form.kind !== 'never');
  return merged.length === 0 ? neverForm : { kind: 'union', branches: merged };
}

const mostBranches = 256;

function size(branches: readonly Node[]): number {
  return branches.reduce((sum, { form }) => sum + (form.kind === 'union' ? size(form.branches) : 1), 0);
}

function filterEnum(values: readonly JsonValue[], other: Form): Form {
  const kept = values.filter((value) => mayHold(other, value));
  if (kept.length === 0) return neverForm;
  return kept.every((value) => value === null) ? { kind: 'null' } : { kind: 'enum', values: kept };
}

function mayHold(form: Form, value: JsonValue): boolean {
  switch (form.kind) {
    case 'enum':
      return form.values.some((known) => jsonEqual(known, value));
    case 'number':
      return hasType(form.integer ? 'integer' : 'number', value);
    case 'list':
      return hasType('array', value);
    case 'null':
    case 'boolean':
    case 'string':
    case 'object':
      return hasType(form.kind, value);
    default:
      return true;
  }
}

type ListForm = Extract<Form, { kind: 'list' }>;

function mergeLists(a: ListForm, b: ListForm): Form {
  const first: Node[] = [];
  for (let index = 0; index < Math.max(a.first.length, b.first.length); index++)
    first.push(both(a.first[index] ?? a.rest, b.first[index] ?? b.rest) as Node);
  return { kind: 'list', first, rest: both(a.rest, b.rest) };
}

function mergeObjects(a: ObjectForm, b: ObjectForm): Form {
  const members = new Map<string, Member>();
  for (const name of new Set([...a.members.keys(), ...b.members.keys()])) {
    const inA = a.members.get(name);
    const inB = b.members.get(name);
    if (inA?.sometimes || inB?.sometimes) {
      members.set(name, mergeSometimes(inA, inB, a.rest, b.rest));
      continue;
    }
    const node = both(inA?.node ?? a.rest, inB?.node ?? b.rest) as Node;
    const required = inA?.required === true || inB?.required === true;
    if (node.form.kind === 'never' && required) return neverForm;
    members.set(name, { node, required });
  }
  return {
    kind: 'object',
    members,
    rest: both(a.rest, b.rest),
    listed: a.listed || b.listed,
    names: both(a.names, b.names),
  };
}

function mergeSometimes(
  inA: Member | undefined,
  inB: Member | undefined,
  restA: Node | undefined,
  restB: Node | undefined,
): Member {
  if (!inA) return otherwise(inB as Member, restA);
  if (!inB) return otherwise(inA, restB);
  if (inA.sometimes && inB.sometimes) return eitherMember(inA, inB);
  const [always, rest] = inA.sometimes ? [inB, restA] : [inA, restB];
  return { ...always, node: both(always.node, rest) as Node };
}

function both(left: Node | undefined, right: Node | undefined): Node | undefined {
  if (!left || !right) return left ?? right;
  return mergeNodes(left, right);
}

function joinNotes(left: Node, right: Node): Node['notes'] {
  const first = left.notes['description'];
  const second = right.notes['description'];
  const notes = { ...right.notes, ...left.notes };
  return typeof first === 'string' && typeof second === 'string' && first !== second
    ? { ...notes, description: `${first} ${second}` }
    : notes;
}
