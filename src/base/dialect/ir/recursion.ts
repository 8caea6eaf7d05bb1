import type { Definition, Node } from './ir.ts';

type Next = (definition: Definition) => readonly Definition[];

/** Which definitions contain themselves, and through what. */
export class Recursion {
  readonly #reached = new Map<Definition, ReadonlySet<Definition>>();

  isRecursive(definition: Definition): boolean {
    return this.#reach(definition).has(definition);
  }

  /** True where this part of a definition points to something from which the definition is reached again. */
  leadsBack(node: Node, inside: Definition): boolean {
    return pointers(node).some((to) => to === inside || this.#reach(to).has(inside));
  }

  /** True where the definition leads to one that reaches itself without passing a member of an object. */
  isUnbroken(definition: Definition): boolean {
    const reached = [...reachedFrom(definition, withoutMembers)];
    return reached.some((one) => reachedFrom(one, withoutMembers).has(one));
  }

  /** True where the definition says of a value only what it says of it already. */
  isEndless(definition: Definition): boolean {
    return reachedFrom(definition, (one) => samePointers(one.read())).has(definition);
  }

  #reach(definition: Definition): ReadonlySet<Definition> {
    let reached = this.#reached.get(definition);
    if (!reached)
      this.#reached.set(definition, (reached = reachedFrom(definition, (one) => pointers(one.read()))));
    return reached;
  }
}

/** The definitions that others lead to, itself only where one of them leads back. */
function reachedFrom(definition: Definition, next: Next): ReadonlySet<Definition> {
  const reached = new Set<Definition>();
  const queue = [...next(definition)];
  for (let at = queue.pop(); at; at = queue.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    queue.push(...next(at));
  }
  return reached;
}

const withoutMembers: Next = (definition) => pointers(definition.read(), false);

/** The definitions that a node points to, not going into them; with or without those behind members. */
function pointers(node: Node, members = true): readonly Definition[] {
  const { form } = node;
  switch (form.kind) {
    case 'reference':
      return [form.to];
    case 'union':
      return form.branches.flatMap((branch) => pointers(branch, members));
    case 'list':
      return [...form.first, form.rest].flatMap((item) => (item ? pointers(item, members) : []));
    case 'object': {
      const inside = members ? [...form.members.values()].map((member) => member.node) : [];
      return [...inside, form.rest, form.names].flatMap((part) => (part ? pointers(part, members) : []));
    }
    default:
      return [];
  }
}

/** The definitions that a node says the same value must fit. */
function samePointers({ form }: Node): readonly Definition[] {
  if (form.kind === 'reference') return [form.to];
  return form.kind === 'union' ? form.branches.flatMap(samePointers) : [];
}
