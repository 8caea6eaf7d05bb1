import { setMember } from './member.ts';
import { runEnd } from './plain-run.ts';
import { Shape } from './shape.ts';
import type { ExactJson } from './value.ts';

export type List = ExactJson[];
export type Members = Record<string, ExactJson>;

/**
 * The value as it grows: one live tree, and where in it the next value goes. Some fields are open to the reader, which
 * asks for them at every token.
 */
export class JsonTree {
  root: ExactJson | undefined;
  /** The innermost open container is one of these two, or there is none. */
  list: List | undefined;
  members: Members | undefined;
  /** Where in the innermost object the next value goes. */
  key = '';
  /** The last key, as a step of the shape that objects at this place have had. */
  shape = new Shape('', false);
  /** The open string already stands in the tree. */
  #shown = false;
  /** The containers around the innermost, and under which key each holds the next. */
  readonly #outer: (List | Members | undefined)[] = [];
  readonly #outerKeys: string[] = [];
  readonly #outerShapes: Shape[] = [];
  readonly #noShape = new Shape('', false);
  #shapesLeft = 1024;

  /** How many containers are open. */
  get depth(): number {
    return this.#outer.length;
  }

  /** A complete value takes its place. */
  put(complete: ExactJson): void {
    this.#place(complete);
    this.#shown = false;
  }

  /** The open string takes its place as far as it has come. */
  show(text: string): void {
    this.#place(text);
    this.#shown = true;
  }

  #place(child: ExactJson): void {
    const list = this.list;
    if (list !== undefined) {
      if (this.#shown) list[list.length - 1] = child;
      else list.push(child);
    } else if (this.members !== undefined) setMember(this.members, this.key, child);
    else this.root = child;
  }

  /** An empty container takes its place and is the innermost from now on. */
  open(members: Members | undefined, list: List | undefined): void {
    this.#place((members ?? list) as ExactJson);
    this.#outer.push(this.list ?? this.members);
    this.#outerKeys.push(this.key);
    this.#outerShapes.push(this.shape);
    if (members !== undefined) this.shape = this.shape.inner ??= new Shape('', false);
    this.members = members;
    this.list = list;
  }

  /** The innermost container is complete. */
  close(): ExactJson {
    const closed = (this.list ?? this.members) as ExactJson;
    const outer = this.#outer.pop();
    this.#outerKeys.pop();
    this.shape = this.#outerShapes.pop() as Shape;
    if (Array.isArray(outer)) {
      this.list = outer;
      this.members = undefined;
    } else {
      this.list = undefined;
      this.members = outer;
    }
    return closed;
  }

  /** Takes a key; `true` where it was seen in this object before, if that is wanted to be known. */
  takeKey(name: string, tellRepeated: boolean): boolean {
    const likely = this.shape.next;
    if (likely !== undefined && likely.key === name) return this.takeShape(likely);
    const repeated = tellRepeated && Object.hasOwn(this.members as Members, name);
    // Only a key that is written as it reads can be looked for in the text.
    if (this.#shapesLeft > 0 && runEnd(name, 0) === name.length) {
      this.#shapesLeft--;
      return this.takeShape((this.shape.next = new Shape(name, repeated)));
    }
    this.shape = this.#noShape;
    this.key = name;
    return repeated;
  }

  /** The key is the one that was likely. */
  takeShape(shape: Shape): boolean {
    this.shape = shape;
    this.key = shape.key;
    return shape.repeated;
  }

  /** The key of the value that was put last. */
  get lastKey(): string | number | undefined {
    if (this.list !== undefined) return this.list.length - 1;
    return this.members === undefined ? undefined : this.key;
  }

  /** The key of the string that is open. */
  get openKey(): string | number | undefined {
    if (this.list !== undefined) return this.list.length - (this.#shown ? 1 : 0);
    return this.members === undefined ? undefined : this.key;
  }

  /** The keys of the open containers, from the root (which has none) inwards. */
  get way(): (string | number | undefined)[] {
    return this.#outer.map((outer, level) =>
      outer === undefined ? undefined : Array.isArray(outer) ? outer.length - 1 : this.#outerKeys[level],
    );
  }

  /** The value so far, with copies of what is open. */
  copy(): ExactJson | undefined {
    let child: ExactJson | undefined;
    let container = this.list ?? this.members;
    for (let level = this.#outer.length - 1; level >= 0; level--) {
      if (Array.isArray(container)) {
        const list: List = container.slice();
        if (child !== undefined) list[list.length - 1] = child;
        child = list;
      } else {
        const members: Members = { ...container };
        if (child !== undefined) setMember(members, this.#outerKeys[level + 1] as string, child);
        child = members;
      }
      container = this.#outer[level];
    }
    return child ?? this.root;
  }
}
