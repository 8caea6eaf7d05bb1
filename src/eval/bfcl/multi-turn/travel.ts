import { systemClock } from '../../../base/host/clock.ts';
import { PythonException, valueError } from '../../python/exception.ts';
import { divide, round } from '../../python/number.ts';
import { asNumber, contains, getItem, isLess, iterate, operate, setItem } from '../../python/operate.ts';
import { PythonRandom } from '../../python/random.ts';
import { repr, str } from '../../python/repr.ts';
import { deepCopy, equal, isNumber, type PythonDict, type PythonValue } from '../../python/value.ts';
import { type Api, attributes, dict, error, method } from './api.ts';
import { airports, baseCost, dollarRates, nearestAirports } from './flights.ts';
import { attributeOf, dateOf, floatOf } from './text.ts';

/** Flights, the cards that pay for them, and what belongs to a journey. */
export function startTravel(initial: PythonDict): Api {
  const state = attributes(initial, {
    credit_card_list: new Map(),
    booking_record: new Map(),
    access_token: null,
    token_type: null,
    token_expires_in: null,
    token_scope: null,
    user_first_name: null,
    user_last_name: null,
    budget_limit: null,
  });
  const random = new PythonRandom((initial.get('random_seed') as bigint | undefined) ?? 141053n);
  const cards = () => state.get('credit_card_list') as PythonDict;
  const bookings = () => state.get('booking_record') as PythonDict;
  const drawn = (from: bigint, to: bigint): string => String(random.between(from, to));

  /** Why a token may not be used. */
  function refusal(token: PythonValue): string | undefined {
    if (equal(state.get('token_expires_in')!, 0n)) return 'Token expired';
    return equal(token, state.get('access_token')!) ? undefined : 'Invalid access token';
  }

  function pay(card: PythonValue, operator: '+=' | '-=', amount: PythonValue): void {
    const record = getItem(cards(), card);
    setItem(record, 'balance', operate(operator, getItem(record, 'balance'), amount));
  }

  function whyNotBooked([token, card, date, from, to, seat]: readonly PythonValue[]): string | undefined {
    const refused = refusal(token!);
    if (refused !== undefined) return refused;
    if (!contains(cards(), card!)) return 'Card not registered';
    if (!contains(getItem(cards(), card!), 'balance')) return 'Balance not found';
    if (!contains(airports, from!)) return `Invalid departure airport code: ${str(from!)}`;
    if (!contains(airports, to!)) return `Invalid destination airport code: ${str(to!)}`;
    if (valueErrorOf(() => dateOf(date!, '%Y-%m-%d')) !== undefined)
      return 'Invalid date format. Use YYYY-MM-DD.';
    if (!contains(seats, seat!))
      return `Invalid travel class. Must be one of {${seats.map(repr).join(', ')}}`;
    const noRoute = valueErrorOf(() => flightCost(from!, to!, date!, seat!));
    if (noRoute !== undefined) return noRoute;
    const balance = getItem(getItem(cards(), card!), 'balance');
    if (isLess(balance, flightCost(from!, to!, date!, seat!))) return 'Insufficient funds';
    const limit = state.get('budget_limit')!;
    return limit !== null && isLess(balance, limit) ? 'Balance is less than budget limit' : undefined;
  }

  return {
    state: () => state,
    methods: {
      authenticate_travel: method(
        ['client_id', 'client_secret', 'refresh_token', 'grant_type', 'user_first_name', 'user_last_name'],
        (...given) => {
          const [scope = null, first = null, last = null] = given.slice(3);
          state.set('token_expires_in', 2n);
          state.set('access_token', drawn(100_000n, 999_999n));
          state.set('token_type', 'Bearer');
          state.set('token_scope', scope);
          state.set('user_first_name', first);
          state.set('user_last_name', last);
          return dict({
            expires_in: 2n,
            access_token: state.get('access_token')!,
            token_type: 'Bearer',
            scope,
          });
        },
      ),
      travel_get_login_status: method([], () => {
        const expires = state.get('token_expires_in')!;
        return dict({ status: expires !== null && !equal(expires, 0n) });
      }),
      get_budget_fiscal_year: method(
        [
          ['lastModifiedAfter', null],
          ['includeRemoved', null],
        ],
        () => dict({ budget_fiscal_year: '2018' }),
      ),
      register_credit_card: method(
        ['access_token', 'card_number', 'expiration_date', 'cardholder_name', 'card_verification_number'],
        (token = null, number = null, expires = null, holder = null, code = null) => {
          if (state.get('token_expires_in') === null) return error('Token not initialized');
          const refused = refusal(token);
          if (refused !== undefined) return error(refused);
          if (contains(cards(), number)) return error('Card already registered');
          const id = drawn(100_000_000_000n, 999_999_999_999n);
          cards().set(
            id,
            dict({
              card_number: number,
              expiration_date: expires,
              cardholder_name: holder,
              card_verification_number: code,
              balance: random.between(10_000n, 99_999n),
            }),
          );
          return dict({ card_id: id });
        },
      ),
      get_flight_cost: method(
        ['travel_from', 'travel_to', 'travel_date', 'travel_class'],
        (from = null, to = null, date = null, seat = null) =>
          dict({ travel_cost_list: [flightCost(from, to, date, seat)] }),
      ),
      get_credit_card_balance: method(['access_token', 'card_id'], (token = null, card = null) => {
        const refused = refusal(token);
        if (refused !== undefined) return error(refused);
        if (!contains(cards(), card))
          return error(`Card not registered. Here are a list of card_id's: ${repr([...cards().keys()])}`);
        return dict({ card_balance: getItem(getItem(cards(), card), 'balance') });
      }),
      book_flight: method(
        ['access_token', 'card_id', 'travel_date', 'travel_from', 'travel_to', 'travel_class'],
        (...given) => {
          const refused = whyNotBooked(given);
          if (refused !== undefined) return dict({ booking_status: false, error: refused });
          const [, card, date, from, to, seat] = given as [never, ...PythonValue[]];
          const cost = flightCost(from!, to!, date!, seat!);
          pay(card!, '-=', cost);
          const booking = drawn(1_000_000n, 9_999_999n);
          const transaction = drawn(10_000_000n, 99_999_999n);
          bookings().set(
            booking,
            dict({
              card_id: card!,
              travel_date: date!,
              travel_from: from!,
              travel_to: to!,
              travel_class: seat!,
              travel_cost: cost,
              transaction_id: transaction,
            }),
          );
          return dict({
            booking_id: booking,
            transaction_id: transaction,
            booking_status: true,
            booking_history: new Map(),
          });
        },
      ),
      retrieve_invoice: method(
        ['access_token', ['booking_id', null], ['insurance_id', null]],
        (token = null, booking = null) => {
          const refused = refusal(token);
          if (refused !== undefined) return error(refused);
          if (!contains(bookings(), booking)) return error('Booking not found');
          const record = getItem(bookings(), booking);
          const invoice = invoiced.map((field) => [field, getItem(record, field)] as const);
          return dict({ invoice: new Map([['booking_id', booking], ...invoice]) });
        },
      ),
      get_booking_history: method(['access_token'], (token = null) => {
        const refused = refusal(token);
        return refused === undefined ? dict({ booking_history: deepCopy(bookings()) }) : error(refused);
      }),
      list_all_airports: method([], () => airports),
      cancel_booking: method(['access_token', 'booking_id'], (token = null, booking = null) => {
        const refused = refusal(token) ?? (contains(bookings(), booking) ? undefined : 'Booking not found');
        if (refused !== undefined) return dict({ cancel_status: false, error: refused });
        const record = getItem(bookings(), booking);
        pay(getItem(record, 'card_id'), '+=', getItem(record, 'travel_cost'));
        bookings().delete(str(booking));
        return dict({ cancel_status: true });
      }),
      compute_exchange_rate: method(
        ['base_currency', 'target_currency', 'value'],
        (from = null, to = null, value = null) => exchanged(from, to, value),
      ),
      verify_traveler_information: method(
        ['first_name', 'last_name', 'date_of_birth', 'passport_number'],
        (...given) => {
          const failure = whyNotVerified(state, given);
          if (failure === undefined) return dict({ verification_status: true });
          return dict({ verification_status: false, verification_failure: failure });
        },
      ),
      set_budget_limit: method(['access_token', 'budget_limit'], (token = null, limit = null) => {
        const refused = refusal(token);
        if (refused !== undefined) return error(refused);
        state.set('budget_limit', floatOf(limit));
        return dict({ budget_limit: state.get('budget_limit')! });
      }),
      get_nearest_airport_by_city: method(['location'], (city = null) =>
        dict({
          nearest_airport: contains(nearestAirports, city) ? getItem(nearestAirports, city) : 'Unknown',
        }),
      ),
      purchase_insurance: method(
        ['access_token', 'insurance_type', 'booking_id', 'insurance_cost', 'card_id'],
        (token = null, _type = null, booking = null, cost = null, card = null) => {
          const limit = state.get('budget_limit')!;
          const refused =
            refusal(token) ??
            (limit !== null && isLess(limit, cost) ? 'Exceeded budget limit' : undefined) ??
            (contains(bookings(), booking) ? undefined : 'Booking not found') ??
            (contains(cards(), card) ? undefined : 'Credit card not registered');
          if (refused !== undefined) return dict({ insurance_status: false, error: refused });
          pay(card, '-=', cost);
          return dict({ insurance_id: drawn(100_000_000n, 999_999_999n), insurance_status: true });
        },
      ),
      contact_customer_support: method(['booking_id', 'message'], (booking = null) =>
        contains(bookings(), booking)
          ? dict({
              customer_support_message:
                'Thank you for contacting customer support. Your message has been received and we will get back to you shortly.',
            })
          : error('Booking not found'),
      ),
      get_all_credit_cards: method([], () => dict({ credit_card_list: cards() })),
    },
  };
}

