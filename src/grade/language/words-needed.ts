/**
 * Which words a text must hold for an expression to match in it. An expression of a hundred phrases is tried at every
 * letter of a sentence, and hardly ever does a sentence hold the words of one of them: that is known in a fraction of the
 * time. Read off the expression itself, so that nobody need keep two lists alike.
 */

/**
 * One of these must stand in the text: a word (a run of letters, digits and `_`), or a sign that is part of none. A word
 * that may go on is written `tell*`, one that may be the end of a longer one `*tell`.
 */
export type OneOf = ReadonlySet<string>;

/** For each alternative of the expression what it cannot do without; nothing, if any text may match. */
export function wordsNeeded(source: string, costOf: (word: string) => number): readonly (readonly OneOf[])[] {
  const costs = new Map<string, number>();
  const costOnce = (word: string) => {
    let cost = costs.get(word);
    if (cost === undefined) costs.set(word, (cost = costOf(word)));
    return cost;
  };
  const price = (words: OneOf) => {
    let sum = 0;
    for (const word of words) sum += costOnce(word);
    return sum;
  };
  return alternativesOf(read(source)).map((node) =>
    needsOf(node, { left: false, right: false }, price)
      .toSorted((one, other) => price(one) - price(other))
      .slice(0, mostKept),
  );
}

/** What an alternative needs besides is hardly ever what rules it out. */
const mostKept = 3;

type Node =
  | { readonly kind: 'text'; readonly text: string }
  /** One character, or any number of them: of these, or of any where none are named. */
  | { readonly kind: 'some'; readonly gap: boolean; readonly choices?: readonly string[] }
  /** `\b`, `^`, `$`: no word goes on across it. */
  | { readonly kind: 'edge' }
  /** Looks ahead or back, and takes nothing; for nothing that is needed, where it must not see it. */
  | { readonly kind: 'look'; readonly of?: Node }
  | { readonly kind: 'all'; readonly of: readonly Node[] }
  | { readonly kind: 'any'; readonly of: readonly Node[] }
  | { readonly kind: 'times'; readonly of: Node; readonly needed: boolean; readonly once: boolean };

function alternativesOf(node: Node): readonly Node[] {
  if (node.kind === 'any') return node.of.flatMap(alternativesOf);
  if (node.kind !== 'all') return [node];
  const taking = node.of.filter(({ kind }) => kind !== 'edge' && kind !== 'look');
  const [choice] = taking;
  if (taking.length !== 1 || choice!.kind !== 'any') return [node];
  return choice!.of.flatMap((one) =>
    alternativesOf(one).map((each): Node => ({
      kind: 'all',
      of: node.of.map((part) => (part === choice ? each : part)),
    })),
  );
}

/** Whether the characters beside something are certain to belong to no word. */
interface Beside {
  readonly left: boolean;
  readonly right: boolean;
}

function needsOf(node: Node, beside: Beside, price: (words: OneOf) => number): readonly OneOf[] {
  switch (node.kind) {
    case 'text':
      return wordsInside(node.text, beside).map((word) => new Set([word]));
    case 'some':
      return node.choices?.every(isSign) ? [new Set(node.choices)] : [];
    case 'any': {
      const best = node.of.map((one) => cheapest(needsOf(one, beside, price), price));
      return best.every((words) => words !== undefined) ? [new Set(best.flatMap((words) => [...words]))] : [];
    }
    case 'look':
      return node.of ? needsOf(node.of, { left: false, right: false }, price) : [];
    case 'times':
      return !node.needed ? [] : needsOf(node.of, { ...beside, right: beside.right && node.once }, price);
    case 'all':
      return partsOf(node.of, beside).flatMap((part) => {
        const [only] = part.nodes;
        if (part.nodes.length === 1) return needsOf(only!, part, price);
        const texts = textsOf({ kind: 'all', of: part.nodes });
        if (texts)
          return needsOf({ kind: 'any', of: texts.map((text) => ({ kind: 'text', text })) }, part, price);
        return part.nodes.flatMap((one, index) =>
          needsOf(
            one,
            { left: index === 0 && part.left, right: index === part.nodes.length - 1 && part.right },
            price,
          ),
        );
      });
    default:
      return [];
  }
}

function cheapest(needs: readonly OneOf[], price: (words: OneOf) => number): OneOf | undefined {
  return needs.length < 2
    ? needs[0]
    : needs.reduce((best, words) => (price(words) < price(best) ? words : best));
}

/** A sequence, cut wherever no word can go on. */
function partsOf(
  nodes: readonly Node[],
  beside: Beside,
): readonly (Beside & { readonly nodes: readonly Node[] })[] {
  const cuts = nodes.map(
    (_, index) =>
      index === 0 ||
      opensGap(nodes.slice(index), beside.right) ||
      closesGap(nodes.slice(0, index), beside.left),
  );
  const starts = cuts.flatMap((cut, index) => (cut ? [index] : []));
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? nodes.length;
    return {
      nodes: nodes.slice(start, end),
      left: closesGap(nodes.slice(0, start), beside.left),
      right: opensGap(nodes.slice(end), beside.right),
    };
  });
}

/** What comes next is certain to begin with what belongs to no word. */
function opensGap([first, ...rest]: readonly Node[], outside: boolean): boolean {
  return first === undefined ? outside : meetsGap(first, () => opensGap(rest, outside), 'first');
}

