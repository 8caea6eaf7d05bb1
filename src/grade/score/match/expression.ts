/** A regular expression that takes linear time, whatever it is and whatever the text. */
export interface Expression {
  test(text: string): boolean;
}

/** How many states an expression may have when its counted repetitions are written out. */
const mostStates = 5000;

const known = new Map<string, Expression>();

/**
 * Reads an expression as `/source/iu`, without backreferences and lookaround; throws what is wrong with it. A
 * scenario's author writes it and a model the text, and together they must not hold up a grade: all ways through it are
 * followed at once, a character at a time, so that there is never anything to go back to.
 */
export function readExpression(source: string): Expression {
  const read = known.get(source);
  if (read) return read;
  void new RegExp(source, 'iu'); // Throws where it is none.
  const states: State[] = [{ kind: 'end' }];
  const start = build(new Reader(source).alternatives(), 0, states);
  const expression: Expression = { test: (text) => isFound(states, start, [...text]) };
  known.set(source, expression);
  return expression;
}

type Part =
  | { readonly kind: 'one'; readonly fits: Fits }
  | { readonly kind: 'between'; readonly holds: Between }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly from: number; readonly to: number };

type Fits = (character: string) => boolean;
/** Of the characters on both sides of a place; empty at the ends of the text. */
type Between = (before: string, after: string) => boolean;

/** Reads what `RegExp` has let pass already. */
class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at]!)) {
      const part = this.#part();
      const [, all, least, comma, most] = this.#take(/([*+?]|\{(\d+)(,?)(\d*)\})\??/y) ?? [];
      if (all === undefined) parts.push(part);
      else if (least === undefined)
        parts.push({ kind: 'repeat', part, from: all === '+' ? 1 : 0, to: all === '?' ? 1 : Infinity });
      else {
        const from = Number(least);
        parts.push({
          kind: 'repeat',
          part,
          from,
          to: comma === '' ? from : most === '' ? Infinity : Number(most),
        });
      }
    }
    return { kind: 'sequence', parts };
  }

  #part(): Part {
    if (this.#take(/\((?:\?:|\?<(?![=!])[^>]*>|(?!\?))/y)) {
      const inner = this.alternatives();
      this.#take(/\)/y);
      return inner;
    }
    const [place] = this.#take(/\^|\$|\\b|\\B/y) ?? [];
    if (place !== undefined) return { kind: 'between', holds: places[place]! };
    if (this.#take(/\(\?|\\[1-9k]/y))
      throw new SyntaxError(`/${this.#source}/ looks around or refers back, which no expression may here.`);
    const [atom] = this.#take(
      /\[(?:\\[^]|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|[^])|[^]/iuy,
    )!;
    return { kind: 'one', fits: fitsOf(atom) };
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source) ?? undefined;
    if (found) this.#at += found[0].length;
    return found;
  }
}

const isWord = (character: string): boolean => /^\w$/iu.test(character);
const places: Readonly<Record<string, Between>> = {
  '^': (before) => before === '',
  $: (_before, after) => after === '',
  '\\b': (before, after) => isWord(before) !== isWord(after),
  '\\B': (before, after) => isWord(before) === isWord(after),
};

/** A single character is left to `RegExp`: what a class holds, and which letters are alike, it knows best. */
function fitsOf(atom: string): Fits {
  const one = new RegExp(`^${atom}$`, 'iu');
  const seen = new Map<string, boolean>();
  return (character) => {
    let fits = seen.get(character);
    if (fits === undefined) {
      fits = one.test(character);
      seen.set(character, fits);
    }
    return fits;
  };
}

type State =
  | { readonly kind: 'end' }
  | { readonly kind: 'one'; readonly fits: Fits; readonly next: number }
  | { readonly kind: 'between'; readonly holds: Between; readonly next: number }
  | { readonly kind: 'fork'; next: readonly number[] };

/** Adds the states of a part that goes on at `next`; answers where it begins. */
function build(part: Part, next: number, states: State[]): number {
  const add = (state: State): number => {
    if (states.length >= mostStates)
      throw new SyntaxError('The expression is too large: let it repeat less often.');
    return states.push(state) - 1;
  };
  switch (part.kind) {
    case 'one':
    case 'between':
      return add({ ...part, next });
    case 'sequence':
      return part.parts.reduceRight((after, one) => build(one, after, states), next);
    case 'choice':
      return add({ kind: 'fork', next: part.parts.map((one) => build(one, next, states)) });
    case 'repeat': {
      let start = next;
      if (part.to === Infinity) {
        const loop: State & { kind: 'fork' } = { kind: 'fork', next: [next] };
        start = add(loop);
        loop.next = [build(part.part, start, states), next];
      } else
        for (let count = part.from; count < part.to; count++)
          start = add({ kind: 'fork', next: [build(part.part, start, states), next] });
      for (let count = 0; count < part.from; count++) start = build(part.part, start, states);
      return start;
    }
  }
}

/** Whether the expression matches anywhere in the text: a new way through it begins before each character. */
function isFound(states: readonly State[], start: number, text: readonly string[]): boolean {
  let arrived: number[] = [];
  for (let place = 0; place <= text.length; place++) {
    const before = text[place - 1] ?? '';
    const after = text[place] ?? '';
    const open = [...arrived, start];
    const seen = new Set<number>();
    arrived = [];
    while (open.length > 0) {
      const at = open.pop()!;
      if (seen.has(at)) continue;
      seen.add(at);
      const state = states[at]!;
      if (state.kind === 'end') return true;
      if (state.kind === 'fork') open.push(...state.next);
      else if (state.kind === 'between') {
        if (state.holds(before, after)) open.push(state.next);
      } else if (after !== '' && state.fits(after)) arrived.push(state.next);
    }
  }
  return false;
}
