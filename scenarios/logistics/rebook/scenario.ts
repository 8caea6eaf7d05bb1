import { dice, scenario } from 'whetstone/scenario';

// Written in TypeScript because the right sailing is looked for among some hundreds, and because a message of the customer
// comes in as soon as something is booked.

const { from, happens, one, some } = dice(77_034);

const ports = { from: ['Hamburg', 'Rotterdam'], to: ['Santos', 'Singapore', 'Durban'] } as const;
const carriers = ['Nordlinie', 'Pacora', 'Blue Delta', 'Vasco Lines'];
const goodsOf = {
  none: 'machine parts',
  '3': 'paint (class 3)',
  '8': 'battery acid (class 8)',
  '9': 'lithium cells (class 9)',
};
type Class = keyof typeof goodsOf;

function day(number: number): string {
  return new Date(Date.UTC(2026, 8, 1) + number * 86_400_000).toISOString().slice(0, 10);
}

interface Sailing {
  readonly sailing: string;
  readonly carrier: string;
  readonly cut_off: string;
  readonly arrives: string;
  /** Containers for which there is room. */
  readonly free: number;
  /** How many of them may be cooled. */
  readonly plugs: number;
  readonly dangerous: readonly string[];
  /** For one container. */
  readonly price: number;
}

interface Route {
  readonly from: string;
  readonly to: string;
  readonly sailings: readonly Sailing[];
}

const pageSize = 15;

/** Six routes with sixty sailings each, by their cut-off. */
const routes: readonly Route[] = ports.from.flatMap((start, out) =>
  ports.to.map((end, way) => ({
    from: start,
    to: end,
    sailings: Array.from({ length: 60 }, (_, number) => {
      const cutOff = number * 1.5 + from(0, 1);
      const free = from(1, 14);
      return {
        sailing: `${start[0]}${end[0]}${300 + out * 180 + way * 60 + number}`,
        carrier: one(carriers),
        cut_off: day(Math.floor(cutOff)),
        arrives: day(Math.floor(cutOff) + from(17, 38)),
        free,
        plugs: happens(0.6) ? from(0, free) : 0,
        dangerous: some(['3', '8', '9'], from(0, 3)).toSorted(),
        price: from(72, 260) * 10,
      };
    }),
  })),
);

interface Wish {
  readonly containers: number;
  readonly chilled: boolean;
  readonly dangerous: Class;
  readonly ready: string;
  readonly due: string;
  readonly not_with: string;
}

/** The cheapest that suits; of two at one price the one that arrives first. */
function best({ sailings }: Route, wish: Wish): Sailing | undefined {
  return sailings
    .filter(
      ({ carrier, cut_off: cutOff, arrives, free, plugs, dangerous }) =>
        carrier !== wish.not_with &&
        cutOff >= wish.ready &&
        arrives <= wish.due &&
        free >= wish.containers &&
        (!wish.chilled || plugs >= wish.containers) &&
        (wish.dangerous === 'none' || dangerous.includes(wish.dangerous)),
    )
    .toSorted((a, b) => a.price - b.price || a.arrives.localeCompare(b.arrives))[0];
}

/** What the customer may write as soon as something is booked. */
function change(wish: Wish): { readonly says: string; readonly wish: Wish } {
  const kind = one(['more', 'sooner', 'later', 'chilled', 'carrier'] as const);
  if (kind === 'more') {
    const containers = wish.containers + from(1, 3);
    return {
      says: `We need room for ${containers} containers in all, no longer ${wish.containers}.`,
      wish: { ...wish, containers },
    };
  }
  if (kind === 'sooner' || kind === 'later') {
    const due = day(
      (Date.parse(wish.due) - Date.UTC(2026, 8, 1)) / 86_400_000 +
        (kind === 'sooner' ? -from(4, 9) : from(3, 8)),
    );
    return { says: `The goods must be there by ${due}, no longer by ${wish.due}.`, wish: { ...wish, due } };
  }
  if (kind === 'chilled') {
    const says = wish.chilled
      ? 'The goods need not be chilled after all.'
      : 'The goods must be chilled after all.';
    return { says, wish: { ...wish, chilled: !wish.chilled } };
  }
  const other = one(carriers.filter((carrier) => carrier !== wish.not_with));
  return {
    says: `Not with ${other} either way; ${wish.not_with} would be fine now.`,
    wish: { ...wish, not_with: other },
  };
}

