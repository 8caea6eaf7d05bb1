import type { Definition, Node } from './ir.ts';

/** Which definitions contain themselves, and through what. */
export class Recursion {
  readonly #reached = new Map<Definition, ReadonlySet<Definition>>();
  readonly #direct = new Map<Definition, readonly Definition[]>();

  isRecursive(definition: Definition): boolean {
    return this.#reach(definition).has(definition);
  }

  /** True where this part of a definition points to something from which the definition is reached again. */
  leadsBack(node: Node, inside: Definition): boolean {
    return pointers(node).some((to) => to === inside || this.#reach(to).has(inside));
  }

  /** True where the definition reaches itself without passing a member of an object. */
  isUnbroken(definition: Definition): boolean {
    const seen = new Set<Definition>();
    const queue = [definition];
    for (let at = queue.pop(); at; at = queue.pop())
      for (const next of pointers(at.read(), false)) {
        if (this.isRecursive(next) && (next === definition || this.#unbrokenFrom(next))) return true;
        if (seen.has(next)) continue;
        seen.add(next);
        queue.push(next);
      }
    return false;
  }

  /** True where the definition says of a value only what it says of it already. */
  isEndless(definition: Definition): boolean {
    const seen = new Set<Definition>();
    const queue = [...samePointers(definition.read())];
    for (let at = queue.pop(); at; at = queue.pop()) {
      if (at === definition) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      queue.push(...samePointers(at.read()));
    }
    return false;
  }

  #unbrokenFrom(definition: Definition): boolean {
    const seen = new Set<Definition>();
    const queue = [...pointers(definition.read(), false)];
    for (let at = queue.pop(); at; at = queue.pop()) {
      if (at === definition) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      queue.push(...pointers(at.read(), false));
    }
    return false;
  }

  #reach(definition: Definition): ReadonlySet<Definition> {
    const known = this.#reached.get(definition);
    if (known) return known;
    const reached = new Set<Definition>();
    this.#reached.set(definition, reached);
    const queue = [...this.#pointers(definition)];
    for (let at = queue.pop(); at; at = queue.pop()) {
      if (reached.has(at)) continue;
      reached.add(at);
      queue.push(...this.#pointers(at));
    }
    return reached;
  }

  #pointers(definition: Definition): readonly Definition[] {
    let direct = this.#direct.get(definition);
    if (!direct) this.#direct.set(definition, (direct = pointers(definition.read())));
    return direct;
  }
}

/** The definitions that a node points to, not going into them; with or without those behind members. */
function pointers(node: Node, members = true): readonly Definition[] {
  const { form } = node;
  switch (form.kind) {
    case 'reference':
      return [form.to];
    case 'union':
      return form.branches.flatMap((branch) => pointers(branch, members));
    case 'list':
      return [...form.first, ...(form.rest ? [form.rest] : [])].flatMap((item) => pointers(item, members));
    case 'object':
      return [
        ...(members ? [...form.members.values()].map((member) => member.node) : []),
        ...(form.rest ? [form.rest] : []),
        ...(form.names ? [form.names] : []),
      ].flatMap((part) => pointers(part, members));
    default:
      return [];
  }
}

/** The definitions that a node says the same value must fit. */
function samePointers({ form }: Node): readonly Definition[] {
  if (form.kind === 'reference') return [form.to];
  return form.kind === 'union' ? form.branches.flatMap(samePointers) : [];
}
