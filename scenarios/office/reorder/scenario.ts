import { scenario } from 'whetstone/scenario';

// Written in TypeScript because the right quantities are calculated from parts that vary by themselves, and because the
// storeroom has more rows than anybody would write down.

/** The same numbers in the same order, for everybody. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const roll = dice(20_260_601);
const from = (least: number, most: number): number => least + Math.floor(roll() * (most - least + 1));
const one = <Item>(items: readonly Item[]): Item => items[from(0, items.length - 1)]!;

interface Item {
  readonly id: string;
  readonly name: string;
  readonly shelf: string;
  readonly stock: number;
  readonly on_order: number;
  readonly least: number;
  readonly most: number;
  readonly pack: number;
  readonly status: 'active' | 'discontinued';
}

const goods = ['hinge', 'bracket', 'washer', 'castor', 'clip', 'dowel', 'plate', 'screw', 'seal', 'spring'];
const sizes = ['8 mm', '12 mm', '20 mm', '35 mm', '50 mm'];

function itemOn(shelf: string, id: string): Item {
  const least = from(4, 30) * 5;
  const most = least + from(6, 40) * 5;
  const isLow = roll() < 0.6;
  const there = isLow ? from(0, least - 1) : from(least, most);
  const onOrder = roll() < 0.35 ? from(0, there) : 0;
  return {
    id,
    name: `${one(goods)} ${one(sizes)}`,
    shelf,
    stock: there - onOrder,
    on_order: onOrder,
    least,
    most,
    pack: one([5, 6, 8, 10, 12, 25]),
    status: roll() < 0.15 ? 'discontinued' : 'active',
  };
}

/** What is to be ordered: nothing, or as many whole packs as bring the shelf to its most and not beyond. */
function due({ stock, on_order: onOrder, least, most, pack, status }: Item): number {
  const there = stock + onOrder;
  if (status === 'discontinued' || there >= least) return 0;
  return Math.floor((most - there) / pack) * pack;
}

const otherShelves = Array.from({ length: 30 }, (_, shelf) =>
  Array.from({ length: 4 }, (_item, place) => itemOn(`A${10 + shelf}`, `A${1000 + shelf * 4 + place}`)),
).flat();

const shelves = Array.from({ length: 2_500 }, (_, number) => {
  const shelf = `C${10 + (number % 80)}`;
  const items = Array.from({ length: 4 }, (_item, place) => itemOn(shelf, `C${1000 + number * 4 + place}`));
  const told = items.map((item) => ({ ...item, due: due(item), outcome: due(item) > 0 ? 'order' : 'leave' }));
  return {
    shelf,
    items: items.map((item) => ({ ...item })),
    i1: told[0]!,
    i2: told[1]!,
    i3: told[2]!,
    i4: told[3]!,
    first: told.find((item) => item.due > 0) ?? told[0]!,
    outcome: told.some((item) => item.due > 0) ? 'ordered' : 'nothing_to_order',
  };
});

interface Storeroom {
  readonly shelf: string;
  readonly items: readonly Item[];
  readonly others: readonly Item[];
  /** What was ordered here, by item. */
  readonly orders: Readonly<Record<string, number>>;
}

function itemIn({ items, others }: Storeroom, id: string): Item | undefined {
  return [...items, ...others].find((item) => item.id === id.trim().toUpperCase());
}

const itemId = { type: 'string', description: 'the number of the item' } as const;
const places = [1, 2, 3, 4] as const;
const unknown = (id: string) => ({ output: `There is no item ${id}.`, isError: true });

