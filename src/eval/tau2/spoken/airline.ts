import type { JsonObject } from '../../../base/json/value.ts';
import { writeJson } from '../../python/json.ts';
import { contains, getItem, isLess } from '../../python/operate.ts';
import { str } from '../../python/repr.ts';
import { equal, type PythonDict, type PythonValue } from '../../python/value.ts';
import { dayOf, found } from '../airline.ts';
import type { World } from '../toolkit.ts';
import {
  calculateTool,
  listSchema,
  oneOfSchema,
  recordSchema,
  type SpokenTool,
  textSchema,
  transferTool,
  written,
} from './tool.ts';

const number = (description: string): JsonObject => ({ type: 'integer', description });
const userId = textSchema("The person's id, such as 'sara_doe_496'.");
const reservationId = textSchema("The id of the reservation, such as 'ZFA04Y'.");
const airport = (which: string): JsonObject => textSchema(`The airport of ${which}, such as 'JFK'.`);
const day = textSchema("A date, such as '2024-05-01'.");
const cabin = oneOfSchema('The cabin of all flights.', 'basic_economy', 'economy', 'business');
const paymentId = textSchema("A payment method of the person's profile, such as 'credit_card_7815826'.");
const flights = listSchema(
  'Every flight of the whole reservation, also those that stay.',
  recordSchema({ flight_number: textSchema("Such as 'HAT001'."), date: day }),
);
const passengers = listSchema(
  'Every passenger.',
  recordSchema({
    first_name: textSchema('First name.'),
    last_name: textSchema('Last name.'),
    dob: textSchema("Date of birth, such as '1990-01-31'."),
  }),
);
const payments = listSchema(
  'What is paid with which method.',
  recordSchema({ payment_id: paymentId, amount: number('Dollars.') }),
);

/** The tools of the airline's agent. */
export const airlineAgent: Readonly<Record<string, SpokenTool>> = {
  book_reservation: {
    description: 'Books a reservation.',
    parameters: {
      user_id: userId,
      origin: airport('departure'),
      destination: airport('arrival'),
      flight_type: oneOfSchema('One way or round trip.', 'one_way', 'round_trip'),
      cabin,
      flights,
      passengers,
      payment_methods: payments,
      total_baggages: number('All bags.'),
      nonfree_baggages: number('Bags that are paid for.'),
      insurance: oneOfSchema('Whether it is insured.', 'yes', 'no'),
    },
    answer: (_world, _given, came) => written(came),
  },
  calculate: calculateTool,
  cancel_reservation: {
    description: 'Cancels a whole reservation.',
    parameters: { reservation_id: reservationId },
    answer: (_world, _given, came) => written(came),
  },
  get_reservation_details: {
    description: 'Gives all details of a reservation.',
    parameters: { reservation_id: reservationId },
    answer: (world, [id]) => writeJson(found(world, 'reservations', id!)),
  },
  get_user_details: {
    description: 'Gives the profile of a person, with their reservations.',
    parameters: { user_id: userId },
    answer: (world, [id]) => writeJson(found(world, 'users', id!)),
  },
  list_all_airports: {
    description: 'Lists all airports with their cities.',
    parameters: {},
    answer: () => writeJson(airports),
  },
  search_direct_flight: {
    description: 'Finds direct flights between two airports on a day.',
    parameters: { origin: airport('departure'), destination: airport('arrival'), date: day },
    answer: (world, [origin, destination, date]) =>
      writeJson([...offers(world, { date: date!, origin: origin!, destination: destination! })]),
  },
  search_onestop_flight: {
    description: 'Finds pairs of flights between two airports with one stop, on a day.',
    parameters: { origin: airport('departure'), destination: airport('arrival'), date: day },
    answer: (world, [origin, destination, date]) =>
      writeJson([...pairs(world, origin!, destination!, date!)]),
  },
  send_certificate: {
    description: 'Sends a certificate to a person, which they can pay with.',
    parameters: { user_id: userId, amount: number('Dollars.') },
    answer: (_world, [id, amount], { result }) =>
      `Certificate ${str(result)} added to user ${str(id!)} with amount ${str(amount!)}.`,
  },
  transfer_to_human_agents: transferTool,
  update_reservation_baggages: {
    description: 'Changes the bags of a reservation.',
    parameters: {
      reservation_id: reservationId,
      total_baggages: number('All bags, as they will be.'),
      nonfree_baggages: number('Bags that are paid for, as they will be.'),
      payment_id: paymentId,
    },
    answer: (_world, _given, came) => written(came),
  },
  update_reservation_flights: {
    description: 'Changes the flights or the cabin of a reservation.',
    parameters: { reservation_id: reservationId, cabin, flights, payment_id: paymentId },
    answer: (_world, _given, came) => written(came),
  },
  update_reservation_passengers: {
    description: 'Changes the passengers of a reservation; there must be as many as before.',
    parameters: { reservation_id: reservationId, passengers },
    answer: (_world, _given, came) => written(came),
  },
  get_flight_status: {
    description: 'Gives the status of a flight on a day.',
    parameters: { flight_number: textSchema("Such as 'HAT001'."), date: day },
    answer: (world, [flight, date]) => str(getItem(dayOf(world, flight!, date!), 'status')),
  },
};

