import { dice, scenario } from 'whetstone/scenario';

// Written in TypeScript because amounts are calculated by three sections of a long policy that depend on each other's facts.

const { happens, from, one } = dice(20_261_120);

function cents(amount: number): number {
  return Math.round(amount * 100 + 1e-6) / 100;
}

const modes = ['train', 'coach', 'short ferry', 'long ferry'] as const;
type Mode = (typeof modes)[number];

/** What a delay pays, from so many minutes on, and in which section that stands. */
const shares: Readonly<
  Record<Mode, { readonly rule: string; readonly steps: readonly (readonly [number, number])[] }>
> = {
  train: {
    rule: '7',
    steps: [
      [120, 0.5],
      [60, 0.25],
    ],
  },
  coach: {
    rule: '8',
    steps: [
      [120, 0.5],
      [90, 0.2],
    ],
  },
  'short ferry': {
    rule: '9',
    steps: [
      [120, 0.5],
      [60, 0.25],
    ],
  },
  'long ferry': {
    rule: '9',
    steps: [
      [360, 0.5],
      [180, 0.25],
    ],
  },
};

const causes = [
  { text: 'the harbour master closed the route because of the wind', rule: '12.1' },
  { text: 'a strike of our own crew', rule: '12.2' },
  { text: 'the engine broke down', rule: '12.2' },
  { text: 'the police closed the line: cattle on it', rule: '12.3' },
  { text: 'the road was closed by the authority after an accident of others', rule: '12.4' },
  { text: 'a signal failed', rule: '12.5' },
] as const;

/** What can happen to each of them. */
const causesOf: Readonly<Record<Mode, readonly number[]>> = {
  train: [1, 2, 3, 3, 5],
  coach: [1, 2, 3, 4, 4],
  'short ferry': [0, 0, 1, 2, 5],
  'long ferry': [0, 0, 1, 2, 5],
};

interface Leg {
  readonly mode: Mode;
  readonly price: number;
  readonly delay: number;
  readonly cause: (typeof causes)[number];
}

function compensation({ mode, price, delay, cause }: Leg): number {
  const share = shares[mode].steps.find(([least]) => delay >= least)?.[1] ?? 0;
  const isFerry = mode.endsWith('ferry');
  if (isFerry && cause.rule === '12.1') return 0;
  if (mode === 'coach' && cause.rule === '12.4') return 0;
  const due = cents(price * share * (mode === 'train' && cause.rule === '12.3' ? 0.5 : 1));
  return due < 4 ? 0 : due;
}

interface Cost {
  readonly kind: 'meal' | 'night' | 'taxi';
  readonly spent: number;
}

const sections = { meal: '21', night: '22', taxi: '23' } as const;

interface Arrival {
  readonly hour: number;
  readonly nextDay: boolean;
}

function costDue({ kind, spent }: Cost, { delay, cause, mode }: Leg, { hour, nextDay }: Arrival): number {
  if (kind === 'meal') return delay < 120 ? 0 : Math.min(spent, delay < 240 ? 12 : 24);
  if (kind === 'taxi') return hour < 5 ? Math.min(spent, 60) : 0;
  if (!nextDay) return 0;
  return Math.min(spent, mode.endsWith('ferry') && cause.rule === '12.1' ? 80 : 95);
}

const who = [
  'Ada Brandt',
  'Louis Okafor',
  'Mina Castellan',
  'Tom Reyes',
  'Irene Falk',
  'Sam Whitlock',
] as const;

