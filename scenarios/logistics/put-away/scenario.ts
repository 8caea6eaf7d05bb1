import { dice, scenario } from 'whetstone/scenario';

// Written in TypeScript because the stock is a ledger: each move takes from one place and gives to another, bins have room
// for so much, and any way that ends in the right balances is right.

const { from, one, some } = dice(48_112);

const kinds = ['dry', 'cold', 'hazard'] as const;
type Kind = (typeof kinds)[number];

const goods: Readonly<Record<Kind, readonly string[]>> = {
  dry: ['paper rolls', 'work gloves', 'cable drums', 'shelf boards', 'plastic crates'],
  cold: ['yoghurt base', 'cut flowers', 'vaccine packs', 'butter blocks'],
  hazard: ['paint thinner', 'lithium cells', 'pool chlorine', 'lighter gas'],
};

interface Bin {
  readonly bin: string;
  readonly kind: Kind;
  readonly room: number;
}

interface Line {
  readonly sku: string;
  readonly goods: string;
  readonly kind: Kind;
  readonly ordered: number;
  readonly counted: number;
  readonly damaged: number;
}

function bins(needs: readonly { readonly kind: Kind; readonly keep: number }[]): readonly Bin[] {
  const free = new Map<Kind, number>();
  for (const { kind, keep } of needs) free.set(kind, (free.get(kind) ?? 0) + keep);
  return kinds.flatMap((kind, aisle) => {
    const need = free.get(kind) ?? 0;
    // Together they hold more than enough; one alone seldom does.
    const shares = [0.8, 0.6, 0.5, 0, 0.3].map(
      (share) => Math.round(need * share) + (share === 0 ? 0 : from(1, 6)),
    );
    return some(shares).map((room, place) => ({
      bin: `${'DKH'[aisle]}${10 + place * 3 + from(0, 2)}`,
      kind,
      room,
    }));
  });
}

function receipt(number: number) {
  const lines = some([...kinds, one(kinds)], 4).map((kind, place): Line => {
    const ordered = from(30, 95);
    const fate = one(['right', 'right', 'right', 'more', 'more', 'short', 'damaged more']);
    const damaged = fate === 'short' ? from(0, 9) : fate === 'damaged more' ? from(1, 16) : 0;
    const counted =
      fate === 'right'
        ? ordered
        : fate === 'short'
          ? ordered - from(1, 14)
          : fate === 'more'
            ? ordered + from(1, 24)
            : ordered + damaged + from(0, 12);
    return {
      sku: `S${20_000 + number * 4 + place}`,
      goods: one(goods[kind]),
      kind,
      ordered,
      counted,
      damaged,
    };
  });
  const told = lines.map((line) => {
    const sound = line.counted - line.damaged;
    const keep = Math.min(sound, line.ordered);
    return { ...line, keep, returns: sound - keep, isShort: sound < line.ordered };
  });
  const places = bins(told);
  const left = new Map(places.map(({ bin, room }) => [bin, room]));
  const put = told.map((line) => {
    const moves: { bin: string; quantity: number }[] = [];
    let rest = line.keep;
    for (const { bin, kind } of places.toSorted((a, b) => left.get(b.bin)! - left.get(a.bin)!)) {
      const quantity = Math.min(rest, left.get(bin)!);
      if (kind !== line.kind || quantity === 0) continue;
      left.set(bin, left.get(bin)! - quantity);
      rest -= quantity;
      moves.push({ bin, quantity });
    }
    const bad = line.damaged > 0 ? 'some' : 'none';
    const over = line.returns > 0 ? 'some' : 'none';
    const allowed = places.filter(({ kind }) => kind === line.kind).map(({ bin }) => bin);
    const last = moves.length;
    while (moves.length < 2) moves.push({ bin: '', quantity: 0 });
    return { ...line, bad, over, moves, allowed, last };
  });
  return {
    id: `GR-${700 + number}`,
    lines,
    bins: places,
    l1: put[0]!,
    l2: put[1]!,
    l3: put[2]!,
    l4: put[3]!,
    // A receipt may be short, and all that came be right.
    apart: put.some(({ damaged, returns }) => damaged + returns > 0) ? 'some' : 'none',
    outcome: put.some(({ isShort }) => isShort)
      ? 'short'
      : put.some(({ damaged }) => damaged > 0)
        ? 'claim'
        : put.some(({ returns }) => returns > 0)
          ? 'surplus'
          : 'as_ordered',
  };
}