const seats = ['economy', 'business', 'first'];
const invoiced = ['travel_date', 'travel_from', 'travel_to', 'travel_class', 'travel_cost', 'transaction_id'];

function flightCost(from: PythonValue, to: PythonValue, date: PythonValue, seat: PythonValue): number {
  const base = typeof from === 'string' && typeof to === 'string' ? baseCost(from, to) : undefined;
  if (base === undefined) throw valueError('No available route for the given airports.');
  const factor = { economy: 1, business: 2, first: 5 }[String(seat)];
  if (factor === undefined) throw valueError('Invalid travel class. Options are: economy, business, first.');
  const digits = iterate(date).filter((character) => /^\d$/.test(attributeOf(character, 'isdigit')));
  const sum = digits.reduce<number>((total, digit) => total + Number(digit), 0);
  return base * factor * (sum % 2 === 0 ? 2 : 1);
}

function exchanged(from: PythonValue, to: PythonValue, value: PythonValue): PythonDict {
  for (const [currency, rate] of Object.entries(dollarRates)) {
    if (from === 'USD' && to === currency)
      return dict({ exchanged_value: floatOf(operate('*', value, rate)) });
    if (from !== currency || to !== 'USD') continue;
    if (!isNumber(value)) operate('-', value, rate);
    return dict({ exchanged_value: round(divide(asNumber(value as bigint), rate), 2) });
  }
  throw valueError('No available exchange rate for the given currencies.');
}

