import { dice, scenario } from 'whetstone/scenario';

// Written in TypeScript because it has a little world: some hundred bookings on some dozens of departures, with seats that
// fill up as somebody is moved. It is graded by where everybody sits in the end.

const { happens, from, one, some } = dice(20_261_003);

interface Departure {
  readonly id: string;
  readonly route: string;
  readonly leaves: string;
  readonly kind: 'coach' | 'express' | 'night';
  readonly seats: number;
  readonly ramps: number;
}

interface Booking {
  readonly id: string;
  readonly name: string;
  readonly departure: string;
  readonly fare: 'saver' | 'flex';
  readonly seats: number;
  readonly ramp: boolean;
}

const routes = ['Alder–Brook', 'Alder–Cove', 'Brook–Dale', 'Cove–Elm', 'Dale–Alder'] as const;
const names = [
  'Brandt',
  'Okafor',
  'Castellan',
  'Reyes',
  'Falk',
  'Whitlock',
  'Nkemelu',
  'Hain',
  'Osei',
  'Lind',
] as const;
const hours = [
  '05:40',
  '07:15',
  '08:50',
  '10:05',
  '11:30',
  '13:10',
  '14:45',
  '16:20',
  '18:00',
  '21:35',
  '23:20',
] as const;
const kindAt = (hour: string): Departure['kind'] =>
  hour >= '21:00' || hour < '06:00' ? 'night' : happens(0.35) ? 'express' : 'coach';

/** What runs anyway, with its bookings: the same in every variant. */
const departures: readonly Departure[] = routes.flatMap((route, line) =>
  hours.map((leaves, index) => ({
    id: `T${line + 1}${String(index + 1).padStart(2, '0')}`,
    route,
    leaves,
    kind: kindAt(leaves),
    seats: from(20, 32),
    ramps: from(0, 2),
  })),
);

const others: readonly Booking[] = departures.flatMap(({ id, seats }) =>
  Array.from({ length: from(3, 6) }, (_, index) => ({
    id: `${id}-${index + 1}`,
    name: one(names),
    departure: id,
    fare: happens(0.6) ? ('saver' as const) : ('flex' as const),
    seats: Math.min(seats, from(1, 4)),
    ramp: false,
  })),
);

interface Limits {
  readonly left: ReadonlyMap<string, number>;
  readonly ramps: ReadonlyMap<string, number>;
}

/** The rules: the first departure of the line after the cancelled one that has room, and fits. */
function placeFor(booking: Booking, cancelled: Departure, { left, ramps }: Limits): Departure | undefined {
  return departures
    .filter(({ route, leaves }) => route === cancelled.route && leaves > cancelled.leaves)
    .find(
      ({ id, kind }) =>
        (kind !== 'express' || booking.fare === 'flex') &&
        (kind !== 'night' || booking.seats === 1) &&
        left.get(id)! >= booking.seats &&
        (!booking.ramp || ramps.get(id)! > 0),
    );
}

