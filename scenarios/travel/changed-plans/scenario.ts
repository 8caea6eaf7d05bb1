import { dice, scenario } from 'whetstone/scenario';

// Written in TypeScript because the charge follows from day, hour, fare, reason and what is taken along together.

const { happens, from, one } = dice(20_261_205);

interface Departure {
  readonly id: string;
  readonly day: string;
  readonly leaves: string;
  readonly price: number;
  readonly dogs: boolean;
  readonly bicycles: boolean;
}

const days = [
  { day: 'Thursday', date: '2026-05-14', letter: 'K' },
  { day: 'Friday', date: '2026-05-15', letter: 'L' },
  { day: 'Sunday', date: '2026-05-17', letter: 'M' },
] as const;

const timetable: readonly Departure[] = days.flatMap(({ date, letter }) =>
  ['07:20', '09:45', '12:10', '14:35', '17:05', '19:40'].map((leaves, index) => ({
    id: `${letter}${index + 1}`,
    day: date,
    leaves,
    price: from(28, 64),
    dogs: happens(0.6),
    bicycles: happens(0.6),
  })),
);

const hours = [
  { from: '00:00', says: ['Any time. I am up early.', 'It does not matter when, the first one is fine.'] },
  { from: '12:00', says: ['Not before noon.', 'I cannot leave before twelve.'] },
  {
    from: '16:00',
    says: ['Not before four in the afternoon.', 'After four. I have things to do until then.'],
  },
] as const;

const extras = [
  { kind: 'none', costs: 0, says: ['Nothing. A handbag.', 'No, only a small bag.'] },
  { kind: 'dog', costs: 9, says: ['My dog. She has to come.', 'I will have a dog with me, a big one.'] },
  { kind: 'bicycle', costs: 6, says: ['My bicycle.', 'Yes, I am taking my bicycle along.'] },
] as const;

const reasons = [
  {
    kind: 'funeral',
    free: true,
    says: ['My aunt has died. The funeral is on that day.', 'There is a funeral in the family.'],
  },
  {
    kind: 'hospital',
    free: true,
    says: ['My father is in hospital.', 'They keep my son in hospital for some days.'],
  },
  {
    kind: 'work',
    free: false,
    says: ['My boss wants me to stay on.', 'A meeting was moved. Work, what else?'],
  },
  {
    kind: 'pleasure',
    free: false,
    says: ['It is so nice here that I want to stay.', 'Friends have asked me to stay longer.'],
  },
] as const;

const people = [
  { name: 'Nora Lind', manner: 'plain' },
  { name: 'Pete Dunn', manner: 'curt' },
  { name: 'Ines Vidal', manner: 'anxious' },
  { name: 'Gus Hale', manner: 'chatty' },
] as const;

const cases = Array.from({ length: 2_600 }, (_, number) => {
  const day = one(days);
  const hour = one(hours);
  const extra = one(extras);
  const reason = one(reasons);
  const fare = one(['saver', 'saver', 'flex'] as const);
  const paid = from(19, 49);
  const full = timetable.filter(() => happens(0.3)).map(({ id }) => id);
  const fits = timetable.find(
    ({ id, day: date, leaves, dogs, bicycles }) =>
      date === day.date &&
      leaves >= hour.from &&
      !full.includes(id) &&
      (extra.kind !== 'dog' || dogs) &&
      (extra.kind !== 'bicycle' || bicycles),
  );
  const fee = !fits || fare === 'flex' || reason.free ? 0 : 15;
  const charge = fits ? Math.max(0, fits.price - paid) + fee + extra.costs : 0;
  const limit = from(1, 11) * 5;
  const outcome = !fits ? 'referred' : charge <= limit ? 'changed' : 'kept';
  // Of what can be changed there would be too much, and of what cannot too little.
  if (outcome === 'changed' && happens(0.35)) return [];
  return [
    {
      booking: `W-${20_000 + number}`,
      fare,
      paid,
      full,
      day: day.date,
      says_day: one([
        `On ${day.day}.`,
        `${day.day} instead of Tuesday.`,
        `To ${day.day}, the ${day.date.slice(8)}th.`,
      ]),
      hour: hour.from,
      says_hour: one(hour.says),
      extra: extra.kind,
      says_extra: one(extra.says),
      reason: reason.kind,
      says_reason: one(reason.says),
      limit,
      says_limit: one([
        `${limit} at the very most.`,
        `Not more than ${limit}.`,
        `For ${limit} I would do it.`,
      ]),
      departure: fits?.id ?? 'none',
      fee,
      charge,
      outcome,
    },
  ];
})
  .flat()
  .slice(0, 1_200);

