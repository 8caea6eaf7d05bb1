import {
  append,
  contains,
  extend,
  getDict,
  getItem,
  intOf,
  isGreater,
  isLess,
  iterate,
  lastOf,
  lengthOf,
  negate,
  operate,
  setItem,
  sum,
} from '../python/operate.ts';
import { writeJson } from '../python/json.ts';
import { str } from '../python/repr.ts';
import { deepCopy, equal, type PythonDict, type PythonValue } from '../python/value.ts';
import type { Data, Tool } from './tool.ts';

/** The tools of the airline that the other domain does not have. */
export const airlineTools: Readonly<Record<string, Tool>> = {
  book_reservation: {
    parameters: [
      'user_id',
      'origin',
      'destination',
      'flight_type',
      'cabin',
      'flights',
      'passengers',
      'payment_methods',
      'total_baggages',
      'nonfree_baggages',
      'insurance',
    ],
    run: (data, ...given) => bookReservation(data, given),
  },
  cancel_reservation: {
    parameters: ['reservation_id'],
    run({ reservations }, id = null) {
      if (!contains(reservations!, id)) return 'Error: reservation not found';
      const reservation = getDict(reservations!, id);
      const payments = getItem(reservation, 'payment_history');
      const refunds = iterate(payments).map(
        (payment): PythonDict =>
          new Map([
            ['payment_id', getItem(payment, 'payment_id')],
            ['amount', negate(getItem(payment, 'amount'))],
          ]),
      );
      extend(payments, refunds);
      reservation.set('status', 'cancelled');
      return writeJson(reservation);
    },
  },
  get_reservation_details: {
    parameters: ['reservation_id'],
    run: ({ reservations }, id = null) =>
      // The benchmark's own words, though it is not a user that was asked for.
      contains(reservations!, id) ? writeJson(getItem(reservations!, id)) : 'Error: user not found',
  },
  get_user_details: {
    parameters: ['user_id'],
    run: ({ users }, id = null) =>
      contains(users!, id) ? writeJson(getItem(users!, id)) : 'Error: user not found',
  },
  list_all_airports: { parameters: [], run: () => writeJson(airports) },
  search_direct_flight: {
    parameters: ['origin', 'destination', 'date'],
    run({ flights }, origin = null, destination = null, date = null) {
      const found: PythonValue[] = [];
      for (const flight of flights!.values()) {
        if (!equal(getItem(flight, 'origin'), origin) || !equal(getItem(flight, 'destination'), destination))
          continue;
        if (isAvailable(flight, date)) found.push(offer(flight, date));
      }
      return writeJson(found);
    },
  },
  search_onestop_flight: {
    parameters: ['origin', 'destination', 'date'],
    run: ({ flights }, origin = null, destination = null, date = null) =>
      writeJson(searchOneStop([...flights!.values()], origin, destination, date)),
  },
  send_certificate: {
    parameters: ['user_id', 'amount'],
    run({ users }, userId = null, amount = null) {
      if (!contains(users!, userId)) return 'Error: user not found';
      const methods = getDict(getItem(users!, userId), 'payment_methods');
      for (const number of [3221322, 3221323, 3221324]) {
        const id = `certificate_${number}`;
        if (methods.has(id)) continue;
        methods.set(
          id,
          new Map<string, PythonValue>([
            ['source', 'certificate'],
            ['amount', amount],
            ['id', id],
          ]),
        );
        return `Certificate ${id} added to user ${str(userId)} with amount ${str(amount)}.`;
      }
      // The official tool falls off its end here.
      return 'None';
    },
  },
  update_reservation_baggages: {
    parameters: ['reservation_id', 'total_baggages', 'nonfree_baggages', 'payment_id'],
    run: (data, ...given) => updateBaggages(data, given),
  },
  update_reservation_flights: {
    parameters: ['reservation_id', 'cabin', 'flights', 'payment_id'],
    run: (data, ...given) => updateFlights(data, given),
  },
  update_reservation_passengers: {
    parameters: ['reservation_id', 'passengers'],
    run({ reservations }, id = null, passengers = null) {
      if (!contains(reservations!, id)) return 'Error: reservation not found';
      const reservation = getDict(reservations!, id);
      if (lengthOf(passengers) !== lengthOf(getItem(reservation, 'passengers'))) {
        return 'Error: number of passengers does not match';
      }
      reservation.set('passengers', passengers);
      return writeJson(reservation);
    },
  },
};

