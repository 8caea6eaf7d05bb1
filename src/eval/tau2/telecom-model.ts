import {
  absent,
  bool,
  date,
  dateTime,
  float,
  list,
  oneOf,
  record,
  text,
  withDefault,
} from '../python/model.ts';

const closed = { closed: true };

/** A line of a bill. */
export const lineItem = record({ description: text, amount: float, date, item_type: text }, closed);

/** A bill. */
export const bill = record(
  {
    bill_id: text,
    customer_id: text,
    period_start: date,
    period_end: date,
    issue_date: date,
    total_due: float,
    due_date: date,
    line_items: withDefault(list(lineItem), []),
    status: withDefault(oneOf('Draft', 'Issued', 'Awaiting Payment', 'Paid', 'Overdue', 'Disputed'), 'Draft'),
  },
  closed,
);

const plan = record(
  {
    plan_id: text,
    name: text,
    data_limit_gb: float,
    price_per_month: float,
    data_refueling_price_per_gb: float,
  },
  closed,
);

const device = record(
  {
    device_id: text,
    device_type: oneOf('phone', 'router', 'tablet', 'watch', 'other'),
    model: text,
    imei: absent(text),
    is_esim_capable: bool,
    activated: withDefault(bool, false),
    activation_date: absent(dateTime),
    last_esim_transfer_date: absent(dateTime),
  },
  closed,
);

const line = record(
  {
    line_id: text,
    phone_number: text,
    status: withDefault(oneOf('Active', 'Suspended', 'Pending Activation', 'Closed'), 'Pending Activation'),
    plan_id: text,
    device_id: absent(text),
    data_used_gb: withDefault(float, 0),
    data_refueling_gb: withDefault(float, 0),
    roaming_enabled: withDefault(bool, false),
    contract_end_date: absent(date),
    last_plan_change_date: absent(date),
    last_sim_replacement_date: absent(date),
    suspension_start_date: absent(date),
  },
  closed,
);

const paymentMethod = record(
  {
    method_type: oneOf('Credit Card', 'Debit Card', 'PayPal'),
    account_number_last_4: text,
    expiration_date: text,
  },
  closed,
);

const customer = record(
  {
    customer_id: text,
    full_name: text,
    date_of_birth: text,
    email: text,
    phone_number: text,
    address: record({ street: text, city: text, state: text, zip_code: text }, closed),
    account_status: withDefault(
      oneOf('Active', 'Suspended', 'Pending Verification', 'Closed'),
      'Pending Verification',
    ),
    payment_methods: withDefault(list(paymentMethod), []),
    line_ids: withDefault(list(text), []),
    bill_ids: withDefault(list(text), []),
    created_at: withDefault(dateTime, '2025-01-01'),
    last_extension_date: absent(date),
    goodwill_credit_used_this_year: withDefault(float, 0),
  },
  closed,
);

/** The database of the carrier. */
export const telecomDatabase = record(
  {
    plans: withDefault(list(plan), []),
    customers: withDefault(list(customer), []),
    lines: withDefault(list(line), []),
    bills: withDefault(list(bill), []),
    devices: withDefault(list(device), []),
  },
  closed,
);