/** What came before is certain to end with what belongs to no word. */
function closesGap(nodes: readonly Node[], outside: boolean): boolean {
  const last = nodes.at(-1);
  return last === undefined ? outside : meetsGap(last, () => closesGap(nodes.slice(0, -1), outside), 'last');
}

function meetsGap(node: Node, beyond: () => boolean, side: 'first' | 'last'): boolean {
  switch (node.kind) {
    case 'edge':
      return true;
    case 'look':
      return beyond();
    case 'text':
      return !/\w/.test(side === 'first' ? node.text[0]! : node.text.at(-1)!);
    case 'some':
      return node.gap;
    case 'any':
      return node.of.every((one) => meetsGap(one, beyond, side));
    case 'times':
      return (node.needed || beyond()) && meetsGap(node.of, beyond, side);
    case 'all': {
      const inner = side === 'first' ? node.of : node.of.toReversed();
      const from = (index: number): boolean =>
        index === inner.length ? beyond() : meetsGap(inner[index]!, () => from(index + 1), side);
      return from(0);
    }
  }
}

function wordsInside(text: string, { left, right }: Beside): readonly string[] {
  const words = [...text.matchAll(/\w+/g)].map(({ index, 0: word }) => {
    const begins = index > 0 || left;
    const ends = index + word.length < text.length || right;
    return `${begins ? '' : '*'}${word}${ends ? '' : '*'}`;
  });
  return [...words, ...[...text].filter(isSign)];
}

/** No letter, digit or space, nor the mark of an edge. */
function isSign(letter: string): boolean {
  return /[^\w\s|]/.test(letter);
}

/** Every text that it matches, where these are few. An edge stands as a mark that belongs to no word. */
function textsOf(node: Node): readonly string[] | undefined {
  switch (node.kind) {
    case 'text':
      return [node.text];
    case 'some':
      return node.choices;
    case 'edge':
      return ['|'];
    case 'look':
      return [''];
    case 'any':
      return join(node.of.map(textsOf), (all, more) => [...all, ...more], []);
    case 'all':
      return join(
        node.of.map(textsOf),
        (all, more) => all.flatMap((start) => more.map((end) => start + end)),
        [''],
      );
    case 'times': {
      const once = node.once ? textsOf(node.of) : undefined;
      return once && ['', ...once];
    }
  }
}

function join(
  parts: readonly (readonly string[] | undefined)[],
  add: (all: readonly string[], more: readonly string[]) => readonly string[],
  start: readonly string[],
): readonly string[] | undefined {
  let all = start;
  for (const part of parts) {
    if (!part || all.length * part.length > mostTexts) return undefined;
    all = add(all, part);
  }
  return all;
}

const mostTexts = 100;

/** Reads an expression: what this engine's own are written with, and no more. */
function read(source: string): Node {
  let at = 0;
  const alternatives = (): Node => {
    const all: Node[] = [sequence()];
    while (source[at] === '|') {
      at++;
      all.push(sequence());
    }
    if (all.length === 1) return all[0]!;
    return all.every(({ kind }) => kind === 'edge') ? { kind: 'edge' } : { kind: 'any', of: all };
  };
  const sequence = (): Node => {
    const nodes: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') nodes.push(quantified(single()));
    return nodes.length === 1 ? nodes[0]! : { kind: 'all', of: nodes };
  };
  const single = (): Node => {
    const sign = source[at]!;
    if (sign === '(') return group();
    if (sign === '[') return characters(/\[(?:\\.|[^\]\\])*\]/y);
    if (sign === '\\') return characters(/\\(?:u[0-9a-f]{4}|.)/y);
    if (sign === '^' || sign === '$' || sign === '.') {
      at++;
      return sign === '.' ? { kind: 'some', gap: false } : { kind: 'edge' };
    }
    // A quantifier behind plain letters is for the last of them alone.
    return { kind: 'text', text: take(/[^\\^$.|?*+()[\]{}]+(?![?*+{])|[^]/y)[0] };
  };
  const group = (): Node => {
    const [opening] = take(/\((?:\?(?:<?[=!]|:))?/y);
    const inner = alternatives();
    at++;
    if (opening.endsWith('!')) return { kind: 'look' };
    return opening.endsWith('=') ? { kind: 'look', of: inner } : inner;
  };
  const characters = (shape: RegExp): Node => {
    const [found] = take(shape);
    if (found === '\\b') return { kind: 'edge' };
    if (/^\\[^\w]$/.test(found)) return { kind: 'text', text: found.slice(1) };
    if (/^\[(?:\\u[0-9a-f]{4}|[^\\\]^-])+\]$/.test(found)) {
      const choices = [...(JSON.parse(`"${found.slice(1, -1)}"`) as string)];
      return { kind: 'some', gap: !choices.some((letter) => /\w/.test(letter)), choices };
    }
    // Whatever it takes, it takes no part of a word.
    const one = new RegExp(`^${found}$`);
    return { kind: 'some', gap: !alphabet.some((sign) => one.test(sign)) };
  };
  const quantified = (node: Node): Node => {
    if (!/[*+?{]/.test(source[at] ?? '')) return node;
    const [found, least] = take(/(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/y);
    const needed = least === undefined ? found.startsWith('+') : Number(least) > 0;
    return { kind: 'times', of: node, needed, once: found === '?' };
  };
  const take = (shape: RegExp): RegExpExecArray => {
    shape.lastIndex = at;
    const found = shape.exec(source)!;
    at += found[0].length;
    return found;
  };
  return alternatives();
}

const alphabet = [...'abcdefghijklmnopqrstuvwxyz0123456789_'];
