import { seededRandom } from '../../../base/host/random.ts';

/** What is known in one variant, and what is right there. */
export interface Case {
  /** The words of each fact that there is, by its id. */
  readonly facts: ReadonlyMap<string, string>;
  readonly right: string;
}

export interface TellingFact {
  /** The fact that alone tells most of what is right; absent where there are no facts. */
  readonly id?: string;
  /** How often who looks at it alone is right. */
  readonly accuracy: number;
  /** How often the best constant answer is. */
  readonly constant: number;
  /** What it says of each case, learned from the others. */
  readonly says: readonly string[];
}

/** How many questions, one after the other, are asked of a fact's words: enough to tell eight wordings apart. */
const depth = 3;

/**
 * The one fact that predicts best what is right. What it predicts was learned of the other half of the cases, by its
 * whole words and by a small tree over its words and numbers, so that nothing is learned by heart that does not hold again.
 */
export function tellingFact(cases: readonly Case[]): TellingFact {
  const rights = cases.map(({ right }) => right);
  const most = commonest(rights);
  const constant = share(rights, (right) => right === most);
  let best: TellingFact = { accuracy: constant, constant, says: rights.map(() => most) };
  for (const id of new Set(cases.flatMap(({ facts }) => [...facts.keys()]))) {
    const texts = cases.map(({ facts }) => facts.get(id) ?? '');
    for (const learn of [byText, byWords]) {
      const says = crossed(texts, rights, learn);
      const accuracy = share(says, (said, index) => said === rights[index]);
      if (accuracy > best.accuracy) best = { id, accuracy, constant, says };
    }
  }
  return best;
}

type Learner = (texts: readonly string[], rights: readonly string[]) => (text: string) => string;

/** Each half is predicted from the other. They are parted by chance: a variant's number tells of its values. */
function crossed(texts: readonly string[], rights: readonly string[], learn: Learner): readonly string[] {
  const random = seededRandom(texts.length);
  const sides = texts.map(() => Math.floor(random() * 2));
  const half = (rest: number) => texts.flatMap((_, index) => (sides[index] === rest ? [index] : []));
  const said = Array.from<string>({ length: texts.length });
  for (const rest of [0, 1]) {
    const others = half(1 - rest);
    const predict = learn(
      others.map((index) => texts[index]!),
      others.map((index) => rights[index]!),
    );
    for (const index of half(rest)) said[index] = predict(texts[index]!);
  }
  return said;
}

function byText(texts: readonly string[], rights: readonly string[]): (text: string) => string {
  const groups = Map.groupBy(rights.keys(), (index) => texts[index]!);
  const table = new Map(
    [...groups].map(([text, indices]) => [text, commonest(indices.map((index) => rights[index]!))]),
  );
  const otherwise = commonest(rights);
  return (text) => table.get(text) ?? otherwise;
}

function byWords(texts: readonly string[], rights: readonly string[]): (text: string) => string {
  const read = texts.map(readingOf);
  const tree = grow(
    read.map((reading, index) => ({ reading, right: rights[index]! })),
    questionsOf(read),
    depth,
  );
  return (text) => {
    const reading = readingOf(text);
    let node = tree;
    while (typeof node !== 'string') node = node.asks(reading) ? node.yes : node.no;
    return node;
  };
}

interface Reading {
  readonly words: ReadonlySet<string>;
  readonly numbers: readonly number[];
}

type Question = (reading: Reading) => boolean;

type Node = string | { readonly asks: Question; readonly yes: Node; readonly no: Node };

interface Seen {
  readonly reading: Reading;
  readonly right: string;
}

function readingOf(text: string): Reading {
  return {
    words: new Set(text.toLowerCase().match(/\p{L}+/gu)),
    numbers: (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number),
  };
}

/** Words that some have and others not, and numbers by their size. */
function questionsOf(read: readonly Reading[]): readonly Question[] {
  const counts = new Map<string, number>();
  for (const { words } of read) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const few = Math.max(2, read.length / 32);
  const ofWords = [...counts]
    .filter(([, count]) => count >= few && count <= read.length - few)
    .map(
      ([word]): Question =>
        ({ words }) =>
          words.has(word),
    );
  const places = Math.max(0, ...read.map(({ numbers }) => numbers.length));
  const ofNumbers = Array.from({ length: Math.min(4, places) }, (_, place) => {
    const sizes = [...new Set(read.flatMap(({ numbers }) => numbers[place] ?? []))].toSorted((a, b) => a - b);
    const step = Math.max(1, Math.floor(sizes.length / 12));
    return sizes
      .filter((_size, index) => index % step === 0)
      .map(
        (size): Question =>
          ({ numbers }) =>
            (numbers[place] ?? -Infinity) > size,
      );
  }).flat();
  return [...ofWords, ...ofNumbers];
}

/** Asks first what leaves the fewest wrong. */
function grow(seen: readonly Seen[], questions: readonly Question[], left: number): Node {
  const most = commonest(seen.map(({ right }) => right));
  if (left === 0 || seen.every(({ right }) => right === most)) return most;
  let best: { readonly asks: Question; readonly pure: number } | undefined;
  for (const asks of questions) {
    const pure = purity(seen, asks);
    if (pure > (best?.pure ?? 0)) best = { asks, pure };
  }
  if (!best) return most;
  const { asks } = best;
  const yes = seen.filter(({ reading }) => asks(reading));
  const no = seen.filter(({ reading }) => !asks(reading));
  if (yes.length === 0 || no.length === 0) return most;
  return { asks, yes: grow(yes, questions, left - 1), no: grow(no, questions, left - 1) };
}

/** How well a question parts what is right: the sum over both sides of the squared counts over their size. */
function purity(seen: readonly Seen[], asks: Question): number {
  const sides = [new Map<string, number>(), new Map<string, number>()];
  const sizes = [0, 0];
  for (const { reading, right } of seen) {
    const side = asks(reading) ? 1 : 0;
    sides[side]!.set(right, (sides[side]!.get(right) ?? 0) + 1);
    sizes[side]! += 1;
  }
  return sides.reduce(
    (sum, side, index) =>
      sum +
      [...side.values()].reduce((squares, count) => squares + count ** 2, 0) / Math.max(1, sizes[index]!),
    0,
  );
}

function commonest(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), ['', 0] as readonly [
    string,
    number,
  ])[0];
}

function share<Item>(items: readonly Item[], holds: (item: Item, index: number) => boolean): number {
  return items.filter(holds).length / Math.max(1, items.length);
}