/** Those that can be put away in one or two moves each. */
const receipts = Array.from({ length: 1_500 }, (_, number) => receipt(number)).filter((one) =>
  [one.l1, one.l2, one.l3, one.l4].every(({ last }) => last <= 2),
);

interface Balance {
  readonly dock: number;
  readonly stored: number;
  readonly quarantine: number;
  readonly returns: number;
}

interface Move {
  readonly sku: string;
  readonly quantity: number;
  readonly from: string;
  readonly to: string;
}

interface Store {
  readonly lines: readonly Line[];
  readonly bins: readonly Bin[];
  readonly ledger: readonly Move[];
  /** What the ledger adds up to, by article. */
  readonly balances: Readonly<Record<string, Balance>>;
}

/** How much of an article the ledger has at a place; all articles when none is named. */
function at({ lines, ledger }: Store, place: string, sku?: string): number {
  const began =
    place === 'dock'
      ? lines.filter((line) => line.sku === sku).reduce((sum, { counted }) => sum + counted, 0)
      : 0;
  return ledger
    .filter((move) => sku === undefined || move.sku === sku)
    .reduce(
      (sum, { quantity, from: source, to }) =>
        sum + (to === place ? quantity : 0) - (source === place ? quantity : 0),
      began,
    );
}

function balanced(store: Store): Store {
  const balances = Object.fromEntries(
    store.lines.map(({ sku }) => [
      sku,
      {
        dock: at(store, 'dock', sku),
        stored: store.bins.reduce((sum, { bin }) => sum + at(store, bin, sku), 0),
        quarantine: at(store, 'quarantine', sku),
        returns: at(store, 'returns', sku),
      },
    ]),
  );
  return { ...store, balances };
}

const numbers = [1, 2, 3, 4] as const;
const sku = { type: 'string', description: 'the number of the article, such as S20001' } as const;
const place = (what: string) =>
  ({ type: 'string', description: `${what}: dock, quarantine, returns, or a bin` }) as const;

