import {
  append,
  contains,
  extend,
  getDict,
  getItem,
  isGreater,
  isLess,
  iterate,
  lengthOf,
  negate,
  operate,
  setItem,
  sum,
} from '../python/operate.ts';
import { valueError } from '../python/exception.ts';
import { str } from '../python/repr.ts';
import { type Field, make } from '../python/model.ts';
import { deepCopy, equal, type PythonDict, type PythonValue } from '../python/value.ts';
import {
  airlineDatabase,
  certificate,
  flightInfo,
  passenger,
  payment,
  reservation,
  reservationFlight,
} from './airline-model.ts';
import { type DomainRules, noToolkit, type Toolkit, type World } from './toolkit.ts';
import { record } from '../python/model.ts';

const tools: Toolkit = {
  reads: [
    'calculate',
    'get_flight_status',
    'get_reservation_details',
    'get_user_details',
    'list_all_airports',
    'search_direct_flight',
    'search_onestop_flight',
    'transfer_to_human_agents',
  ],
  functions: {},
  writes: {
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
      run: bookReservation,
    },
    cancel_reservation: { parameters: ['reservation_id'], run: cancelReservation },
    send_certificate: { parameters: ['user_id', 'amount'], run: sendCertificate },
    update_reservation_baggages: {
      parameters: ['reservation_id', 'total_baggages', 'nonfree_baggages', 'payment_id'],
      run: updateBaggages,
    },
    update_reservation_flights: {
      parameters: ['reservation_id', 'cabin', 'flights', 'payment_id'],
      run: updateFlights,
    },
    update_reservation_passengers: { parameters: ['reservation_id', 'passengers'], run: updatePassengers },
  },
};

/** The airline of tau2. */
export const airline: DomainRules = {
  name: 'airline',
  agentModel: airlineDatabase,
  userModel: record({}),
  agent: tools,
  user: noToolkit,
};

const kinds = { users: 'User', reservations: 'Reservation', flights: 'Flight' } as const;

export function found({ agent }: World, table: keyof typeof kinds, id: PythonValue): PythonDict {
  const records = agent.get(table)!;
  if (!contains(records, id)) throw valueError(`${kinds[table]} ${str(id)} not found`);
  return getDict(records, id);
}

/** A flight on one of its days. */
export function dayOf(world: World, flight: PythonValue, date: PythonValue): PythonDict {
  const days = getItem(found(world, 'flights', flight), 'dates');
  if (!contains(days, date)) throw valueError(`Flight ${str(flight)} not found on date ${str(date)}`);
  return getDict(days, date);
}

/** Items that are all dicts become records; any other is kept, and will be refused where a record is needed. */
function records(type: Field, items: PythonValue): PythonValue {
  const given = iterate(items);
  return given.every((item) => item instanceof Map) ? given.map((item) => type.convert(item)) : items;
}

/** Records that must be records by now: a dict among other things has no members by name. */
function requireRecords(items: PythonValue): readonly PythonDict[] {
  const given = iterate(items);
  if (!given.every((item) => item instanceof Map)) throw valueError('not a record');
  return given as readonly PythonDict[];
}

function bookReservation(world: World, ...given: PythonValue[]): PythonValue {
  const [userId, origin, destination, flightType, cabin] = given as [
    PythonValue,
    PythonValue,
    PythonValue,
    PythonValue,
    PythonValue,
  ];
  const [total, nonfree, insurance] = given.slice(8) as [PythonValue, PythonValue, PythonValue];
  const flights = records(flightInfo, given[5]!);
  const passengers = records(passenger, given[6]!);
  const payments = records(payment, given[7]!);
  const user = found(world, 'users', userId);
  const reservations = world.agent.get('reservations') as PythonDict;
  const id = ['HATHAT', 'HATHAU', 'HATHAV'].find((free) => !reservations.has(free));
  if (id === undefined) throw valueError('Too many reservations');
  const booked = make(reservation, {
    reservation_id: id,
    user_id: userId,
    origin,
    destination,
    flight_type: flightType,
    cabin,
    flights: [],
    passengers: deepCopy(passengers),
    payment_history: deepCopy(payments),
    created_at: '2024-05-15T15:00:00',
    total_baggages: total,
    nonfree_baggages: nonfree,
    insurance,
  });

  let price: PythonValue = 0n;
  const days: PythonDict[] = [];
  for (const flight of requireRecords(flights)) {
    const { day, held } = availableFlight(world, flight, cabin, passengers);
    append(getItem(booked, 'flights'), held);
    days.push(day);
    price = operate('+=', price, operate('*', getItem(getItem(day, 'prices'), cabin), lengthOf(passengers)));
  }
  if (insurance === 'yes') price = operate('+=', price, 30n * lengthOf(passengers));
  price = operate('+=', price, operate('*', 50n, nonfree));

  const methods = getDict(user, 'payment_methods');
  const paid = requireRecords(payments);
  for (const each of paid) {
    if (!contains(methods, each.get('payment_id')!))
      throw valueError(`Payment method ${str(each.get('payment_id')!)} not found`);
    const method = getDict(methods, each.get('payment_id')!);
    const isLimited = contains(['gift_card', 'certificate'], getItem(method, 'source'));
    if (isLimited && isLess(getItem(method, 'amount'), each.get('amount')!))
      throw valueError(`Not enough balance in payment method ${str(each.get('payment_id')!)}`);
  }
  const sent = sum(paid.map((each) => each.get('amount')!));
  if (!equal(sent, price))
    throw valueError(`Payment amount does not add up, total price is ${str(price)}, but paid ${str(sent)}`);

  for (const each of paid) {
    const method = getDict(methods, each.get('payment_id')!);
    const source = getItem(method, 'source');
    if (source === 'gift_card')
      method.set('amount', operate('-=', getItem(method, 'amount'), each.get('amount')!));
    else if (source === 'certificate') methods.delete(each.get('payment_id') as string);
  }
  for (const day of days) {
    const seats = getDict(day, 'available_seats');
    setItem(seats, cabin as string, operate('-=', getItem(seats, cabin), lengthOf(passengers)));
  }
  reservations.set(id, booked);
  append(getItem(user, 'reservations'), id);
  return booked;
}