function pageOf({ sailings }: Route, wanted: Sailing | undefined, wish: Wish): number {
  const place = wanted
    ? sailings.indexOf(wanted)
    : sailings.findIndex(({ cut_off: cutOff }) => cutOff >= wish.ready);
  return Math.floor(place / pageSize) + 1;
}

function request(number: number) {
  const route = one(routes);
  const ready = from(4, 50);
  const wish: Wish = {
    containers: from(1, 5),
    chilled: happens(0.35),
    dangerous: one(['none', 'none', '3', '8', '9'] as const),
    ready: day(ready),
    due: day(ready + from(28, 46)),
    not_with: one(carriers),
  };
  const first = best(route, wish);
  const changed = first && happens(0.75) ? change(wish) : undefined;
  const second = changed ? best(route, changed.wish) : first;
  const moves = changed !== undefined && second !== first;
  const last = changed?.wish ?? wish;
  return {
    id: `B-${4100 + number}`,
    from: route.from,
    to: route.to,
    goods: goodsOf[wish.dangerous],
    wish,
    first: first?.sailing ?? 'none',
    first_page: pageOf(route, first, wish),
    second: second?.sailing ?? 'none',
    second_page: pageOf(route, second, last),
    says: changed?.says ?? '',
    changes: changed ? 'yes' : 'no',
    moves: moves ? 'yes' : 'no',
    containers: last.containers,
    total: second ? last.containers : 0,
    known: ['request', 'first', ...(changed ? ['change'] : [])],
    outcome: first === undefined ? 'nothing_fits' : moves ? 'rebooked' : 'booked',
    // More containers on the same ship, or a ship that no longer is to be had: neither is asked for here.
    isPlain: !changed || (second !== undefined && (moves || last.containers === wish.containers)),
  };
}

/** Of those for which nothing fits, one in three. */
const requests = Array.from({ length: 3_000 }, (_, number) => request(number)).filter(
  ({ isPlain, outcome }, number) =>
    isPlain && (outcome === 'rebooked' || number % (outcome === 'booked' ? 2 : 3) === 0),
);

interface Desk {
  readonly request: Readonly<Record<string, string | number | boolean>>;
  readonly pages: { readonly first: number; readonly second: number };
  /** What the customer writes after the first booking; empty once it was read. */
  readonly message: string;
  /** Containers, by sailing. */
  readonly bookings: Readonly<Record<string, number>>;
  readonly total: number;
}

function withBookings(desk: Desk, bookings: Desk['bookings']): Desk {
  return {
    ...desk,
    bookings,
    total: Object.values(bookings).reduce((sum, containers) => sum + containers, 0),
  };
}

function routeOf(start: string, end: string): Route | undefined {
  const same = (one_: string, other: string) => one_.toLowerCase() === other.trim().toLowerCase();
  return routes.find((route) => same(route.from, start) && same(route.to, end));
}

const port = { type: 'string' } as const;
const sailing = { type: 'string', description: 'its number, such as HS301' } as const;
const pages = [1, 2, 3, 4] as const;