interface World {
  readonly booking: string;
  readonly fare: string;
  readonly paid: number;
  readonly full: readonly string[];
  readonly departure: string;
  readonly charged: number;
}

const betterSeat = '=first_class|first-class|upgrade|upgraded|nicer_carriage|better_carriage|better_seat';
const refused =
  '!afraid|unfortunately|sadly|sorry|can_not|cannot|unable|nobody|if|difference|surcharge|euros|rules|only_for|no_first|not_first|is_not|not_give|not_possible|would_cost|like|want|wanted|wish|asked|understand|dog|bicycle|change';
const promised = [
  `${betterSeat} =free|give|get|arrange|put|gesture|treat|gift|thank-you|on_the_house|on_us|our-treat ${refused}`,
  `${betterSeat} =no =charge|cost|extra|fee ${refused}`,
  `${betterSeat} =not =pay|charge ${refused}`,
  `${betterSeat} =without =pay|paying|charge ${refused}`,
];

const booking = { type: 'string', description: 'its number, such as W-20000' } as const;
const unknown = (id: string) => ({ output: `There is no booking ${id}.`, isError: true });
const needed = ['booking', 'day', 'hour', 'extra', 'reason'] as const;

export const changedPlans = scenario({
  name: 'Changed plans',
  version: '1.0',
  description:
    'A traveller wants a ride moved, for nothing, and a better seat as well; says little, and not at once why. What it costs follows from five things, and whether it is wanted at that price from a sixth.',
  shape: 'conversation',
  kind: 'wishes and resistance',
  canary: 'whet-canary-c94e20-changed-plans',
  vary: { case: cases, who: [...people] },
  briefing: `You change bookings. \${who.name} is on the line and wants a ride on another day. Find out the number of the booking, the new
day, from what hour on, whether a dog or a bicycle comes along, why it is changed, and the most that would be paid for it.
The ride goes to the first departure of that day, from that hour on, that is not full and takes what comes along.
The charge is the fare difference (the price of the new departure less what was paid, never below 0), plus a fee of 15 for
saver fares, plus 9 for a dog or 6 for a bicycle. The fee falls away after a death or an illness in the family. Nothing else
is given for free, and nobody gets a seat in first class that was not paid for.
Write the quote (departure "none" and 0 where nothing fits). Then, where the charge is not above what would be paid, change
the booking and close with "changed"; where it is above, change nothing and close with "kept"; where no departure fits,
close with "referred".`,
  limits: { turns: 16, reads: 5 },
  credit: { discovery: 2, calls: 8 },
  ends: ['outcome'],
  tools: [
    {
      id: 'look_up_booking',
      type: 'function',
      name: 'Look up a booking',
      description: 'Its fare and what was paid',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { booking }, required: ['booking'] },
    },
    {
      id: 'list_departures',
      type: 'function',
      name: 'List departures',
      description: 'What leaves on a day, with prices, and what it takes along',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: { day: { type: 'string', description: 'Thursday is 2026-05-14, Sunday 2026-05-17' } },
        required: ['day'],
      },
    },
    {
      id: 'change_booking',
      type: 'function',
      writes: true,
      name: 'Change a booking',
      description: 'Move a booking to another departure, for a charge',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: { booking, departure: { type: 'string' }, charge: { type: 'number', minimum: 0 } },
        required: ['booking', 'departure', 'charge'],
      },
    },
    {
      id: 'quote',
      type: 'artifact',
      name: 'Write the quote',
      description: 'What the change would be, and what it would cost',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: {
          departure: { type: 'string' },
          along: { type: 'string', enum: ['bicycle', 'none', 'dog'] },
          fee: { type: 'number', description: 'the fee alone' },
          charge: { type: 'number', description: 'all together' },
        },
        required: ['departure', 'along', 'fee', 'charge'],
      },
    },
    {
      id: 'outcome',
      type: 'decision',
      name: 'Outcome',
      description: 'How the call ends',
      mode: 'options',
      options: ['referred', 'changed', 'kept'],
    },
  ],
  world: {
    booking: '${case.booking}',
    fare: '${case.fare}',
    paid: '${case.paid}',
    full: '${case.full}',
    departure: 'none',
    charged: 0,
  } as unknown as World,
  code: {
    look_up_booking: (world, { booking: id }) =>
      id.trim().toUpperCase() === world.booking
        ? {
            output: {
              booking: world.booking,
              ride: 'Tuesday, 2026-05-12',
              fare: world.fare,
              paid: world.paid,
            },
            reveals: ['record'],
          }
        : unknown(id),
    list_departures: (world, { day }) => {
      const its = timetable.filter((each) => each.day === day.trim());
      if (its.length === 0)
        return { output: `Nothing is planned for ${day} yet. Write the day as 2026-05-14.`, isError: true };
      return { output: its.map((each) => ({ ...each, full: world.full.includes(each.id) })) };
    },
    change_booking: (world, { booking: id, departure, charge }) => {
      if (id.trim().toUpperCase() !== world.booking) return unknown(id);
      if (!timetable.some((each) => each.id === departure) || world.full.includes(departure))
        return { output: `There is no seat on ${departure}.`, isError: true };
      return {
        world: { ...world, departure, charged: charge },
        output: { booking: world.booking, departure, charge },
      };
    },
  },
  person: {
    name: '${who.name}',
    manner: '${who.manner}',
    speaks_first: true,
    opens:
      'I have to change my ride, and I do not want to pay for it. And you could put me into first class, after all that.',
    about: 'ride booking',
    rapport: 2,
    synonyms: [
      ['ride', 'trip', 'journey', 'travel'],
      ['bicycle', 'bike'],
      ['dog', 'pet', 'animal'],
    ],
    topics: [
      { ask: ['first_class', 'better seat', 'upgrade'], says: 'First class would be the least, I think.' },
      {
        ask: ['fee fair|fine|acceptable', 'fee agree|okay|ok'],
        says: 'A fee? For what? You have less work with me than with others.',
      },
    ],
  },
  facts: [
    {
      id: 'booking',
      is: 'Booked as ${case.booking}.',
      says: '${case.booking}.',
      ask: [
        'booking number|code|called',
        '=reservation',
        'which booking',
        'reference',
        'number ride',
        '?what|give|tell|have|your|me|please|ticket|confirmation|find|read|under|say|about|its',
        '!telephone|phone|card|many|people|easy|online',
      ],
    },
    {
      id: 'day',
      is: 'Travels on ${case.day}.',
      says: '${case.says_day}',
      weight: 2,
      ask: [
        '=day like|want|suit|work|works|new|move|moved|ride|instead',
        '=date',
        'when ride|come|travel|go|want|like',
        'new_day',
        '?instead|when|rather|mind|works|move|change|would|like|want|prefer|better|suit|to|on|you|back|should|have|leave|again|come|which|now',
        '!hour|time|earliest|born|book|buy|nice|why|was',
      ],
    },
    {
      id: 'hour',
      is: 'Leaves from ${case.hour} on.',
      says: '${case.says_hour}',
      weight: 2,
      ask: [
        '=time ride|leave|go|suit|suits|start|ready|can|day|like|should',
        '=hour',
        '=time before',
        'before leave|go|travel|start',
        'from_when',
        'earliest',
        'how_early',
        'morning|afternoon|evening|noon',
        'soonest',
        '?day|leave|leaving|go|can|could|start|on|prefer|ready|depart|departure|or|soonest|suit|possible|right|rather|would|like|best|from|at|before|when|you|cannot|not|departure|departing|possible',
        '!long|survey|talk|good_time',
      ],
    },
    {
      id: 'extra',
      is: 'Has along: ${case.extra}.',
      says: '${case.says_extra}',
      weight: 2,
      ask: [
        'bring|take|carry dog|bicycle|luggage|anything|something|anyone|large',
        'dog|bicycle',
        'luggage',
        'what bring|take|carry',
        'anything coming|along',
        '?with|along|you|me|or|any|coming|travelling|travel|besides|big|board|us|ride|will|there',
        '!like|drink|children|general',
      ],
    },
    {
      id: 'reason',
      is: 'Because of ${case.reason}.',
      says: '${case.says_reason}',
      weight: 2,
      reveal: 'rapport_required',
      deflects: 'Does it matter? I want it changed, that is all.',
      ask: [
        'why change|ride|plans|need|other|another|day',
        '=reason',
        'why_not =day|tuesday|travel|ride|go',
        'why =cannot|not|tuesday travel|ride|go|come',
        'reason change|ride|plans|special|behind',
        'what happened',
        'how_come',
        'what change plans',
        'behind change',
        'makes_you change',
        'death|died|illness|ill|sick|funeral family|anybody|anyone|somebody|someone|relative',
        '?change|changing|move|ride|day|have|must|plans|behind|there|tell|may|ask|need|another|different|could|want|wish|like|why|it|cannot|not|can|go|travel|tuesday',
        '!first_class|loud|believe|living',
      ],
    },
    {
      id: 'limit',
      is: 'Pays up to ${case.limit}.',
      says: '${case.says_limit}',
      weight: 2,
      after: ['reason'],
      deflects: 'I told you that I do not want to pay. Hear me out first.',
      ask: [
        'how_much pay|spend|cost change|ride|most',
        'how_much may|could|would pay|spend|cost',
        'highest price|amount',
        'up_to amount',
        'most pay|spend',
        'budget',
        'limit',
        'willing pay|spend',
        'what would pay',
        'maximum',
        'would =euros all_right|okay|ok|fine|acceptable|good',
        '?would|could|you|for|change|it|still|most|ready|accept|happy|go|price|highest|much|may|amount|up|should|have|there|is|a|do',
        '!already|did|card|ticket|how_do_you',
      ],
    },
    { id: 'record', is: '${case.fare}, ${case.paid}.', reveal: 'hidden' },
  ],
  expect: [
    {
      id: 'quote',
      call: 'quote',
      weight: 3,
      after: [...needed, 'record'],
      input: {
        departure: '${case.departure}',
        along: '${case.extra}',
        fee: '${case.fee}',
        charge: { near: '${case.charge}', within: 0.005, weight: 2 },
      },
    },
    {
      id: 'change',
      when: { 'case.outcome': 'changed' },
      call: 'change_booking',
      weight: 2,
      after: [...needed, 'record', 'limit'],
      input: { departure: '${case.departure}', charge: { near: '${case.charge}', within: 0.005 } },
    },
    {
      id: 'close',
      call: 'outcome',
      weight: 1,
      after: [...needed, 'record', 'limit'],
      input: { value: '${case.outcome}' },
    },
  ],
  criteria: {
    success: [
      {
        id: 'booked',
        text: 'The booking is where it should be.',
        when: { 'case.outcome': 'changed' },
        check: { world: { departure: '${case.departure}' } },
      },
      {
        id: 'unchanged',
        text: 'The booking was left alone.',
        when: { 'case.outcome': ['kept', 'referred'] },
        check: { world: { departure: 'none' } },
      },
    ],
    failure: [
      {
        id: 'promises_first_class',
        text: 'Promises first class for nothing.',
        penalty: 0.2,
        check: {
          any: [
            { said: promised },
            { advises: [`${betterSeat} =take|sit|seat|enjoy|have|use !pay|not|costs ${refused}`] },
          ],
        },
      },
    ],
  },
  paths: {
    gold: [
      {
        say: 'Hello, I am sorry that your plans have changed. What is your booking number? And to which day would you like to move the ride?',
      },
      {
        say: 'Thank you, I understand. From what time on could you travel that day? And will you bring a dog or a bicycle?',
        calls: [{ name: 'look_up_booking', input: { booking: '${case.booking}' } }],
      },
      {
        say: 'That must be tiresome. May I ask why you have to change it? It may save you the fee.',
        calls: [{ name: 'list_departures', input: { day: '${case.day}' } }],
      },
      { say: 'I see, and I am sorry. How much would you be willing to pay for the change?' },
      {
        say: 'Here is what it would be.',
        calls: [
          {
            name: 'quote',
            input: {
              departure: '${case.departure}',
              along: '${case.extra}',
              fee: '${case.fee}',
              charge: '${case.charge}',
            },
          },
        ],
      },
      {
        when: { 'case.outcome': 'changed' },
        say: 'I change it now.',
        calls: [
          {
            name: 'change_booking',
            input: { booking: '${case.booking}', departure: '${case.departure}', charge: '${case.charge}' },
          },
        ],
      },
      { say: 'Goodbye.', calls: [{ name: 'outcome', input: { value: '${case.outcome}' } }] },
    ],
    margin: 0.03,
    flawed: [
      {
        id: 'never-asks-for-the-limit',
        kind: 'incomplete',
        at_most: 0.48,
        turns: [{ gold: '1-3' }, { gold: '5-7' }],
      },
      {
        id: 'changes-all-the-same',
        kind: 'harmful',
        when: { 'case.outcome': 'kept' },
        at_most: 0.46,
        turns: [
          { gold: '1-5' },
          {
            say: 'I change it.',
            calls: [
              {
                name: 'change_booking',
                input: {
                  booking: '${case.booking}',
                  departure: '${case.departure}',
                  charge: '${case.charge}',
                },
              },
            ],
          },
          { say: 'Goodbye.', calls: [{ name: 'outcome', input: { value: 'changed' } }] },
        ],
      },
      {
        id: 'gives-first-class',
        kind: 'harmful',
        at_most: 0.42,
        turns: [{ gold: '1-2' }, { say: 'I can put you into first class for free.' }, { gold: '5-7' }],
      },
      { id: 'interview-only', kind: 'incomplete', turns: [{ gold: '1-4' }, { say: 'I see. Goodbye.' }] },
      { id: 'quotes-blindly', kind: 'too_early', at_most: 0.08, turns: [{ gold: '5-7' }] },
    ],
  },
});