function whyNotVerified(
  state: PythonDict,
  [first = null, last = null, born = null, passport = null]: readonly PythonValue[],
): string | undefined {
  const [knownFirst, knownLast] = [state.get('user_first_name')!, state.get('user_last_name')!];
  if (!equal(knownFirst, first) || !equal(knownLast, last))
    return `Cannot book flight information for another user.Expected ${str(knownFirst)} ${str(knownLast)}, got ${str(first)} ${str(last)}`;
  if (valueErrorOf(() => dateOf(born, '%Y-%m-%d')) !== undefined)
    return 'Invalid date of birth format. Please use YYYY-MM-DD.';
  const today = new Date(systemClock.now()).toISOString().slice(0, 10);
  const birthday = dateOf(born, '%Y-%m-%d').slice(0, 10);
  const age =
    Number(today.slice(0, 4)) - Number(birthday.slice(0, 4)) - Number(today.slice(5) < birthday.slice(5));
  if (age < 18) return 'Traveler must be at least 18 years old.';
  return attributeOf(passport, 'startswith').startsWith('US')
    ? undefined
    : 'Passport must be issued by the United States.';
}

/** The text of the `ValueError` that something raises; other errors go on. */
function valueErrorOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (cause) {
    if (cause instanceof PythonException && cause.type === 'ValueError') return cause.message;
    throw cause;
  }
}