function bookReservation(data: Data, given: readonly PythonValue[]): string {
  const [userId = null, origin = null, destination = null, flightType = null, cabin = null] = given;
  const [flights = null, passengers = null, payments = null, total = null, nonfree = null, insurance = null] =
    given.slice(5);
  const { reservations, users } = data as { reservations: Data[string]; users: Data[string] };
  if (!contains(users, userId)) return 'Error: user not found';
  const user = getDict(users, userId);
  const id = ['HATHAT', 'HATHAU'].find((free) => !reservations.has(free)) ?? 'HATHAV';
  const booked = deepCopy(flights);
  const reservation: PythonDict = new Map([
    ['reservation_id', id],
    ['user_id', userId],
    ['origin', origin],
    ['destination', destination],
    ['flight_type', flightType],
    ['cabin', cabin],
    ['flights', booked],
    ['passengers', passengers],
    ['payment_history', payments],
    ['created_at', '2024-05-15T15:00:00'],
    ['total_baggages', total],
    ['nonfree_baggages', nonfree],
    ['insurance', insurance],
  ]);

  let price: PythonValue = 0n;
  for (const flight of iterate(booked)) {
    const refused = takeSeats(data, flight, cabin, passengers);
    if (refused !== undefined) return refused;
    price = operate('+=', price, operate('*', getItem(flight, 'price'), lengthOf(passengers)));
  }
  if (insurance === 'yes') price = operate('+=', price, 30n * lengthOf(passengers));
  price = operate('+=', price, operate('*', 50n, nonfree));

  const methods = getDict(user, 'payment_methods');
  for (const payment of iterate(payments)) {
    const paymentId = getItem(payment, 'payment_id');
    const amount = getItem(payment, 'amount');
    if (!contains(methods, paymentId)) return `Error: payment method ${str(paymentId)} not found`;
    const method = getItem(methods, paymentId);
    const isLimited = contains(['gift_card', 'certificate'], getItem(method, 'source'));
    if (isLimited && isLess(getItem(method, 'amount'), amount)) {
      return `Error: not enough balance in payment method ${str(paymentId)}`;
    }
  }
  const paid = sum(iterate(payments).map((payment) => getItem(payment, 'amount')));
  if (!equal(paid, price)) {
    return `Error: payment amount does not add up, total price is ${str(price)}, but paid ${str(paid)}`;
  }

  for (const payment of iterate(payments)) {
    const paymentId = getItem(payment, 'payment_id');
    const amount = getItem(payment, 'amount');
    // A certificate that is given twice is gone the second time, and what was done until then stays done.
    const method = getItem(methods, paymentId);
    const source = getItem(method, 'source');
    if (source === 'gift_card') setItem(method, 'amount', operate('-=', getItem(method, 'amount'), amount));
    else if (source === 'certificate') methods.delete(paymentId as string);
  }
  reservations.set(id, reservation);
  append(getItem(user, 'reservations'), id);
  return writeJson(reservation);
}

/** Writes price and places into a flight that is asked for; no seat is taken from the data. */
function takeSeats(
  { flights }: Data,
  flight: PythonValue,
  cabin: PythonValue,
  passengers: PythonValue,
): string | undefined {
  const number = getItem(flight, 'flight_number');
  if (!contains(flights!, number)) return `Error: flight ${str(number)} not found`;
  const known = getItem(flights!, number);
  const dates = getItem(known, 'dates');
  const date = getItem(flight, 'date');
  if (!contains(dates, date)) return `Error: flight ${str(number)} not found on date ${str(date)}`;
  const day = getItem(dates, date);
  if (getItem(day, 'status') !== 'available') {
    return `Error: flight ${str(number)} not available on date ${str(date)}`;
  }
  if (isLess(getItem(getItem(day, 'available_seats'), cabin), lengthOf(passengers))) {
    return `Error: not enough seats on flight ${str(number)}`;
  }
  setItem(flight, 'price', getItem(getItem(day, 'prices'), cabin));
  setItem(flight, 'origin', getItem(known, 'origin'));
  setItem(flight, 'destination', getItem(known, 'destination'));
  return undefined;
}

function updateBaggages({ users, reservations }: Data, given: readonly PythonValue[]): string {
  const [id = null, total = null, nonfree = null, paymentId = null] = given;
  if (!contains(reservations!, id)) return 'Error: reservation not found';
  const reservation = getDict(reservations!, id);
  const more = operate('-', nonfree, getItem(reservation, 'nonfree_baggages'));
  const price = operate('*', 50n, isGreater(more, 0n) ? more : 0n);
  const method = payingMethod(users!, reservation, paymentId, price);
  if (typeof method === 'string') return method;
  reservation.set('total_baggages', total);
  reservation.set('nonfree_baggages', nonfree);
  pay(method, price);
  notePayment(reservation, paymentId, price);
  return writeJson(reservation);
}