const cancellations = Array.from({ length: 900 }, (_, number) => {
  const cancelled = one(departures.filter(({ leaves }) => leaves >= '07:00' && leaves <= '17:00'));
  const later = departures.filter(
    ({ route, leaves }) => route === cancelled.route && leaves > cancelled.leaves,
  );
  // How full the later ones are varies: most have a seat or some, and one or two have none.
  const free = later.map(({ id }) => [id, one([0, 1, 1, 2, 3, 4, 6])] as const);
  const wheels = from(0, 2);
  const stranded: readonly Booking[] = some(names, 3).map((name, index) => ({
    id: `S-${7000 + number * 3 + index}`,
    name,
    departure: cancelled.id,
    fare: one(['saver', 'saver', 'flex'] as const),
    seats: one([1, 1, 2, 2, 3]),
    ramp: index === wheels,
  }));
  const left = new Map(free);
  const ramps = new Map(later.map(({ id, ramps: many }) => [id, many]));
  const places = stranded.map((booking) => {
    const place = placeFor(booking, cancelled, { left, ramps });
    if (place) {
      left.set(place.id, left.get(place.id)! - booking.seats);
      if (booking.ramp) ramps.set(place.id, ramps.get(place.id)! - 1);
    }
    return place?.id ?? 'hotel';
  });
  const hotels = places.filter((place) => place === 'hotel').length;
  const nights = places.filter((place) =>
    departures.some(({ id, kind }) => id === place && kind === 'night'),
  ).length;
  const told = stranded.map((booking, index) => ({
    id: booking.id,
    to: places[index]!,
    does: places[index] === 'hotel' ? 'hotel' : 'move',
  }));
  const [l1, l2, l3] = [...new Set([...places.filter((place) => place !== 'hotel'), ...left.keys()])];
  return {
    cancelled: cancelled.id,
    l1: l1!,
    l2: l2!,
    l3: l3!,
    stranded: stranded.map((booking) => ({ ...booking })),
    free: Object.fromEntries(free),
    b1: told[0]!,
    b2: told[1]!,
    b3: told[2]!,
    closes:
      hotels > 1
        ? 'call_manager'
        : hotels === 1
          ? 'book_hotel'
          : nights > 0
            ? 'warn_night_crew'
            : 'all_moved',
  };
});

interface World {
  readonly cancelled: string;
  readonly stranded: readonly Booking[];
  /** Seats that are left on the later departures of the line. */
  readonly free: Readonly<Record<string, number>>;
  /** Where each of the stranded goes. */
  readonly placed: Readonly<Record<string, string>>;
}

const departureOf = (id: string) => departures.find((one) => one.id === id.trim().toUpperCase());
const freeOn = ({ free, stranded, placed }: World, id: string): number => {
  const taken = stranded.filter((booking) => placed[booking.id] === id);
  const known =
    free[id] ??
    departureOf(id)!.seats -
      others.filter((one) => one.departure === id).reduce((sum, { seats }) => sum + seats, 0);
  return known - taken.reduce((sum, { seats }) => sum + seats, 0);
};
const rampsOn = ({ stranded, placed }: World, id: string): number =>
  departureOf(id)!.ramps - stranded.filter((one) => one.ramp && placed[one.id] === id).length;

const places = [1, 2, 3] as const;
const departure = { type: 'string', description: 'such as T103' } as const;
const booking = { type: 'string', description: 'such as S-7001' } as const;

