import { setMember } from '../member.ts';
import { plainEnd } from './string-scan.ts';
import { LikelyKey } from './likely-key.ts';
import type { ExactJson } from '../value.ts';

export type List = ExactJson[];
export type Members = Record<string, ExactJson>;

/** With at most this many lists in one text, their size in memory does not matter; and longer ones lose little. */
const few = 1000;
const mostFitted = 8;

/** A container that is open around the innermost. Made once for its depth, used by all at that depth. */
class Outer {
  list: List | undefined;
  members: Members | undefined;
  key = '';
  step: LikelyKey;

  constructor(step: LikelyKey) {
    this.step = step;
  }
}

/**
 * The value as it grows: one live tree, and where in it the next value goes. Some fields are open to the scanner, which
 * asks for them at every token.
 */
export class JsonTree {
  root: ExactJson | undefined;
  /** The innermost open container is one of these two, or there is none. */
  list: List | undefined;
  members: Members | undefined;
  /** Where in the innermost object the next value goes. */
  key = '';
  /** The last key, as a step of the way that objects at this place have gone. */
  step = new LikelyKey('', false);
  /** How many containers are open. */
  depth = 0;
  readonly #outer: Outer[] = [];
  /** The open string is already in the tree. */
  #shown = false;
  #lists = 0;
  readonly #noStep = new LikelyKey('', false);
  #guessesLeft = 1024;

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
    const { list } = this;
    if (list !== undefined) {
      if (this.#shown) list[list.length - 1] = child;
      else list.push(child);
    } else if (this.members !== undefined) setMember(this.members, this.key, child);
    else this.root = child;
  }

  /** A new object for the place where one opens. */
  makeMembers(): Members {
    return (this.step.inner ??= new LikelyKey('', false)).make();
  }

  /** An empty container takes its place and is the innermost from now on. */
  open(members: Members | undefined, list: List | undefined): void {
    this.#place((members ?? list) as ExactJson);
    const outer = (this.#outer[this.depth] ??= new Outer(this.step));
    outer.list = this.list;
    outer.members = this.members;
    outer.key = this.key;
    outer.step = this.step;
    this.depth++;
    if (members !== undefined) this.step = this.step.inner ??= new LikelyKey('', false);
    this.members = members;
    this.list = list;
  }

  /** The innermost container is complete. */
  close(): ExactJson {
    const closed = (this.list ?? this.members) as ExactJson;
    const { list, members, key, step } = this.#outer[--this.depth] as Outer;
    const fits = this.list === undefined || ++this.#lists < few || this.depth === 0;
    this.list = list;
    this.members = members;
    this.key = key;
    this.step = step;
    return fits ? closed : this.#fit(closed as List);
  }

  /** Puts a short list again, without the room that V8 keeps in it for seventeen. */
  #fit(list: List): List {
    if (list.length === 0 || list.length > mostFitted) return list;
    const fitted = list.slice();
    if (this.list !== undefined) this.list[this.list.length - 1] = fitted;
    else setMember<ExactJson>(this.members as Members, this.key, fitted);
    return fitted;
  }

  /** The key that most likely comes next, as objects at this place have had theirs. */
  get likely(): LikelyKey | undefined {
    return this.step.next;
  }

  /** Takes a key; `true` where it was seen in this object before, if that is wanted to be known. */
  takeKey(name: string, tellRepeated: boolean): boolean {
    const likely = this.step.next;
    if (likely !== undefined && likely.key === name) return this.takeLikelyKey(likely);
    const repeated = tellRepeated && Object.hasOwn(this.members as Members, name);
    // Only a key that is written as it reads can be looked for in the text.
    if (this.#guessesLeft > 0 && plainEnd(name, 0) === name.length) {
      this.#guessesLeft--;
      return this.takeLikelyKey((this.step.next = new LikelyKey(name, repeated)));
    }
    this.step = this.#noStep;
    this.key = name;
    return repeated;
  }

  /** The key is the one that was likely. */
  takeLikelyKey(step: LikelyKey): boolean {
    this.step = step;
    this.key = step.key;
    return step.repeated;
  }

  /** The key of the value that was put last. */
  get lastKey(): string | number | undefined {
    const { list, members, key } = this;
    if (list !== undefined) return list.length - 1;
    return members === undefined ? undefined : key;
  }

  /** The key of the string that is open. */
  get openKey(): string | number | undefined {
    const { list, members, key } = this;
    if (list !== undefined) return list.length - (this.#shown ? 1 : 0);
    return members === undefined ? undefined : key;
  }

  /** The keys of the open containers, from the root (which has none) inwards. */
  get way(): (string | number | undefined)[] {
    return this.#outer
      .slice(0, this.depth)
      .map(({ list, members, key }) => (list === undefined ? members && key : list.length - 1));
  }

  /** The value so far, with copies of what is open. */
  copy(): ExactJson | undefined {
    let child: ExactJson | undefined;
    let { list, members, key } = this as Pick<JsonTree, 'list' | 'members' | 'key'>;
    for (let level = this.depth - 1; level >= 0; level--) {
      if (list !== undefined) {
        const copy: List = list.slice();
        if (child !== undefined) copy[copy.length - 1] = child;
        child = copy;
      } else {
        const copy: Members = { ...members };
        if (child !== undefined) setMember(copy, key, child);
        child = copy;
      }
      ({ list, members, key } = this.#outer[level] as Outer);
    }
    return child ?? this.root;
  }
}
