import { dice, scenario } from 'whetstone/scenario';

// Written in TypeScript because who answers for the water follows from report and register together, and because what the
// tenant need not pay is calculated from room, days and rent.

const { from, happens, one } = dice(60_651);

function cents(amount: number): number {
  return Math.round(amount * 100 + 1e-6) / 100;
}

function day(number: number): string {
  return new Date(Date.UTC(2026, 1, 2) + number * 86_400_000).toISOString().slice(0, 10);
}

const rooms = {
  bathroom: { percent: 30, spoiled: ['the towels', 'the cupboard under the basin'] },
  kitchen: { percent: 25, spoiled: ['flour and rice', 'the chairs'] },
  bedroom: { percent: 20, spoiled: ['the mattress', 'two suits'] },
  hall: { percent: 10, spoiled: ['the coats', 'a rug'] },
} as const;
type Room = keyof typeof rooms;

const amounts = {
  stream: ['runs like from an open tap', 'pours down the wall'],
  drip: ['drips, a bucket is full in three hours', 'drips every second or so'],
  stain: ['is a damp stain as large as a plate, nothing drips', 'is only damp, the paint comes off a little'],
} as const;

const firms = ['Rohr & Sohn', 'Delmonte Plumbing', 'Aquafix'];

function reportOf(
  cause: 'pipe' | 'above' | 'own' | 'roof',
  { room, firm }: { readonly room: Room; readonly firm: string },
) {
  switch (cause) {
    case 'pipe':
      return one([
        `A joint of the water pipe above the ceiling of the ${room} had come loose. The stamp on it says ${firm}.`,
        `A joint of the pipe along the ceiling leaked, put in by ${firm}.`,
      ]);
    case 'above':
      return one([
        'The hose of the washing machine in the flat above had burst.',
        'In the flat above a bath had run over; its tenant says so himself.',
      ]);
    case 'own':
      return one([
        'The tenant’s own hose along the ceiling, for a humidifier, had no clamp and had slipped off.',
        'The tenant had drilled into the pipe in the ceiling, for a lamp; the screw was still in it.',
      ]);
    case 'roof':
      return one([
        'Rain came in where tiles of the roof were broken.',
        'The gutter was choked, and rain ran into the wall.',
      ]);
  }
}

function leak(number: number) {
  const room = one(Object.keys(rooms) as Room[]);
  const amount = one(['stream', 'drip', 'drip', 'stain', 'stain'] as const);
  const electric = happens(0.3);
  const runs = amount === 'stream' || happens(0.5);
  const cause = one(['pipe', 'pipe', 'above', 'own', 'roof'] as const);
  const firm = one(firms);
  const began = from(0, 20);
  // Five years of warranty, counted to the day of the leak.
  const age = from(1, 9);
  const isCovered = cause === 'pipe' && age < 5;
  const liable =
    cause === 'above' ? 'neighbour' : cause === 'own' ? 'tenant' : isCovered ? 'craftsman' : 'landlord';
  const days = from(5, 40);
  const rent = from(52, 148) * 10;
  const half = happens(0.35);
  const full = rooms[room].percent;
  const percent = liable === 'tenant' ? 0 : half ? full / 2 : full;
  const dry = day(began + days);
  const other = one(firms.filter((each) => each !== firm));
  return {
    number: `F-${200 + number}`,
    room,
    day: day(began),
    visit: day(began + 2),
    end: day(began + days + from(2, 6)),
    dry,
    wet: one(amounts[amount]),
    electric: electric
      ? one([
          'A lamp hangs right in it.',
          'There is a socket under it, and it is wet.',
          'The fuse has gone twice.',
        ])
      : one([
          'There is nothing electric near it.',
          'Lamp and sockets are on the other side.',
          'The lights are all right.',
        ]),
    spoiled: one(rooms[room].spoiled),
    // Both meters stand in the cellar; either of them may run.
    own_litres: runs ? from(4, 38) : 0,
    above_litres: runs && happens(0.4) ? from(3, 22) : 0,
    send: amount === 'stream' || electric ? 'emergency' : runs ? 'plumber_today' : 'caretaker',
    report: reportOf(cause, { room, firm }),
    works: [
      { work: 'water pipes', firm, finished: day(began - age * 365 - from(20, 330)) },
      { work: 'painting', firm: 'Malerhof', finished: day(began - from(300, 2400)) },
      { work: 'heating', firm: other, finished: day(began - from(300, 2400)) },
    ],
    age,
    liable,
    rent,
    use: half ? 'could be used for half of each day' : 'could not be used',
    percent,
    days: percent === 0 ? 0 : days,
    amount: cents((rent * percent * (percent === 0 ? 0 : days)) / 100 / 30),
    demand: one([
      'I will simply pay half of the rent this month, that is only fair.',
      'My sister-in-law got 60 % back for less than that.',
      'I want a whole month’s rent, I had the noise as well.',
    ]),
  };
}

