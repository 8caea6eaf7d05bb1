import { plainNode } from './ir.ts';
import type { Form, Member, Node, ObjectForm } from './ir.ts';

/** The members that conditions speak of when they hold, each of them optional. */
export function membersOf(nodes: readonly Node[]): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  for (const { form } of nodes) {
    const known = form.kind === 'object' ? form.members : insideOf(form);
    for (const [name, { node }] of known) {
      if (node.form.kind === 'never') continue;
      const member: Member = { node, required: false, sometimes: true };
      const before = members.get(name);
      members.set(name, before ? eitherMember(before, member) : member);
    }
  }
  return members;
}

function insideOf(form: Form): ReadonlyMap<string, Member> {
  if (form.kind === 'union') return membersOf(form.branches);
  return membersOf(form.kind === 'reference' && !form.to.isBeingRead() ? [form.to.read()] : []);
}

/** What two conditions say of one member: a value that either of them allows. */
export function eitherMember(left: Member, right: Member): Member {
  return { node: either(left.node, right.node), required: false, sometimes: true };
}

function either(left: Node, right: Node): Node {
  const a = left.form;
  const b = right.form;
  if (a.kind === 'any') return left;
  if (b.kind === 'any') return right;
  if (a.kind === 'enum' && b.kind === 'enum')
    return {
      ...plainNode({ kind: 'enum', values: [...new Set([...a.values, ...b.values])] }, left.path),
      notes: left.notes,
    };
  if (a.kind === 'number' && b.kind === 'number')
    return {
      ...plainNode({ kind: 'number', integer: a.integer && b.integer }, left.path),
      notes: left.notes,
    };
  if (a.kind === b.kind && (a.kind === 'string' || a.kind === 'boolean' || a.kind === 'null'))
    return { ...plainNode(a, left.path), notes: left.notes };
  const branches = [left, right].flatMap((node) =>
    node.form.kind === 'union' ? node.form.branches : [node],
  );
  return plainNode({ kind: 'union', branches }, left.path);
}

/** A node whose objects may have these members too. */
export function withSometimes(node: Node, members: ReadonlyMap<string, Member>): Node {
  const { form } = node;
  switch (form.kind) {
    case 'object':
      return { ...node, form: objectWith(form, members) };
    case 'union':
      return {
        ...node,
        form: { kind: 'union', branches: form.branches.map((branch) => withSometimes(branch, members)) },
      };
    case 'reference': {
      if (form.to.isBeingRead()) return node;
      const { form: target, notes, limits } = form.to.read();
      const inPlace = {
        form: target,
        path: node.path,
        notes: { ...notes, ...node.notes },
        limits: [...limits, ...node.limits],
      };
      return withSometimes(inPlace, members);
    }
    default:
      return node;
  }
}

function objectWith(form: ObjectForm, sometimes: ReadonlyMap<string, Member>): ObjectForm {
  const members = new Map(form.members);
  for (const [name, member] of sometimes) {
    const known = members.get(name);
    if (!known) members.set(name, otherwise(member, form.rest));
    else if (known.sometimes) members.set(name, eitherMember(known, member));
    else members.set(name, { ...known, node: withSometimes(known.node, membersOf([member.node])) });
  }
  return { ...form, members };
}

/** The schema of a member that only a condition mentions, in an object that says what all other members are. */
export function otherwise(member: Member, rest: Node | undefined): Member {
  return rest ? { ...member, node: rest } : member;
}