export const putAway = scenario({
  name: 'A delivery to put away',
  version: '1.0',
  description:
    'Four articles stand at the dock. Count them, and post moves until the ledger of stock is right: what is damaged, what is too much, and what goes into bins that have room. There is more than one right way.',
  shape: 'decision',
  kind: 'ledger of stock',
  canary: 'whet-canary-a61d38-put-away',
  vary: {
    case: receipts,
    dock: ['gate 2', 'gate 5', 'gate 7'],
  },
  briefing: `You receive goods in a warehouse. Delivery \${case.id} stands at \${dock}: four articles, all of them booked on the dock as they were
unloaded. Put them away, and close the receipt. The rules:
1. Read the order, and count each article before anything of it is moved.
2. Damaged pieces go to quarantine.
3. Of the sound pieces, what is more than was ordered goes to returns.
4. The other sound pieces go into bins of their kind (dry, cold, hazard), as far as a bin has room. Which bins you take is up
   to you, and an article may lie in several. At the end nothing is left on the dock.
5. Close the receipt with the first of these that is so: short, where fewer sound pieces of any article came than were
   ordered; claim, where anything was damaged; surplus, where anything goes back; otherwise as_ordered.`,
  person: {
    name: 'The desk',
    closes: 'Noted.',
    lines: {
      listening: 'Noted.',
      notUnderstood: 'Nobody is here to answer that.',
      notKnown: 'Nobody is here to answer that.',
    },
  },
  limits: { turns: 16, reads: 12 },
  credit: { discovery: 1, calls: 9 },
  ends: ['close_receipt'],
  tools: [
    {
      id: 'read_order',
      type: 'function',
      name: 'Read the order',
      description: 'The articles of the delivery, of which kind they are, and how many were ordered',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: {} },
    },
    {
      id: 'count_article',
      type: 'function',
      name: 'Count an article',
      description: 'How many pieces stand at the dock, and how many of them are damaged',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { sku }, required: ['sku'] },
    },
    {
      id: 'look_at_bins',
      type: 'function',
      name: 'Look at the bins',
      description: 'The bins of a kind, and for how many pieces each still has room',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: { kind: { enum: ['dry', 'cold', 'hazard'] } },
        required: ['kind'],
      },
    },
    {
      id: 'post_move',
      type: 'function',
      writes: true,
      name: 'Post a move',
      description: 'Move so many pieces of an article from one place to another',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: {
          sku,
          quantity: { type: 'integer', minimum: 1, description: 'in pieces' },
          from: place('where they are'),
          to: place('where they go'),
        },
        required: ['sku', 'quantity', 'from', 'to'],
      },
    },
    {
      id: 'close_receipt',
      type: 'decision',
      name: 'Close the receipt',
      description: 'How the delivery was',
      mode: 'options',
      options: ['as_ordered', 'surplus', 'claim', 'short'],
    },
  ],
  world: {
    lines: '${case.lines}',
    bins: '${case.bins}',
    ledger: [],
    balances: {},
  } as unknown as Store,
  code: {
    read_order: ({ lines }) => ({
      output: lines.map(({ sku: article, goods: name, kind, ordered }) => ({
        sku: article,
        goods: name,
        kind,
        ordered,
      })),
    }),
    count_article: ({ lines }, { sku: wanted }) => {
      const found = lines.findIndex((line) => line.sku === wanted.trim().toUpperCase());
      if (found < 0) return { output: `No article ${wanted} is in this delivery.`, isError: true };
      const { sku: article, counted, damaged } = lines[found]!;
      return { output: { sku: article, counted, damaged }, reveals: [`count_${found + 1}` as 'count_1'] };
    },
    look_at_bins: (store, { kind }) => ({
      output: store.bins
        .filter((bin) => bin.kind === kind)
        .map(({ bin, room }) => ({ bin, room: room - at(store, bin) })),
    }),
    post_move: (store, { sku: article, quantity, from: source, to }) => {
      const [wanted, start, end] = [article.trim().toUpperCase(), nameOf(source), nameOf(to)];
      const line = store.lines.find((each) => each.sku === wanted);
      if (!line) return { output: `No article ${article} is in this delivery.`, isError: true };
      const bin = store.bins.find((each) => each.bin === end);
      if (!bin && !['dock', 'quarantine', 'returns'].includes(end))
        return { output: `There is no place ${to}.`, isError: true };
      const there = at(store, start, wanted);
      if (there < quantity)
        return {
          output: `At ${source} there are ${there} pieces of ${wanted}: ${quantity} cannot be moved.`,
          isError: true,
        };
      if (bin && bin.kind !== line.kind)
        return {
          output: `Bin ${bin.bin} is for ${bin.kind} goods, and ${wanted} is ${line.kind}.`,
          isError: true,
        };
      const room = bin ? bin.room - at(store, bin.bin) : Infinity;
      if (quantity > room) return { output: `Bin ${end} has room for ${room} more.`, isError: true };
      const world = balanced({
        ...store,
        ledger: [...store.ledger, { sku: wanted, quantity, from: start, to: end }],
      });
      return { world, output: { sku: wanted, ...world.balances[wanted] } };
    },
  },
  facts: numbers.map((number) => ({
    id: `count_${number}` as const,
    is: `\${case.l${number}.sku}: \${case.l${number}.ordered} ordered, \${case.l${number}.counted} counted, \${case.l${number}.damaged} damaged.`,
    reveal: 'hidden' as const,
  })),
  expect: [
    ...numbers.flatMap((number) => {
      const input = {
        sku: { equal: `\${case.l${number}.sku}`, weight: 0.2 },
        from: { equal: 'dock', weight: 0.2 },
      };
      const call = 'post_move' as const;
      const after = [`count_${number}` as const];
      return [
        {
          id: `store_${number}` as const,
          call,
          after,
          weight: 0.5,
          // Into which bin, and how many at once, is free: the balances say whether all of it lies there.
          input: {
            ...input,
            to: { one_of: `\${case.l${number}.allowed}` },
          },
        },
        {
          id: `quarantine_${number}` as const,
          when: { [`case.l${number}.bad`]: 'some' },
          call,
          after,
          weight: 2,
          input: {
            ...input,
            to: { equal: 'quarantine', weight: 0.3 },
            quantity: { equal: `\${case.l${number}.damaged}`, weight: 2 },
          },
        },
        {
          id: `returns_${number}` as const,
          when: { [`case.l${number}.over`]: 'some' },
          call,
          after,
          weight: 2,
          input: {
            ...input,
            to: { equal: 'returns', weight: 0.3 },
            quantity: { equal: `\${case.l${number}.returns}`, weight: 2 },
          },
        },
      ];
    }),
    {
      id: 'close',
      call: 'close_receipt',
      weight: 1,
      after: numbers.map((number) => `count_${number}` as const),
      input: { value: '${case.outcome}' },
    },
  ],
  criteria: {
    success: numbers.map((number) => ({
      id: `balance_${number}` as const,
      text: `Of article ${number} each piece lies where it belongs, and none on the dock.`,
      check: {
        world: {
          ...Object.fromEntries(
            (
              [
                ['dock', 0],
                ['stored', `\${case.l${number}.keep}`],
                ['quarantine', `\${case.l${number}.damaged}`],
                ['returns', `\${case.l${number}.returns}`],
              ] as const
            ).map(([name, value]) => [`balances.\${case.l${number}.sku}.${name}`, value]),
          ),
        },
      },
    })),
    scope: [
      {
        id: 'any_way',
        text: 'An article may go into several bins, and be moved again.',
        kind: 'may',
        check: { called: 'post_move' },
      },
    ],
  },
  paths: {
    gold: [
      { say: 'I read the order.', calls: [{ name: 'read_order', input: {} }] },
      {
        say: 'I count the articles.',
        calls: numbers.map((number) => ({
          name: 'count_article' as const,
          input: { sku: `\${case.l${number}.sku}` },
        })),
      },
      {
        say: 'Which bins have room?',
        calls: kinds.map((kind) => ({ name: 'look_at_bins' as const, input: { kind } })),
      },
      {
        say: 'I set apart what is damaged or too much.',
        calls: numbers.flatMap((number) => [
          {
            when: { [`case.l${number}.bad`]: 'some' },
            name: 'post_move' as const,
            input: {
              sku: `\${case.l${number}.sku}`,
              quantity: `\${case.l${number}.damaged}`,
              from: 'dock',
              to: 'quarantine',
            },
          },
          {
            when: { [`case.l${number}.over`]: 'some' },
            name: 'post_move' as const,
            input: {
              sku: `\${case.l${number}.sku}`,
              quantity: `\${case.l${number}.returns}`,
              from: 'dock',
              to: 'returns',
            },
          },
        ]),
      },
      {
        say: 'I put the rest away.',
        calls: numbers.flatMap((number) =>
          [0, 1].map((step) => ({
            when: { [`case.l${number}.last`]: [1, 2].filter((last) => last > step) },
            name: 'post_move' as const,
            input: {
              sku: `\${case.l${number}.sku}`,
              quantity: `\${case.l${number}.moves.${step}.quantity}`,
              from: 'dock',
              to: `\${case.l${number}.moves.${step}.bin}`,
            },
          })),
        ),
      },
      {
        say: 'The receipt is closed.',
        calls: [{ name: 'close_receipt', input: { value: '${case.outcome}' } }],
      },
    ],
    margin: 0.02,
    flawed: [
      {
        id: 'sets-nothing-apart',
        kind: 'incomplete',
        when: { 'case.apart': 'some' },
        at_most: 0.48,
        turns: [{ gold: '1-3' }, { gold: '5-6' }],
      },
      {
        id: 'puts-nothing-away',
        kind: 'incomplete',
        at_most: 0.45,
        turns: [{ gold: '1-3' }, { gold: 6 }],
      },
      { id: 'counts-only', kind: 'incomplete', turns: [{ gold: '1-3' }, { say: 'I see.' }] },
      { id: 'moves-uncounted', kind: 'too_early', at_most: 0.05, turns: [{ gold: '4-6' }] },
      {
        id: 'closes-uncounted',
        kind: 'too_early',
        at_most: 0.05,
        turns: [{ say: 'Done.', calls: [{ name: 'close_receipt', input: { value: 'as_ordered' } }] }],
      },
    ],
  },
});

/** As the ledger writes a place: bins in capitals. */
function nameOf(written: string): string {
  const name = written.trim();
  return /^[a-z]\d+$/i.test(name) ? name.toUpperCase() : name.toLowerCase();
}