const claims = Array.from({ length: 2_000 }, (_, number) => {
  const mode = one(modes);
  const base = mode === 'long ferry' ? one([150, 200, 300, 400]) : one([45, 75, 100, 180, 250]);
  const delay = base + from(-25, 35);
  const price = cents(from(180, mode === 'long ferry' ? 2400 : 1300) * 0.1);
  const cause = causes[one(causesOf[mode])]!;
  const leg: Leg = { mode, price, delay, cause };
  const nextDay = happens(0.35);
  const hour = nextDay ? from(7, 11) : one([1, 2, 16, 18, 20, 23, 0, 3]);
  const kind = nextDay ? one(['meal', 'night', 'night'] as const) : one(['meal', 'taxi', 'night'] as const);
  const cost: Cost = {
    kind,
    spent: cents(
      from(kind === 'meal' ? 60 : 300, kind === 'meal' ? 380 : kind === 'taxi' ? 820 : 1290) * 0.1,
    ),
  };
  const paid = compensation(leg);
  const costs = cents(costDue(cost, leg, { hour, nextDay }));
  const total = cents(paid + costs);
  return {
    booking: `B-${10_000 + number}`,
    traveller: one(who),
    vehicle: mode.endsWith('ferry') ? 'ferry' : mode,
    crossing:
      mode === 'short ferry'
        ? `${from(1, 3)} h ${from(10, 55)} min`
        : mode === 'long ferry'
          ? `${from(6, 13)} h`
          : '',
    price,
    fees: one([0, 0, 6, 9.5]),
    delay,
    cause: cause.text,
    arrived: `${String(hour).padStart(2, '0')}:${String(from(5, 55)).padStart(2, '0')}`,
    next_day: nextDay ? 'no, only the next morning' : 'yes',
    kind,
    spent: cost.spent,
    asks: cents(price + cost.spent + from(0, 60)),
    paid,
    costs,
    total,
    rules: [shares[mode].rule, cause.rule, sections[kind]],
    closes: total === 0 ? 'nothing_due' : total > 150 ? 'pass_on' : paid > 0 ? 'pay' : 'costs_only',
  };
});

interface Desk {
  readonly booking: string;
  readonly traveller: string;
  readonly vehicle: string;
  readonly crossing: string;
  readonly price: number;
  readonly fees: number;
  readonly delay: number;
  readonly cause: string;
  readonly arrived: string;
  readonly next_day: string;
  readonly kind: string;
  readonly spent: number;
  readonly asks: number;
}

const booking = { type: 'string', description: 'its number, such as B-10000' } as const;
const byBooking = { type: 'object', properties: { booking }, required: ['booking'] } as const;
const unknown = (id: string) => ({ output: `There is no booking ${id}.`, isError: true });
const all = ['claim', 'leg', 'record', 'receipt'] as const;

