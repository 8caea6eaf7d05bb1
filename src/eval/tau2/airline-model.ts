import { absent, dict, float, int, list, oneOf, record, text, union } from '../python/model.ts';

const cabin = oneOf('business', 'economy', 'basic_economy');
const name = record({ first_name: text, last_name: text });

/** A passenger as a reservation holds it. */
export const passenger = record({ first_name: text, last_name: text, dob: text });

/** What is paid for a reservation: whole dollars. */
export const payment = record({ payment_id: text, amount: int });

/** A flight as a call names it. */
export const flightInfo = record({ flight_number: text, date: text });

/** A flight as a reservation holds it. */
export const reservationFlight = record({
  flight_number: text,
  origin: text,
  destination: text,
  date: text,
  price: int,
});

/** A certificate that a person can pay with. */
export const certificate = record({ source: oneOf('certificate'), id: text, amount: float });

/** A reservation. */
export const reservation = record({
  reservation_id: text,
  user_id: text,
  origin: text,
  destination: text,
  flight_type: oneOf('round_trip', 'one_way'),
  cabin,
  flights: list(reservationFlight),
  passengers: list(passenger),
  payment_history: list(payment),
  created_at: text,
  total_baggages: int,
  nonfree_baggages: int,
  insurance: oneOf('yes', 'no'),
  status: absent(oneOf('cancelled')),
});

const estimated = { estimated_departure_time_est: text, estimated_arrival_time_est: text };

const flightDay = union(
  record({ status: oneOf('available'), available_seats: dict(int, cabin), prices: dict(int, cabin) }),
  record({ status: oneOf('landed'), actual_departure_time_est: text, actual_arrival_time_est: text }),
  record({ status: oneOf('cancelled') }),
  record({ status: oneOf('delayed'), ...estimated }),
  record({ status: oneOf('flying'), actual_departure_time_est: text, estimated_arrival_time_est: text }),
  record({ status: oneOf('on time'), ...estimated }),
);

const flight = record({
  flight_number: text,
  origin: text,
  destination: text,
  scheduled_departure_time_est: text,
  scheduled_arrival_time_est: text,
  dates: dict(flightDay),
});

const user = record({
  user_id: text,
  name,
  address: record({
    address1: text,
    address2: absent(text),
    city: text,
    country: text,
    state: text,
    zip: text,
  }),
  email: text,
  dob: text,
  payment_methods: dict(
    union(
      record({ source: oneOf('credit_card'), id: text, brand: text, last_four: text }),
      record({ source: oneOf('gift_card'), id: text, amount: float }),
      certificate,
    ),
  ),
  saved_passengers: list(passenger),
  membership: oneOf('gold', 'silver', 'regular'),
  reservations: list(text),
});

/** The database of the airline. */
export const airlineDatabase = record(
  { flights: dict(flight), users: dict(user), reservations: dict(reservation) },
  { closed: true },
);