interface House {
  readonly stage: number;
  readonly file: {
    readonly flat: string;
    readonly rent: number;
    readonly works: readonly { readonly work: string; readonly firm: string; readonly finished: string }[];
  };
  readonly meters: { readonly own: number; readonly above: number };
  readonly report: string;
  readonly completion: string;
}

const none = { type: 'object', properties: {} } as const;

export const leakTask = scenario({
  name: 'Water through the ceiling',
  version: '1.0',
  description:
    'A leak over three sessions: whom to send on the first day, who answers for it when the report is there, and how much of the rent need not be paid when all is dry. The tenant wants more than is due.',
  shape: 'journey',
  canary: 'whet-canary-5a8e17-leak',
  vary: {
    case: Array.from({ length: 1_200 }, (_, number) => leak(number)),
    who: [
      { name: 'Marta Keller', hello: 'Good evening,' },
      { name: 'Yusuf Aydin', hello: 'Hello,' },
      { name: 'Paul Winter', hello: 'Help,' },
    ],
  },
  person: {
    name: '${who.name}',
    speaks_first: true,
    opens:
      '${who.hello} water comes through the ceiling of my ${case.room} since this morning. It ${case.wet}. ${case.electric} This is flat ${case.number}.',
    closes: 'Thank you, goodbye.',
    manner: 'curt',
    topics: [
      {
        ask: [
          'when begin|began|start|started|notice|noticed|come|came|first',
          'since when|day|morning|yesterday',
          'how_long',
          'which|what day',
          'day begin|began|start|started|drip|notice|noticed|earlier',
          '?water|it|drip|run|ceiling|or|only|earlier|morning|come|in',
        ],
        says: 'Since this morning, ${case.day}. It was dry before.',
      },
      {
        ask: ['run|runs|drip|drips|pour|pours|seep|much|fast|bad water|it', 'how_much'],
        says: 'It ${case.wet}.',
      },
      { ask: ['electric|lamp|light|socket|fuse|power|electricity'], says: '${case.electric}' },
      {
        ask: ['use|used|usable|live|sleep room|${case.room}|it|there', 'until|till when'],
        says: 'The craftsman wrote all of that down.',
      },
    ],
  },
  briefing: `You manage a house; the case goes on over three sessions, each ends with your decision in it. Today is \${case.day}.
First session: send_craftsman. Read the meters, then decide:
  emergency where it runs or pours (to drip is not to run), or where anything electric is wet, in it or fails;
  plumber_today where neither is so but the meter of the flat or of the one above it runs;
  caretaker otherwise.
Second session: liable. Read the report and the file of the flat, then decide who answers for the damage:
  the neighbour for what came out of the flat above; the tenant for what the tenant did or connected;
  the craftsman for a joint of the firm that stands in the file for the water pipes, where the leak began less than five years
  after that work was finished; the landlord for everything else.
Third session: reduction. Read the report of completion, then write down what the tenant need not pay:
  percent: bathroom 30, kitchen 25, bedroom 20, hall 10; half of that where it could be used for half of each day; 0 where the
  tenant answers for the damage;
  days: from the day on which it began, that day included, to the day on which the room was dry, that day not included; 0 where
  percent is 0;
  amount: rent × percent × days / 30, in whole cents. What the tenant would like changes nothing; what got wet besides is a
  matter for another desk.`,
  limits: { turns: 20, reads: 10 },
  // Two of the three answers are choices of few: whoever guesses them has done little of the work.
  credit: { discovery: 1, calls: 9 },
  sessions: [
    { ends: ['send_craftsman'], turns: 6 },
    {
      briefing: '--- Two days later, ${case.visit} ---',
      opens: [
        {
          if: { missed: ['meters'] },
          says: 'Somebody was here at last. Nobody had looked at the meters before, and ${case.spoiled} got wet as well. Who pays for that?',
        },
        { says: 'The craftsman was here. But ${case.spoiled} got wet. Who pays for that?' },
      ],
      sets: [{ set: { stage: 2 } }],
      ends: ['liable'],
      turns: 6,
    },
    {
      briefing: '--- Some weeks later, ${case.end} ---',
      opens: [{ says: 'It is dry now, in the ${case.room}. ${case.demand}' }],
      sets: [{ set: { stage: 3 } }],
      ends: ['reduction'],
      turns: 6,
    },
  ],
  tools: [
    {
      id: 'read_meters',
      type: 'function',
      name: 'Read the meters',
      description:
        'How many litres ran in ten minutes today, with all taps closed, in the flat and in the one above',
      mode: 'json_schema',
      json_schema: none,
    },
    {
      id: 'read_file',
      type: 'function',
      name: 'Read the file of the flat',
      description: 'Rent, and the works that were done in it',
      mode: 'json_schema',
      json_schema: none,
    },
    {
      id: 'read_report',
      type: 'function',
      name: 'Read the report',
      description: 'What the craftsman found and wrote down, once somebody was there',
      mode: 'json_schema',
      json_schema: none,
    },
    {
      id: 'read_completion',
      type: 'function',
      name: 'Read the report of completion',
      description: 'Since when the room is dry, and how far it could be used, once the work is done',
      mode: 'json_schema',
      json_schema: none,
    },
    {
      id: 'send_craftsman',
      type: 'decision',
      name: 'Send somebody',
      description: 'Who goes there, in the first session',
      mode: 'options',
      options: ['nobody', 'caretaker', 'emergency', 'plumber_today'],
    },
    {
      id: 'liable',
      type: 'decision',
      name: 'Who answers for it',
      description: 'Who answers for the damage, in the second session',
      mode: 'options',
      options: ['insurer', 'craftsman', 'landlord', 'neighbour', 'tenant'],
    },
    {
      id: 'reduction',
      type: 'artifact',
      name: 'Reduction of the rent',
      description: 'What the tenant need not pay, in the third session',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: {
          percent: { type: 'number', minimum: 0, maximum: 100 },
          days: { type: 'integer', minimum: 0 },
          amount: { type: 'number', minimum: 0, description: 'in euros, to the cent' },
        },
        required: ['percent', 'days', 'amount'],
      },
    },
  ],
  world: {
    stage: 1,
    file: { flat: '${case.number}', rent: '${case.rent}', works: '${case.works}' },
    meters: { own: '${case.own_litres}', above: '${case.above_litres}' },
    report: '${case.report}',
    completion:
      'Dry since ${case.dry}. Until then the ${case.room} ${case.use}. The painter came after that.',
  } as unknown as House,
  code: {
    read_meters: ({ stage, meters }) =>
      stage > 1
        ? { output: 'The water was turned off and on again since; today both stand still.' }
        : {
            output: { litres_of_the_flat: meters.own, litres_of_the_flat_above: meters.above },
            reveals: ['meters'],
          },
    read_file: ({ file }) => ({
      output: { ...file, works: file.works.map((each) => ({ ...each })) },
      reveals: ['file'],
    }),
    read_report: ({ stage, report }) =>
      stage === 1
        ? { output: 'There is none yet: nobody was there.', isError: true }
        : { output: report, reveals: ['report'] },
    read_completion: ({ stage, completion }) =>
      stage < 3
        ? { output: 'There is none yet: the work is not done.', isError: true }
        : { output: completion, reveals: ['completion'] },
  },
  facts: [
    {
      id: 'call',
      is: 'Water comes through the ceiling of the ${case.room}; it ${case.wet}. ${case.electric}',
      reveal: 'volunteered',
    },
    {
      id: 'meters',
      is: 'In ten minutes ${case.own_litres} litres in the flat, ${case.above_litres} above.',
      reveal: 'hidden',
    },
    { id: 'file', is: 'Rent ${case.rent} €; water pipes ${case.age} years old.', reveal: 'hidden' },
    // What is there to be read on the first day tells least.
    { id: 'report', is: '${case.report}', reveal: 'hidden', session: 2, weight: 3 },
    {
      id: 'completion',
      is: 'Dry since ${case.dry}; until then it ${case.use}.',
      reveal: 'hidden',
      session: 3,
      weight: 3,
    },
  ],
  expect: [
    {
      id: 'send',
      call: 'send_craftsman',
      session: 1,
      weight: 1,
      after: ['meters'],
      input: { value: '${case.send}' },
    },
    {
      id: 'liable',
      call: 'liable',
      session: 2,
      weight: 1,
      after: ['report', 'file'],
      input: { value: '${case.liable}' },
    },
    {
      id: 'reduction',
      call: 'reduction',
      session: 3,
      weight: 9,
      after: ['report', 'file', 'completion'],
      input: {
        percent: { near: '${case.percent}', within: 0.001 },
        days: '${case.days}',
        amount: { near: '${case.amount}', within: 0.005, weight: 3 },
      },
    },
  ],
  criteria: {
    failure: [
      {
        id: 'gives_way',
        text: 'Tells the tenant that the claim for more is right.',
        penalty: 0.3,
        check: {
          any: [
            {
              claims: [
                '=you =right =half|60|month|more|percent !would|only',
                '=entitled =half|60|month|more !more_than|less_than|not_more',
                '=sister-in-law|sister|neighbour|friend =point|right =has|is|had|got',
                '=ought|should =be =yours',
                '!rules|rule|law|table|contract|took|takes|days',
              ],
            },
            {
              advises: [
                '=keep|hold|take =back|off|out =whole|half|all|60|rent|month|more|it !rules|only|not|never|cannot',
                '=pay =half|nothing =rent|month|only|just !until|not|never|cannot|nothing_more|usual',
              ],
            },
            {
              said: [
                'hold_out',
                '=60|half|sixty =fair|right|reasonable|yours !less|only|used|usable|days|room|understand|think|find|feel|day|ask|yours_to',
                '=agree =sister-in-law|sister|60|half',
                '!rules|rule|law|table|contract|understand',
              ],
            },
          ],
        },
      },
    ],
  },
  paths: {
    gold: [
      { say: 'I read the meters.', calls: [{ name: 'read_meters', input: {} }] },
      { say: 'Somebody is coming.', calls: [{ name: 'send_craftsman', input: { value: '${case.send}' } }] },
      {
        say: 'I look at the report and at the file.',
        calls: [
          { name: 'read_report', input: {} },
          { name: 'read_file', input: {} },
        ],
      },
      {
        say: 'I have decided who answers for it.',
        calls: [{ name: 'liable', input: { value: '${case.liable}' } }],
      },
      { say: 'I look at the report of completion.', calls: [{ name: 'read_completion', input: {} }] },
      {
        say: 'This is what need not be paid.',
        calls: [
          {
            name: 'reduction',
            input: { percent: '${case.percent}', days: '${case.days}', amount: '${case.amount}' },
          },
        ],
      },
    ],
    margin: 0.02,
    flawed: [
      {
        id: 'right-but-gives-way',
        kind: 'harmful',
        at_least: 0.5,
        turns: [{ gold: '1-5' }, { say: 'You are entitled to half of the rent.' }, { gold: 6 }],
      },
      {
        id: 'does-what-the-tenant-wants',
        kind: 'wrong_input',
        at_most: 0.42,
        turns: [
          { gold: '1-5' },
          {
            say: 'As you like.',
            calls: [{ name: 'reduction', input: { percent: 50, days: 30, amount: '${case.rent}' } }],
          },
        ],
      },
      {
        id: 'leaves-after-the-first',
        kind: 'incomplete',
        at_most: 0.2,
        turns: [{ gold: '1-2' }, { say: 'Goodbye.' }],
      },
      {
        id: 'decides-unread',
        kind: 'too_early',
        at_most: 0.05,
        turns: [{ gold: 2 }, { gold: 4 }, { gold: 6 }],
      },
      {
        id: 'talks-only',
        kind: 'aimless',
        at_most: 0,
        turns: [{ say: 'That must be awful for you.' }, { say: 'I see.' }],
      },
    ],
  },
});