/** A flight that has seats: its day in the data, and how a reservation holds it. */
function availableFlight(
  world: World,
  flight: PythonDict,
  cabin: PythonValue,
  passengers: PythonValue,
): { readonly day: PythonDict; readonly held: PythonDict } {
  const number = flight.get('flight_number')!;
  const known = found(world, 'flights', number);
  const day = dayOf(world, number, flight.get('date')!);
  if (day.get('status') !== 'available')
    throw valueError(`Flight ${str(number)} not available on date ${str(flight.get('date')!)}`);
  if (isLess(getItem(getItem(day, 'available_seats'), cabin), lengthOf(passengers)))
    throw valueError(`Not enough seats on flight ${str(number)}`);
  const held = make(reservationFlight, {
    flight_number: flight.get('flight_number')!,
    origin: getItem(known, 'origin'),
    destination: getItem(known, 'destination'),
    date: flight.get('date')!,
    price: getItem(getItem(day, 'prices'), cabin),
  });
  return { day, held };
}

function cancelReservation(world: World, id: PythonValue): PythonValue {
  const cancelled = found(world, 'reservations', id);
  const payments = getItem(cancelled, 'payment_history');
  const refunds = iterate(payments).map((each) =>
    make(payment, { payment_id: getItem(each, 'payment_id'), amount: negate(getItem(each, 'amount')) }),
  );
  extend(payments, refunds);
  cancelled.set('status', 'cancelled');
  return cancelled;
}

function sendCertificate(world: World, userId: PythonValue, amount: PythonValue): PythonValue {
  const methods = getDict(found(world, 'users', userId), 'payment_methods');
  const id = [3221322, 3221323, 3221324]
    .map((number) => `certificate_${number}`)
    .find((free) => !methods.has(free));
  if (id === undefined) throw valueError('Too many certificates');
  methods.set(id, make(certificate, { id, amount, source: 'certificate' }));
  return id;
}

function updateBaggages(world: World, ...given: PythonValue[]): PythonValue {
  const [id, total, nonfree, paymentId] = given as [PythonValue, PythonValue, PythonValue, PythonValue];
  const changed = found(world, 'reservations', id);
  const more = operate('-', nonfree, getItem(changed, 'nonfree_baggages'));
  pay(world, changed, paymentId, operate('*', 50n, isGreater(more, 0n) ? more : 0n));
  changed.set('total_baggages', total);
  changed.set('nonfree_baggages', nonfree);
  return changed;
}

function updateFlights(world: World, ...given: PythonValue[]): PythonValue {
  const [id, cabin, wanted, paymentId] = given as [PythonValue, PythonValue, PythonValue, PythonValue];
  const flights = records(flightInfo, wanted);
  const changed = found(world, 'reservations', id);
  const passengers = getItem(changed, 'passengers');
  const before = iterate(getItem(changed, 'flights'));
  let price: PythonValue = 0n;
  const held: PythonValue[] = [];
  for (const flight of requireRecords(flights)) {
    const kept = before.find(
      (other) =>
        equal(getItem(other, 'flight_number'), flight.get('flight_number')!) &&
        equal(getItem(other, 'date'), flight.get('date')!) &&
        equal(cabin, getItem(changed, 'cabin')),
    );
    const next = kept ?? availableFlight(world, flight, cabin, passengers).held;
    price = operate('+=', price, operate('*', getItem(next, 'price'), lengthOf(passengers)));
    held.push(next);
  }
  const paid = sum(before.map((flight) => getItem(flight, 'price')));
  pay(world, changed, paymentId, operate('-=', price, operate('*', paid, lengthOf(passengers))));
  changed.set('flights', held);
  changed.set('cabin', cabin);
  return changed;
}

/** Takes the price of a change; a gift card is charged before the payment is written down. */
function pay(world: World, changed: PythonDict, paymentId: PythonValue, price: PythonValue): void {
  const methods = getItem(found(world, 'users', getItem(changed, 'user_id')), 'payment_methods');
  if (!contains(methods, paymentId)) throw valueError('Payment method not found');
  const method = getDict(methods, paymentId);
  const source = getItem(method, 'source');
  if (source === 'certificate') throw valueError('Certificate cannot be used to update reservation');
  if (source === 'gift_card') {
    if (isLess(getItem(method, 'amount'), price)) throw valueError('Gift card balance is not enough');
    method.set('amount', operate('-=', getItem(method, 'amount'), price));
  }
  if (equal(price, 0n)) return;
  append(getItem(changed, 'payment_history'), make(payment, { payment_id: paymentId, amount: price }));
}

function updatePassengers(world: World, id: PythonValue, wanted: PythonValue): PythonValue {
  const passengers = records(passenger, wanted);
  const changed = found(world, 'reservations', id);
  if (lengthOf(passengers) !== lengthOf(getItem(changed, 'passengers'))) {
    throw valueError('Number of passengers does not match');
  }
  changed.set('passengers', deepCopy(passengers));
  return changed;
}
