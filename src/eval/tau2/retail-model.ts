import { absent, bool, dict, float, list, oneOf, record, text, union } from '../python/model.ts';

/** An address of a person or an order. */
export const address = record({
  address1: text,
  address2: text,
  city: text,
  country: text,
  state: text,
  zip: text,
});

/** A payment or refund of an order. */
export const orderPayment = record({
  transaction_type: oneOf('payment', 'refund'),
  amount: float,
  payment_method_id: text,
});

const product = record({
  name: text,
  product_id: text,
  variants: dict(record({ item_id: text, options: dict(text), available: bool, price: float })),
});

const user = record({
  user_id: text,
  name: record({ first_name: text, last_name: text }),
  address,
  email: text,
  payment_methods: dict(
    union(
      record({ source: oneOf('credit_card'), id: text, brand: text, last_four: text }),
      record({ source: oneOf('gift_card'), id: text, balance: float }),
      record({ source: oneOf('paypal'), id: text }),
    ),
  ),
  orders: list(text),
});

const order = record({
  order_id: text,
  user_id: text,
  address,
  items: list(record({ name: text, product_id: text, item_id: text, price: float, options: dict(text) })),
  status: oneOf(
    'processed',
    'pending',
    'pending (item modified)',
    'delivered',
    'cancelled',
    'exchange requested',
    'return requested',
  ),
  fulfillments: list(record({ tracking_id: list(text), item_ids: list(text) })),
  payment_history: list(orderPayment),
  cancel_reason: absent(oneOf('no longer needed', 'ordered by mistake')),
  exchange_items: absent(list(text)),
  exchange_new_items: absent(list(text)),
  exchange_payment_method_id: absent(text),
  exchange_price_difference: absent(float),
  return_items: absent(list(text)),
  return_payment_method_id: absent(text),
});

/** The database of the shop. */
export const retailDatabase = record(
  { products: dict(product), users: dict(user), orders: dict(order) },
  { closed: true },
);