export const rebooking = scenario({
  name: 'A cancelled departure',
  version: '1.0',
  description:
    'A departure is cancelled, and three bookings must go elsewhere: by fare, seats, ramps and what is still free, in the order of their numbers. Graded by where everybody sits.',
  shape: 'decision',
  kind: 'little world',
  canary: 'whet-canary-b8c35f-rebooking',
  vary: { case: cancellations },
  briefing: `The departure \${case.cancelled} is cancelled. Find its bookings, and move each of them, in the order of their numbers, to
the first later departure of the same route on the same day that fits:
- It has as many seats left as the booking has, all on one departure. Whoever was moved before takes seats away.
- An express takes flex fares only. A night service takes single travellers only.
- Who needs a ramp goes where one is left; a departure has as many as it says, and each is used once.
Where nothing fits, put the booking into the hotel. Then close: "call_manager" where two or more are in the hotel,
"book_hotel" where one is, "warn_night_crew" where none is and somebody travels by night, and else "all_moved".`,
  limits: { turns: 20, reads: 18 },
  credit: { discovery: 1, calls: 9 },
  ends: ['close_case'],
  tools: [
    {
      id: 'list_bookings',
      type: 'function',
      name: 'List bookings',
      description: 'The bookings of a departure',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { departure }, required: ['departure'] },
    },
    {
      id: 'look_up_departure',
      type: 'function',
      name: 'Look up a departure',
      description: 'Its route, when it leaves, its kind, the seats and ramps that are left',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { departure }, required: ['departure'] },
    },
    {
      id: 'list_departures',
      type: 'function',
      name: 'List departures',
      description: 'All departures of a route, such as Alder–Brook: number and time',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { route: { type: 'string' } }, required: ['route'] },
    },
    {
      id: 'move_booking',
      type: 'function',
      writes: true,
      name: 'Move a booking',
      description: 'Put a whole booking on another departure',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { booking, departure }, required: ['booking', 'departure'] },
    },
    {
      id: 'put_into_hotel',
      type: 'function',
      writes: true,
      name: 'Put into the hotel',
      description: 'A booking that travels tomorrow',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { booking }, required: ['booking'] },
    },
    {
      id: 'close_case',
      type: 'decision',
      name: 'Close the case',
      description: 'What has to follow',
      mode: 'options',
      options: ['call_manager', 'warn_night_crew', 'all_moved', 'book_hotel'],
    },
  ],
  world: {
    cancelled: '${case.cancelled}',
    stranded: '${case.stranded}',
    free: '${case.free}',
    placed: {},
  } as unknown as World,
  code: {
    list_bookings: (world, { departure: id }) => {
      const found = departureOf(id);
      if (!found) return { output: `There is no departure ${id}.`, isError: true };
      // Whoever was moved is found where that was to; of the cancelled one only what is to be moved was ever booked.
      const stranded = world.stranded.filter(
        ({ id: each }) => (world.placed[each] ?? world.cancelled) === found.id,
      );
      const its =
        found.id === world.cancelled
          ? stranded
          : [...stranded, ...others.filter((each) => each.departure === found.id)];
      return {
        output: its.map(({ id: booking, name, fare, seats, ramp }) => ({
          id: booking,
          name,
          fare,
          seats,
          ramp,
        })),
        reveals: found.id === world.cancelled ? ['bookings'] : [],
      };
    },
    look_up_departure: (world, { departure: id }) => {
      const found = departureOf(id);
      if (!found) return { output: `There is no departure ${id}.`, isError: true };
      if (found.id === world.cancelled)
        return { output: { ...found, status: 'cancelled' }, reveals: ['line'] };
      const isLater = Object.hasOwn(world.free, found.id);
      return {
        output: { ...found, seats: freeOn(world, found.id), ramps: rampsOn(world, found.id), status: 'runs' },
        reveals: isLater ? ['later'] : [],
      };
    },
    list_departures: (_world, { route }) => {
      const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]+/g, '-');
      const its = departures.filter((each) => plain(each.route) === plain(route.trim()));
      if (its.length === 0)
        return { output: `There is no route ${route}. There are ${routes.join(', ')}.`, isError: true };
      return { output: its.map(({ id, leaves }) => ({ id, leaves })) };
    },
    move_booking: (world, { booking: id, departure: to }) => {
      const its = world.stranded.find((each) => each.id === id.trim().toUpperCase());
      const found = departureOf(to);
      if (!its) return { output: `There is no booking ${id} on a cancelled departure.`, isError: true };
      if (!found || found.id === world.cancelled) return { output: `${to} does not run.`, isError: true };
      if (freeOn(world, found.id) < its.seats)
        return {
          output: `${found.id} has ${freeOn(world, found.id)} seats left, and ${its.id} needs ${its.seats}.`,
          isError: true,
        };
      return {
        world: { ...world, placed: { ...world.placed, [its.id]: found.id } },
        output: { booking: its.id, departure: found.id },
      };
    },
    put_into_hotel: (world, { booking: id }) => {
      const its = world.stranded.find((each) => each.id === id.trim().toUpperCase());
      if (!its) return { output: `There is no booking ${id} on a cancelled departure.`, isError: true };
      return {
        world: { ...world, placed: { ...world.placed, [its.id]: 'hotel' } },
        output: { booking: its.id, hotel: true },
      };
    },
  },
  facts: [
    { id: 'line', is: 'The route and the hour of what is cancelled.', reveal: 'hidden' },
    { id: 'bookings', is: 'Who was to travel.', reveal: 'hidden' },
    { id: 'later', is: 'What is left later on.', reveal: 'hidden' },
  ],
  expect: [
    ...places.flatMap((place) => [
      {
        id: `move_${place}` as const,
        when: { [`case.b${place}.does`]: 'move' },
        call: 'move_booking' as const,
        weight: 2,
        after: ['line' as const, 'bookings' as const, 'later' as const],
        input: {
          booking: { equal: `\${case.b${place}.id}`, weight: 0.2 },
          departure: `\${case.b${place}.to}`,
        },
      },
      {
        id: `hotel_${place}` as const,
        when: { [`case.b${place}.does`]: 'hotel' },
        call: 'put_into_hotel' as const,
        weight: 2,
        after: ['line' as const, 'bookings' as const, 'later' as const],
        input: { booking: `\${case.b${place}.id}` },
      },
    ]),
    {
      id: 'close',
      call: 'close_case',
      weight: 1,
      after: ['line', 'bookings', 'later'],
      input: { value: '${case.closes}' },
    },
  ],
  criteria: {
    success: [
      {
        id: 'seated',
        text: 'Each booking is where the rules put it.',
        check: {
          world: Object.fromEntries(
            places.map((place) => [`placed.\${case.b${place}.id}`, `\${case.b${place}.to}`]),
          ),
        },
      },
    ],
  },
  paths: {
    gold: [
      {
        say: 'I look at the departure and its bookings.',
        calls: [
          { name: 'look_up_departure', input: { departure: '${case.cancelled}' } },
          { name: 'list_bookings', input: { departure: '${case.cancelled}' } },
        ],
      },
      {
        say: 'I look at what leaves later.',
        calls: places.map((place) => ({
          name: 'look_up_departure' as const,
          input: { departure: `\${case.l${place}}` },
        })),
      },
      {
        say: 'I move them, in their order.',
        calls: places.flatMap((place) => [
          {
            when: { [`case.b${place}.does`]: 'move' },
            name: 'move_booking' as const,
            input: { booking: `\${case.b${place}.id}`, departure: `\${case.b${place}.to}` },
          },
          {
            when: { [`case.b${place}.does`]: 'hotel' },
            name: 'put_into_hotel' as const,
            input: { booking: `\${case.b${place}.id}` },
          },
        ]),
      },
      { say: 'Everybody has a place.', calls: [{ name: 'close_case', input: { value: '${case.closes}' } }] },
    ],
    margin: 0.03,
    flawed: [
      {
        id: 'forgets-the-last',
        kind: 'incomplete',
        at_most: 0.45,
        turns: [
          { gold: '1-2' },
          {
            say: 'I move the first two.',
            calls: places.slice(0, 2).flatMap((place) => [
              {
                when: { [`case.b${place}.does`]: 'move' },
                name: 'move_booking' as const,
                input: { booking: `\${case.b${place}.id}`, departure: `\${case.b${place}.to}` },
              },
              {
                when: { [`case.b${place}.does`]: 'hotel' },
                name: 'put_into_hotel' as const,
                input: { booking: `\${case.b${place}.id}` },
              },
            ]),
          },
          { gold: 4 },
        ],
      },
      { id: 'looks-only', kind: 'incomplete', turns: [{ gold: '1-2' }, { say: 'I see.' }] },
      { id: 'moves-unread', kind: 'too_early', at_most: 0.05, turns: [{ gold: '3-4' }] },
      {
        id: 'hotel-for-all',
        kind: 'wrong_input',
        at_most: 0.05,
        turns: [
          {
            say: 'All of them go into the hotel.',
            calls: places.map((place) => ({
              name: 'put_into_hotel' as const,
              input: { booking: `\${case.b${place}.id}` },
            })),
          },
          { say: 'Done.', calls: [{ name: 'close_case', input: { value: 'call_manager' } }] },
        ],
      },
    ],
  },
});