interface Search {
  readonly date: PythonValue;
  readonly origin: PythonValue;
  /** Anywhere where it is left out. */
  readonly destination?: PythonValue;
  readonly leaveAfter?: PythonValue;
  /** Flights of a pair carry their day. */
  readonly withDate?: boolean;
}

function* offers({ agent }: World, search: Search): Generator<PythonDict> {
  const { date, origin, destination, leaveAfter, withDate = false } = search;
  for (const flight of (agent.get('flights') as PythonDict).values()) {
    if (!equal(getItem(flight, 'origin'), origin)) continue;
    if (destination !== undefined && !equal(getItem(flight, 'destination'), destination)) continue;
    const days = getItem(flight, 'dates');
    if (!contains(days, date)) continue;
    const then = getItem(days, date);
    if (getItem(then, 'status') !== 'available') continue;
    if (leaveAfter !== undefined && isLess(getItem(flight, 'scheduled_departure_time_est'), leaveAfter))
      continue;
    const told = ['flight_number', 'origin', 'destination'].map(
      (name) => [name, getItem(flight, name)] as const,
    );
    const times = ['scheduled_departure_time_est', 'scheduled_arrival_time_est'].map(
      (name) => [name, getItem(flight, name)] as const,
    );
    yield new Map<string, PythonValue>([
      ...told,
      ['status', 'available'],
      ...times,
      ['date', withDate ? date : null],
      ['available_seats', getItem(then, 'available_seats')],
      ['prices', getItem(then, 'prices')],
    ]);
  }
}

function* pairs(
  world: World,
  origin: PythonValue,
  destination: PythonValue,
  date: PythonValue,
): Generator<PythonValue[]> {
  for (const first of offers(world, { date, origin, withDate: true })) {
    const arrival = str(getItem(first, 'scheduled_arrival_time_est'));
    // The benchmark's own way to the next day.
    const next = arrival.includes('+1') ? `2024-05-${Number(str(date).slice(-2)) + 1}` : date;
    const onward = {
      date: next,
      origin: getItem(first, 'destination'),
      destination,
      leaveAfter: arrival,
      withDate: true,
    };
    for (const second of offers(world, onward)) yield [first, second];
  }
}

const cities = {
  SFO: 'San Francisco',
  JFK: 'New York',
  LAX: 'Los Angeles',
  ORD: 'Chicago',
  DFW: 'Dallas',
  DEN: 'Denver',
  SEA: 'Seattle',
  ATL: 'Atlanta',
  MIA: 'Miami',
  BOS: 'Boston',
  PHX: 'Phoenix',
  IAH: 'Houston',
  LAS: 'Las Vegas',
  MCO: 'Orlando',
  EWR: 'Newark',
  CLT: 'Charlotte',
  MSP: 'Minneapolis',
  DTW: 'Detroit',
  PHL: 'Philadelphia',
  LGA: 'LaGuardia',
};
const airports = Object.entries(cities).map(
  ([iata, city]): PythonDict =>
    new Map([
      ['iata', iata],
      ['city', city],
    ]),
);