function updateFlights(data: Data, given: readonly PythonValue[]): string {
  const [id = null, cabin = null, wanted = null, paymentId = null] = given;
  const { users, reservations } = data;
  if (!contains(reservations!, id)) return 'Error: reservation not found';
  const reservation = getDict(reservations!, id);
  const passengers = getItem(reservation, 'passengers');
  const before = getItem(reservation, 'flights');

  let price: PythonValue = 0n;
  const flights = deepCopy(wanted);
  for (const flight of iterate(flights)) {
    const kept = iterate(before).filter(
      (other) =>
        equal(getItem(other, 'flight_number'), getItem(flight, 'flight_number')) &&
        equal(getItem(other, 'date'), getItem(flight, 'date')) &&
        equal(cabin, getItem(reservation, 'cabin')),
    )[0];
    if (kept === undefined) {
      const refused = takeSeats(data, flight, cabin, passengers);
      if (refused !== undefined) return refused;
      price = operate('+=', price, operate('*', getItem(flight, 'price'), lengthOf(passengers)));
      continue;
    }
    price = operate('+=', price, operate('*', getItem(kept, 'price'), lengthOf(passengers)));
    for (const key of ['price', 'origin', 'destination']) setItem(flight, key, getItem(kept, key));
  }
  const paid = sum(iterate(before).map((flight) => getItem(flight, 'price')));
  price = operate('-=', price, operate('*', paid, lengthOf(passengers)));

  const method = payingMethod(users!, reservation, paymentId, price);
  if (typeof method === 'string') return method;
  pay(method, price);
  reservation.set('flights', flights);
  notePayment(reservation, paymentId, price);
  return writeJson(reservation);
}

/** The method that a change is paid by, or why it cannot be. */
function payingMethod(
  users: PythonDict,
  reservation: PythonDict,
  paymentId: PythonValue,
  price: PythonValue,
): PythonDict | string {
  const methods = getItem(getItem(users, getItem(reservation, 'user_id')), 'payment_methods');
  if (!contains(methods, paymentId)) return 'Error: payment method not found';
  const method = getDict(methods, paymentId);
  if (method.get('source') === 'certificate')
    return 'Error: certificate cannot be used to update reservation';
  if (method.get('source') === 'gift_card' && isLess(getItem(method, 'amount'), price)) {
    return 'Error: gift card balance is not enough';
  }
  return method;
}

function pay(method: PythonDict, price: PythonValue): void {
  if (method.get('source') !== 'gift_card') return;
  method.set('amount', operate('-=', getItem(method, 'amount'), price));
}

function notePayment(reservation: PythonDict, paymentId: PythonValue, price: PythonValue): void {
  if (equal(price, 0n)) return;
  append(
    getItem(reservation, 'payment_history'),
    new Map([
      ['payment_id', paymentId],
      ['amount', price],
    ]),
  );
}

function isAvailable(flight: PythonValue, date: PythonValue): boolean {
  const dates = getItem(flight, 'dates');
  return contains(dates, date) && getItem(getItem(dates, date), 'status') === 'available';
}

/** A flight as a search shows it: what holds for every day, then what holds for that one. */
function offer(flight: PythonValue, date: PythonValue): PythonDict {
  const offered: PythonDict = new Map(flight as PythonDict);
  offered.delete('dates');
  for (const [key, value] of getDict(getItem(flight, 'dates'), date)) offered.set(key, value);
  return offered;
}

function searchOneStop(
  flights: readonly PythonValue[],
  origin: PythonValue,
  destination: PythonValue,
  date: PythonValue,
): PythonValue[] {
  const found: PythonValue[] = [];
  for (const first of flights) {
    if (!equal(getItem(first, 'origin'), origin)) continue;
    const arrival = getItem(first, 'scheduled_arrival_time_est');
    for (const second of flights) {
      if (!equal(getItem(second, 'destination'), destination)) continue;
      if (!equal(getItem(first, 'destination'), getItem(second, 'origin'))) continue;
      const isNextDay = contains(arrival, '+1');
      const secondDate = isNextDay ? `2024-05-${intOf(lastOf(date, 2)) + 1n}` : date;
      if (isGreater(arrival, getItem(second, 'scheduled_departure_time_est'))) continue;
      if (!isAvailable(first, date) || !isAvailable(second, secondDate)) continue;
      const firstOffer = offer(first, date).set('date', date);
      // The benchmark takes price and seats of the day of the first flight here, also where the second flies a day later.
      found.push([firstOffer, offer(second, date).set('date', secondDate)]);
    }
  }
  return found;
}

const airports: PythonDict = new Map([
  ['SFO', 'San Francisco'],
  ['JFK', 'New York'],
  ['LAX', 'Los Angeles'],
  ['ORD', 'Chicago'],
  ['DFW', 'Dallas'],
  ['DEN', 'Denver'],
  ['SEA', 'Seattle'],
  ['ATL', 'Atlanta'],
  ['MIA', 'Miami'],
  ['BOS', 'Boston'],
  ['PHX', 'Phoenix'],
  ['IAH', 'Houston'],
  ['LAS', 'Las Vegas'],
  ['MCO', 'Orlando'],
  ['EWR', 'Newark'],
  ['CLT', 'Charlotte'],
  ['MSP', 'Minneapolis'],
  ['DTW', 'Detroit'],
  ['PHL', 'Philadelphia'],
  ['LGA', 'LaGuardia'],
]);