export const reorder = scenario({
  name: 'Four items on a shelf',
  version: '1.0',
  description:
    'A shelf of a storeroom is filled up again by its rule, in whole packs. Some items have enough, some are on order, some are discontinued, and the supplier’s system fails once.',
  shape: 'decision',
  kind: 'stock and a tool that fails',
  canary: 'whet-canary-51e0b3-reorder',
  vary: {
    case: shelves,
    late: [
      { error: 'The supplier does not answer. Nothing was ordered: try again.' },
      { error: 'Timeout at the supplier. Nothing was ordered: try again.' },
    ],
  },
  briefing: `You look after a storeroom. Go through shelf \${case.shelf}: look at each of its items, order what is to be ordered, and finish.
The rule: an item is ordered when what is there and what is on order already are together below its least. Then as many
whole packs are ordered as fit in: what is there, what is on order and what is ordered now may not be above its most.
Discontinued items are never ordered. Order each item once, and nothing of any other shelf.`,
  limits: { turns: 14, reads: 14 },
  credit: { discovery: 2, calls: 8 },
  ends: ['finish'],
  tools: [
    {
      id: 'list_shelf',
      type: 'function',
      name: 'List a shelf',
      description: 'The numbers and names of the items on a shelf',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: { shelf: { type: 'string', description: 'its name, such as A12' } },
        required: ['shelf'],
      },
    },
    {
      id: 'look_at_item',
      type: 'function',
      name: 'Look at an item',
      description: 'All that is known of an item: stock, what is on order, least, most, pack, status',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { item: itemId }, required: ['item'] },
    },
    {
      id: 'order_item',
      type: 'function',
      writes: true,
      name: 'Order an item',
      description: 'Order so many pieces of an item',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: { item: itemId, quantity: { type: 'integer', minimum: 1, description: 'in pieces' } },
        required: ['item', 'quantity'],
      },
    },
    {
      id: 'finish',
      type: 'decision',
      name: 'Finish',
      description: 'How it went',
      mode: 'options',
      options: ['nothing_to_order', 'ordered', 'shelf_unknown'],
    },
  ],
  world: {
    shelf: '${case.shelf}',
    items: '${case.items}',
    others: otherShelves,
    orders: {},
  } as unknown as Storeroom,
  faults: [{ tool: 'order_item', times: 1, error: '${late.error}', when: { 'case.outcome': 'ordered' } }],
  code: {
    list_shelf: ({ items, others }, { shelf }) => {
      const found = [...items, ...others].filter((item) => item.shelf === shelf.trim().toUpperCase());
      if (found.length === 0) return { output: `There is no shelf ${shelf}.`, isError: true };
      return { output: found.map(({ id, name }) => ({ id, name })) };
    },
    look_at_item: (room, { item: id }) => {
      const found = itemIn(room, id);
      if (!found) return unknown(id);
      const place = room.items.indexOf(found) + 1;
      return {
        output: { ...found, ordered_today: room.orders[found.id] ?? 0 },
        reveals: place > 0 ? [`item_${place}` as 'item_1'] : [],
      };
    },
    order_item: (room, { item: id, quantity }) => {
      const found = itemIn(room, id);
      if (!found) return unknown(id);
      if (quantity % found.pack !== 0)
        return {
          output: `${found.id} comes in packs of ${found.pack}: ${quantity} cannot be ordered.`,
          isError: true,
        };
      if (found.status === 'discontinued')
        return { output: `${found.id} is discontinued and cannot be ordered.`, isError: true };
      const ordered = (room.orders[found.id] ?? 0) + quantity;
      return {
        world: { ...room, orders: { ...room.orders, [found.id]: ordered } },
        output: { item: found.id, ordered_today: ordered },
      };
    },
  },
  facts: [
    { id: 'item_1', is: '${case.i1.id}: ${case.i1.outcome} ${case.i1.due}.', reveal: 'hidden' },
    { id: 'item_2', is: '${case.i2.id}: ${case.i2.outcome} ${case.i2.due}.', reveal: 'hidden' },
    { id: 'item_3', is: '${case.i3.id}: ${case.i3.outcome} ${case.i3.due}.', reveal: 'hidden' },
    { id: 'item_4', is: '${case.i4.id}: ${case.i4.outcome} ${case.i4.due}.', reveal: 'hidden' },
  ],
  expect: [
    ...places.map((place) => ({
      id: `order_${place}` as const,
      when: { [`case.i${place}.outcome`]: 'order' },
      call: 'order_item' as const,
      weight: 2,
      after: [`item_${place}` as 'item_1'],
      input: { item: { equal: `\${case.i${place}.id}`, weight: 0.2 }, quantity: `\${case.i${place}.due}` },
    })),
    {
      id: 'finish',
      call: 'finish',
      weight: 1,
      after: ['item_1', 'item_2', 'item_3', 'item_4'],
      input: { value: '${case.outcome}' },
    },
  ],
  criteria: {
    success: [
      {
        id: 'filled',
        text: 'What was ordered is what was to be ordered, of each item of the shelf.',
        check: {
          all: places.flatMap((place) => [
            {
              when: { [`case.i${place}.outcome`]: 'order' },
              world: { [`orders.\${case.i${place}.id}`]: `\${case.i${place}.due}` },
            },
            {
              when: { [`case.i${place}.outcome`]: 'leave' },
              world: { [`orders.\${case.i${place}.id}`]: { absent: true } },
            },
          ]),
        },
      },
      {
        id: 'nothing_else',
        text: 'Nothing of another shelf was ordered.',
        check: { world: { 'orders.A1000': { absent: true }, 'orders.A1040': { absent: true } } },
      },
    ],
  },
  paths: {
    gold: [
      { say: 'I list the shelf.', calls: [{ name: 'list_shelf', input: { shelf: '${case.shelf}' } }] },
      {
        say: 'I look at its items.',
        calls: places.map((place) => ({
          name: 'look_at_item' as const,
          input: { item: `\${case.i${place}.id}` },
        })),
      },
      {
        when: { 'case.outcome': 'ordered' },
        say: 'I order what is missing.',
        calls: [{ name: 'order_item', input: { item: '${case.first.id}', quantity: '${case.first.due}' } }],
      },
      {
        when: { 'case.outcome': 'ordered' },
        say: 'The supplier did not answer, so I try again, and order the rest.',
        calls: places.map((place) => ({
          when: { [`case.i${place}.outcome`]: 'order' },
          name: 'order_item' as const,
          input: { item: `\${case.i${place}.id}`, quantity: `\${case.i${place}.due}` },
        })),
      },
      { say: 'The shelf is done.', calls: [{ name: 'finish', input: { value: '${case.outcome}' } }] },
    ],
    margin: 0.03,
    flawed: [
      {
        id: 'does-not-try-again',
        kind: 'incomplete',
        at_most: 0.45,
        when: { 'case.outcome': 'ordered' },
        turns: [{ gold: '1-3' }, { say: 'Done.', calls: [{ name: 'finish', input: { value: 'ordered' } }] }],
      },
      { id: 'looks-only', kind: 'incomplete', turns: [{ gold: '1-2' }, { say: 'I see.' }] },
      {
        id: 'orders-unread',
        kind: 'too_early',
        at_most: 0.05,
        when: { 'case.outcome': 'ordered' },
        turns: [{ gold: '3-5' }],
      },
      {
        id: 'finishes-unread',
        kind: 'too_early',
        at_most: 0.05,
        turns: [{ say: 'Done.', calls: [{ name: 'finish', input: { value: 'nothing_to_order' } }] }],
      },
    ],
  },
});