export const rebook = scenario({
  name: 'A booking that changes',
  version: '1.0',
  description:
    'Containers are to be booked on the cheapest of some hundred sailings that suits. The carrier’s system fails at first, and as soon as something is booked the customer writes: it may change what is right, or not.',
  shape: 'decision',
  canary: 'whet-canary-0d7e55-rebook',
  vary: {
    case: requests,
    late: [
      { times: 1, error: 'The carrier does not answer. Nothing was booked: try again.' },
      { times: 2, error: '503 from the carrier. Nothing was booked: try again.' },
    ],
  },
  briefing: `You book containers on ships. Read request \${case.id}, look through the sailings of its route, book, and finish. The rules:
1. A sailing suits when its cut-off is not before the goods are ready, it arrives by the day they are due, it has room for all the
   containers, plugs for all of them where they must be chilled, takes their class of dangerous goods where they have one, and
   is not with the carrier that the customer does not want.
2. Book the cheapest that suits; of two at one price the one that arrives first. One sailing takes all the containers.
3. When the customer writes while you are at it, look again. Where the booking is still the cheapest that suits, leave it. Where
   it is not, cancel it and book the one that is.
4. Finish with nothing_fits where no sailing suits, with rebooked where you had to change the booking, else with booked.`,
  person: {
    name: 'The desk',
    closes: 'Noted.',
    lines: {
      listening: 'Noted.',
      notUnderstood: 'Nobody is here to answer that.',
      notKnown: 'Nobody is here to answer that.',
    },
  },
  limits: { turns: 16, reads: 14 },
  credit: { discovery: 2, calls: 8 },
  ends: ['finish'],
  tools: [
    {
      id: 'read_request',
      type: 'function',
      name: 'Read the request',
      description: 'What is to be shipped, from where to where, and when',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: {} },
    },
    {
      id: 'list_sailings',
      type: 'function',
      name: 'List sailings',
      description: `The sailings of a route by their cut-off, ${pageSize} a page, with price for one container`,
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: {
          from: port,
          to: port,
          page: { type: 'integer', minimum: 1, description: '1 when left out' },
        },
        required: ['from', 'to'],
      },
    },
    {
      id: 'book_sailing',
      type: 'function',
      writes: true,
      name: 'Book a sailing',
      description: 'Book room for containers on a sailing',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: { sailing, containers: { type: 'integer', minimum: 1 } },
        required: ['sailing', 'containers'],
      },
    },
    {
      id: 'cancel_booking',
      type: 'function',
      writes: true,
      name: 'Cancel a booking',
      description: 'Cancel what was booked on a sailing',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { sailing }, required: ['sailing'] },
    },
    {
      id: 'finish',
      type: 'decision',
      name: 'Finish',
      description: 'How it went',
      mode: 'options',
      options: ['withdrawn', 'nothing_fits', 'rebooked', 'booked'],
    },
  ],
  world: {
    request: {
      request: '${case.id}',
      from: '${case.from}',
      to: '${case.to}',
      goods: '${case.goods}',
      containers: '${case.wish.containers}',
      chilled: '${case.wish.chilled}',
      ready: '${case.wish.ready}',
      due: '${case.wish.due}',
      not_with: '${case.wish.not_with}',
    },
    pages: { first: '${case.first_page}', second: '${case.second_page}' },
    message: '${case.says}',
    bookings: {},
    total: 0,
  } as unknown as Desk,
  faults: [
    {
      tool: 'book_sailing',
      times: '${late.times}',
      error: '${late.error}',
      when: { 'case.outcome': ['booked', 'rebooked'] },
    },
  ],
  code: {
    read_request: ({ request: wanted }) => ({ output: wanted, reveals: ['request'] }),
    list_sailings: ({ request: wanted, pages: { first, second } }, { from: start, to: end, page = 1 }) => {
      const route = routeOf(start, end);
      if (!route) return { output: `There are no sailings from ${start} to ${end}.`, isError: true };
      const last = Math.ceil(route.sailings.length / pageSize);
      if (page > last) return { output: `There are ${last} pages.`, isError: true };
      const isAsked = route.from === wanted['from'] && route.to === wanted['to'];
      return {
        output: {
          page,
          pages: last,
          sailings: route.sailings.slice((page - 1) * pageSize, page * pageSize).map((each) => ({ ...each })),
        },
        reveals: isAsked
          ? [
              ...(page === first ? (['first'] as const) : []),
              ...(page === second ? (['second'] as const) : []),
            ]
          : [],
      };
    },
    book_sailing: (desk, { sailing: wanted, containers }) => {
      const number = wanted.trim().toUpperCase();
      const found = routes.flatMap(({ sailings }) => sailings).find((each) => each.sailing === number);
      if (!found) return { output: `There is no sailing ${wanted}.`, isError: true };
      if (desk.bookings[number] !== undefined)
        return {
          output: `${number} is booked already, for ${desk.bookings[number]}. Cancel that first.`,
          isError: true,
        };
      if (containers > found.free) return { output: `${number} has room for ${found.free}.`, isError: true };
      return {
        world: { ...withBookings(desk, { ...desk.bookings, [number]: containers }), message: '' },
        output: {
          booked: number,
          containers,
          ...(desk.message !== '' && { 'new message from the customer': desk.message }),
        },
        reveals: desk.message === '' ? [] : ['change'],
      };
    },
    cancel_booking: (desk, { sailing: wanted }) => {
      const number = wanted.trim().toUpperCase();
      if (desk.bookings[number] === undefined)
        return { output: `Nothing is booked on ${wanted}.`, isError: true };
      const { [number]: _, ...left } = desk.bookings;
      return { world: withBookings(desk, left), output: { cancelled: number } };
    },
  },
  facts: [
    {
      id: 'request',
      is: '${case.wish.containers} containers of ${case.goods} from ${case.from} to ${case.to}, ready ${case.wish.ready}, due ${case.wish.due}, not with ${case.wish.not_with}.',
      reveal: 'hidden',
    },
    {
      id: 'first',
      is: 'Page ${case.first_page} of the sailings was read, where what is right at first stands.',
      reveal: 'hidden',
      weight: 3,
    },
    {
      id: 'change',
      is: 'The customer writes: ${case.says}',
      reveal: 'hidden',
      when: { 'case.changes': 'yes' },
    },
    {
      id: 'second',
      is: 'Page ${case.second_page} was read, where what is right then stands.',
      reveal: 'hidden',
      when: { 'case.changes': 'yes' },
    },
  ],
  expect: [
    {
      id: 'book',
      when: { 'case.outcome': ['booked', 'rebooked'] },
      call: 'book_sailing',
      weight: 3,
      after: ['request', 'first'],
      input: { sailing: { equal: '${case.first}', weight: 3 }, containers: '${case.wish.containers}' },
    },
    {
      id: 'cancel',
      when: { 'case.moves': 'yes' },
      call: 'cancel_booking',
      weight: 1,
      after: ['request', 'change', 'second'],
      input: { sailing: '${case.first}' },
    },
    {
      id: 'book_again',
      when: { 'case.moves': 'yes' },
      call: 'book_sailing',
      weight: 3,
      after: ['request', 'change', 'second'],
      input: { sailing: { equal: '${case.second}', weight: 3 }, containers: '${case.containers}' },
    },
    { id: 'finish', call: 'finish', weight: 1, after: '${case.known}', input: { value: '${case.outcome}' } },
  ],
  criteria: {
    success: [
      {
        id: 'booked_right',
        text: 'At the end what is right is booked, and nothing else.',
        check: {
          all: [
            { world: { total: '${case.total}' } },
            {
              when: { 'case.outcome': ['booked', 'rebooked'] },
              world: { 'bookings.${case.second}': '${case.containers}' },
            },
          ],
        },
      },
    ],
  },
  paths: {
    gold: [
      { say: 'I read the request.', calls: [{ name: 'read_request', input: {} }] },
      {
        say: 'I look through the sailings.',
        calls: pages.map((page) => ({
          name: 'list_sailings' as const,
          input: { from: '${case.from}', to: '${case.to}', page },
        })),
      },
      {
        when: { 'case.outcome': ['booked', 'rebooked'] },
        say: 'I book the cheapest that suits.',
        calls: [
          {
            name: 'book_sailing',
            input: { sailing: '${case.first}', containers: '${case.wish.containers}' },
          },
          {
            when: { 'late.times': 2 },
            name: 'book_sailing',
            input: { sailing: '${case.first}', containers: '${case.wish.containers}' },
          },
        ],
      },
      {
        when: { 'case.outcome': ['booked', 'rebooked'] },
        say: 'The carrier did not answer, so I try again.',
        calls: [
          {
            name: 'book_sailing',
            input: { sailing: '${case.first}', containers: '${case.wish.containers}' },
          },
        ],
      },
      {
        when: { 'case.moves': 'yes' },
        say: 'That changes what is cheapest, so I book anew.',
        calls: [
          { name: 'cancel_booking', input: { sailing: '${case.first}' } },
          { name: 'book_sailing', input: { sailing: '${case.second}', containers: '${case.containers}' } },
        ],
      },
      { say: 'It is done.', calls: [{ name: 'finish', input: { value: '${case.outcome}' } }] },
    ],
    margin: 0.01,
    flawed: [
      {
        id: 'does-not-read-the-message',
        kind: 'incomplete',
        when: { 'case.moves': 'yes' },
        at_most: 0.35,
        turns: [{ gold: '1-4' }, { say: 'Done.', calls: [{ name: 'finish', input: { value: 'booked' } }] }],
      },
      {
        id: 'does-not-try-again',
        kind: 'incomplete',
        when: { 'case.outcome': ['booked', 'rebooked'] },
        at_most: 0.2,
        turns: [
          { gold: '1-3' },
          { say: 'Done.', calls: [{ name: 'finish', input: { value: '${case.outcome}' } }] },
        ],
      },
      { id: 'looks-only', kind: 'incomplete', turns: [{ gold: '1-2' }, { say: 'I see.' }] },
      {
        id: 'books-unread',
        kind: 'too_early',
        at_most: 0.06,
        when: { 'case.outcome': ['booked', 'rebooked'] },
        turns: [{ gold: '3-6' }],
      },
      {
        id: 'finishes-unread',
        kind: 'too_early',
        at_most: 0.05,
        turns: [{ say: 'Done.', calls: [{ name: 'finish', input: { value: 'nothing_fits' } }] }],
      },
    ],
  },
});