export const delayClaim = scenario({
  name: 'Late, and out of pocket',
  version: '1.0',
  description:
    'A claim for a delay is settled by a policy of 45 sections, of which three matter: how long, by whose fault, and what was spent.',
  shape: 'decision',
  kind: 'long policy',
  canary: 'whet-canary-5f61ad-delay-claim',
  vary: {
    case: claims,
    letter: [
      'I have never been so angry.',
      'A friend of mine got everything back last year.',
      'I am sure that you will find a fair solution.',
      'If this is not paid by Friday, my lawyer will write to you.',
    ],
  },
  briefing: `You settle claims of travellers who were late. Read the claim for the booking \${case.booking}, look up the leg, the record of
the journey and the receipt, and settle it by the conditions below: the compensation, the costs, and the three sections
that decide them (the one for the vehicle, the one for the cause with its number such as 12.5, and the one for the kind of
cost, also where nothing is due by it). Then close it: "pass_on" where section 33 says so; else "pay" where compensation
is due, "costs_only" where only costs are, and "nothing_due" where neither is.`,
  documents: [{ file: 'documents/policy.md', title: 'The conditions', for: 'operator' }],
  limits: { turns: 12, reads: 8 },
  credit: { discovery: 1, calls: 9 },
  ends: ['close_claim'],
  tools: [
    {
      id: 'read_claim',
      type: 'function',
      name: 'Read the claim',
      description: 'What the traveller writes and asks for',
      mode: 'json_schema',
      json_schema: byBooking,
    },
    {
      id: 'look_up_leg',
      type: 'function',
      name: 'Look up the leg',
      description: 'The vehicle, what was paid, and how long the leg is planned to take',
      mode: 'json_schema',
      json_schema: byBooking,
    },
    {
      id: 'look_up_record',
      type: 'function',
      name: 'Look up the record',
      description: 'The delay, its cause, and when and whether the journey went on',
      mode: 'json_schema',
      json_schema: byBooking,
    },
    {
      id: 'look_up_receipt',
      type: 'function',
      name: 'Look up the receipt',
      description: 'What was spent, and for what',
      mode: 'json_schema',
      json_schema: byBooking,
    },
    {
      id: 'settle',
      type: 'artifact',
      name: 'Settle the claim',
      description: 'Amounts to the cent, 0 where nothing is due, and the three sections',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: {
          compensation: { type: 'number', minimum: 0 },
          costs: { type: 'number', minimum: 0 },
          sections: { type: 'array', items: { type: 'string' }, description: 'such as 7 and 12.5' },
        },
        required: ['compensation', 'costs', 'sections'],
      },
    },
    {
      id: 'close_claim',
      type: 'decision',
      name: 'Close the claim',
      description: 'How it is closed',
      mode: 'options',
      options: ['nothing_due', 'pass_on', 'costs_only', 'pay'],
    },
  ],
  world: {
    booking: '${case.booking}',
    traveller: '${case.traveller}',
    vehicle: '${case.vehicle}',
    crossing: '${case.crossing}',
    price: '${case.price}',
    fees: '${case.fees}',
    delay: '${case.delay}',
    cause: '${case.cause}',
    arrived: '${case.arrived}',
    next_day: '${case.next_day}',
    kind: '${case.kind}',
    spent: '${case.spent}',
    asks: '${case.asks}',
    letter: '${letter}',
  } as unknown as Desk & { readonly letter: string },
  code: {
    read_claim: (desk, { booking: id }) =>
      id === desk.booking
        ? {
            output: { from: desk.traveller, booking: id, asks: `${desk.asks} in all`, letter: desk.letter },
            reveals: ['claim'],
          }
        : unknown(id),
    look_up_leg: (desk, { booking: id }) =>
      id === desk.booking
        ? {
            output: {
              vehicle: desk.vehicle,
              ...(desk.crossing === '' ? {} : { 'planned crossing': desk.crossing }),
              'paid in all': cents(desk.price + desk.fees),
              'of it for luggage and seats': desk.fees,
            },
            reveals: ['leg'],
          }
        : unknown(id),
    look_up_record: (desk, { booking: id }) =>
      id === desk.booking
        ? {
            output: {
              'minutes late': desk.delay,
              cause: desk.cause,
              'arrived at': desk.arrived,
              'went on the same day': desk.next_day,
            },
            reveals: ['record'],
          }
        : unknown(id),
    look_up_receipt: (desk, { booking: id }) =>
      id === desk.booking
        ? {
            output: {
              for: desk.kind === 'night' ? 'a night in a hotel' : `a ${desk.kind}`,
              amount: desk.spent,
            },
            reveals: ['receipt'],
          }
        : unknown(id),
  },
  facts: [
    { id: 'claim', is: 'What is asked for.', reveal: 'hidden' },
    { id: 'leg', is: '${case.vehicle} ${case.price}', reveal: 'hidden' },
    { id: 'record', is: '${case.delay} ${case.cause}', reveal: 'hidden' },
    { id: 'receipt', is: '${case.kind} ${case.spent}', reveal: 'hidden' },
  ],
  expect: [
    {
      id: 'settle',
      call: 'settle',
      weight: 3,
      after: [...all],
      input: {
        compensation: { near: '${case.paid}', within: 0.005 },
        costs: { near: '${case.costs}', within: 0.005 },
        sections: { list: '${case.rules}' },
      },
    },
    { id: 'close', call: 'close_claim', after: [...all], input: { value: '${case.closes}' } },
  ],
  paths: {
    gold: [
      {
        say: 'I read the claim and look everything up.',
        calls: [
          { name: 'read_claim', input: { booking: '${case.booking}' } },
          { name: 'look_up_leg', input: { booking: '${case.booking}' } },
          { name: 'look_up_record', input: { booking: '${case.booking}' } },
          { name: 'look_up_receipt', input: { booking: '${case.booking}' } },
        ],
      },
      {
        say: 'I settle it.',
        calls: [
          {
            name: 'settle',
            input: { compensation: '${case.paid}', costs: '${case.costs}', sections: '${case.rules}' },
          },
        ],
      },
      { say: 'Closed.', calls: [{ name: 'close_claim', input: { value: '${case.closes}' } }] },
    ],
    margin: 0.03,
    flawed: [
      {
        id: 'pays-what-is-asked-for',
        kind: 'wrong_input',
        at_most: 0.4,
        turns: [
          { gold: 1 },
          {
            say: 'I pay what was asked for.',
            calls: [
              {
                name: 'settle',
                input: { compensation: '${case.asks}', costs: '${case.spent}', sections: '${case.rules}' },
              },
            ],
          },
          { gold: 3 },
        ],
      },
      { id: 'decides-only', kind: 'incomplete', at_most: 0.25, turns: [{ gold: 1 }, { gold: 3 }] },
      { id: 'reads-only', kind: 'incomplete', turns: [{ gold: 1 }, { say: 'I see.' }] },
      { id: 'settles-unread', kind: 'too_early', at_most: 0.05, turns: [{ gold: '2-3' }] },
    ],
  },
});
