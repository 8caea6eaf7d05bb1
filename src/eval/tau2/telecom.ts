import { valueError } from '../python/exception.ts';
import { make } from '../python/model.ts';
import {
  append,
  contains,
  getDict,
  getItem,
  isGreater,
  isLess,
  iterate,
  operate,
} from '../python/operate.ts';
import { str } from '../python/repr.ts';
import { equal, isTrue, type PythonDict, type PythonValue } from '../python/value.ts';
import { phoneDatabase, paymentRequest } from './phone-model.ts';
import { phone } from './phone.ts';
import { bill, lineItem, telecomDatabase } from './telecom-model.ts';
import type { DomainRules, Toolkit, World } from './toolkit.ts';

/** The benchmark's day is 25 February 2025. */
const today = '2025-02-25';
const nextMonth = { start: '2025-03-01', end: '2025-03-31', due: '2025-03-15' };
const lastMonth = { start: '2025-01-01', end: '2025-01-31', due: '2025-01-15' };

const ofLine = ['customer_id', 'line_id'];

const tools: Toolkit = {
  reads: [
    'get_bills_for_customer',
    'get_customer_by_id',
    'get_customer_by_name',
    'get_customer_by_phone',
    'get_data_usage',
    'get_details_by_id',
    'transfer_to_human_agents',
  ],
  writes: {
    suspend_line: { parameters: [...ofLine, 'reason'], run: suspendLine },
    resume_line: { parameters: ofLine, run: resumeLine },
    send_payment_request: { parameters: ['customer_id', 'bill_id'], run: sendPaymentRequest },
    enable_roaming: {
      parameters: ofLine,
      run: (world, customerId, lineId) =>
        targetLine(world, customerId!, lineId!).set('roaming_enabled', true),
    },
    disable_roaming: {
      parameters: ofLine,
      run: (world, customerId, lineId) =>
        targetLine(world, customerId!, lineId!).set('roaming_enabled', false),
    },
    refuel_data: { parameters: [...ofLine, 'gb_amount'], run: refuelData },
  },
  functions: {
    set_data_usage: {
      parameters: [...ofLine, 'data_used_gb'],
      run: (world, customerId, lineId, used) =>
        targetLine(world, customerId!, lineId!).set('data_used_gb', used!),
    },
    suspend_line_for_overdue_bill: {
      parameters: [...ofLine, 'new_bill_id', 'contract_ended'],
      run: suspendForOverdueBill,
    },
    assert_data_refueling_amount: {
      parameters: [...ofLine, 'expected_amount'],
      run(world, customerId, lineId, expected) {
        const refueled = getItem(targetLine(world, customerId!, lineId!), 'data_refueling_gb');
        return Math.abs(Number(operate('-', refueled, expected!))) < 1e-6;
      },
    },
    assert_line_status: {
      parameters: [...ofLine, 'expected_status'],
      run: (world, customerId, lineId, expected) =>
        equal(getItem(targetLine(world, customerId!, lineId!), 'status'), expected!),
    },
    assert_overdue_bill_exists: {
      parameters: ['customer_id', 'overdue_bill_id'],
      run(world, customerId, billId) {
        const customer = find(world, 'customers', 'customer_id', customerId!);
        if (!contains(getItem(customer, 'bill_ids'), billId!)) throw valueError('Overdue bill not found');
        if (statusOf(find(world, 'bills', 'bill_id', billId!)) !== 'Overdue')
          throw valueError('Bill is not overdue');
        return true;
      },
    },
    assert_no_overdue_bill: {
      parameters: ['overdue_bill_id'],
      run(world, billId) {
        const known = seek(world, 'bills', 'bill_id', billId!);
        return known === undefined || statusOf(known) === 'Paid';
      },
    },
  },
};

/** The carrier of tau2, whose customer has a phone and tools of their own. */
export const telecom: DomainRules = {
  name: 'telecom',
  agentModel: telecomDatabase,
  userModel: phoneDatabase,
  agent: tools,
  user: phone,
  sync,
};

function seek({ agent }: World, table: string, key: string, id: PythonValue): PythonDict | undefined {
  return iterate(agent.get(table)!).find((each) => equal(getItem(each, key), id)) as PythonDict | undefined;
}

export function find(world: World, table: string, key: string, id: PythonValue): PythonDict {
  const found = seek(world, table, key, id);
  if (found === undefined) throw valueError(`${str(id)} not found`);
  return found;
}

export function targetLine(world: World, customerId: PythonValue, lineId: PythonValue): PythonDict {
  const customer = find(world, 'customers', 'customer_id', customerId);
  if (!contains(getItem(customer, 'line_ids'), lineId)) throw valueError(`Line ${str(lineId)} not found`);
  return find(world, 'lines', 'line_id', lineId);
}

function statusOf(record: PythonDict): PythonValue {
  return getItem(record, 'status');
}

export function billsOf(world: World, customer: PythonDict): readonly PythonDict[] {
  return iterate(getItem(customer, 'bill_ids')).map((id) => find(world, 'bills', 'bill_id', id));
}

function suspendLine(world: World, customerId: PythonValue, lineId: PythonValue): PythonValue {
  const line = targetLine(world, customerId, lineId);
  if (statusOf(line) !== 'Active') throw valueError('Line must be active to suspend');
  line.set('status', 'Suspended');
  line.set('suspension_start_date', today);
  return line;
}

function resumeLine(world: World, customerId: PythonValue, lineId: PythonValue): PythonValue {
  const line = targetLine(world, customerId, lineId);
  if (!contains(['Suspended', 'Pending Activation'], statusOf(line))) {
    throw valueError('Line must be suspended to resume');
  }
  line.set('status', 'Active');
  line.set('suspension_start_date', null);
  return line;
}

function awaitingPayment(world: World, customer: PythonDict): readonly PythonDict[] {
  return billsOf(world, customer).filter((each) => statusOf(each) === 'Awaiting Payment');
}

function sendPaymentRequest(world: World, customerId: PythonValue, billId: PythonValue): PythonValue {
  const customer = find(world, 'customers', 'customer_id', customerId);
  if (awaitingPayment(world, customer).length > 0) throw valueError('A bill is already awaiting payment');
  if (!contains(getItem(customer, 'bill_ids'), billId)) throw valueError('Bill not found for customer');
  return find(world, 'bills', 'bill_id', billId).set('status', 'Awaiting Payment');
}

function refuelData(world: World, ...given: PythonValue[]): PythonValue {
  const [customerId, lineId, amount] = given as [PythonValue, PythonValue, PythonValue];
  const line = targetLine(world, customerId, lineId);
  // As Python asks whether it is <= 0: what cannot be compared is refused, and NaN passes.
  if (isLess(amount, 0n) || equal(amount, 0n)) throw valueError('Refuel amount must be positive');
  const plan = find(world, 'plans', 'plan_id', getItem(line, 'plan_id'));
  const price = getItem(plan, 'data_refueling_price_per_gb');
  const charge = operate('*', amount, price);
  line.set('data_refueling_gb', operate('+=', getItem(line, 'data_refueling_gb'), amount));
  const description = `Data refueling: ${str(amount)} GB at $${str(price)}/GB`;
  applyCharge(world, find(world, 'customers', 'customer_id', customerId), charge, description);
  return charge;
}

function applyCharge(world: World, customer: PythonDict, amount: PythonValue, description: string): void {
  let draft = billsOf(world, customer).find((each) => statusOf(each) === 'Draft');
  if (draft === undefined) {
    const bills = world.agent.get('bills')!;
    // The benchmark draws this id at random, so that no two runs agree in it.
    const id = `B-${world.name}-${iterate(bills).length}`;
    draft = newBill(id, getItem(customer, 'customer_id'), nextMonth, 'Draft');
    append(bills, draft);
    append(getItem(customer, 'bill_ids'), id);
  }
  charge(draft, amount, description, isLess(amount, 0n) ? 'Credit' : 'Charge');
}

function newBill(
  id: PythonValue,
  customerId: PythonValue,
  month: { readonly start: string; readonly end: string; readonly due: string },
  status: string,
): PythonDict {
  return make(bill, {
    bill_id: id,
    customer_id: customerId,
    period_start: month.start,
    period_end: month.end,
    issue_date: month.start,
    total_due: 0n,
    due_date: month.due,
    status,
  });
}

function charge(charged: PythonDict, amount: PythonValue, description: string, type: string): void {
  append(
    getItem(charged, 'line_items'),
    make(lineItem, { description, amount, date: today, item_type: type }),
  );
  charged.set('total_due', operate('+=', getItem(charged, 'total_due'), amount));
}

function suspendForOverdueBill(world: World, ...given: PythonValue[]): PythonValue {
  const [customerId, lineId, billId, hasEnded] = given as [
    PythonValue,
    PythonValue,
    PythonValue,
    PythonValue,
  ];
  const line = find(world, 'lines', 'line_id', lineId);
  if (statusOf(line) !== 'Active') throw valueError('Line must be active to suspend for unpaid bill');
  const amount = getItem(find(world, 'plans', 'plan_id', getItem(line, 'plan_id')), 'price_per_month');
  if (!isGreater(amount, 0n)) throw valueError('Amount must be positive for overdue bill');
  const customer = find(world, 'customers', 'customer_id', customerId);
  if (billsOf(world, customer).some((each) => statusOf(each) === 'Overdue')) {
    throw valueError('Customer already has an overdue bill');
  }
  const overdue = newBill(billId, customerId, lastMonth, 'Overdue');
  charge(overdue, amount, `Charge for line ${str(getItem(line, 'line_id'))}`, 'Charge');
  append(world.agent.get('bills')!, overdue);
  append(getItem(customer, 'bill_ids'), billId);
  line.set('status', 'Suspended');
  line.set('suspension_start_date', today);
  if (isTrue(hasEnded)) line.set('contract_end_date', lastMonth.end);
  return null;
}

/** Keeps the phone in step with the carrier, and the carrier with what was paid by phone. */
function sync(world: World): void {
  const surroundings = getDict(world.user, 'surroundings');
  const number = getItem(surroundings, 'phone_number');
  if (number === null) return;
  const line = find(world, 'lines', 'phone_number', number);
  surroundings.set('line_active', statusOf(line) === 'Active');
  surroundings.set('roaming_allowed', isTrue(getItem(line, 'roaming_enabled')));
  const plan = find(world, 'plans', 'plan_id', getItem(line, 'plan_id'));
  const limit = operate('+', getItem(plan, 'data_limit_gb'), getItem(line, 'data_refueling_gb'));
  const used = getItem(line, 'data_used_gb');
  surroundings.set('mobile_data_usage_exceeded', isGreater(used, limit) || equal(used, limit));

  const request = getItem(surroundings, 'payment_request');
  if (request !== null && isTrue(getItem(request, 'paid'))) {
    find(world, 'bills', 'bill_id', getItem(request, 'bill_id')).set('status', 'Paid');
    surroundings.set('payment_request', null);
  }
  if (getItem(surroundings, 'payment_request') !== null) return;
  const [due] = awaitingPayment(world, customerOf(world, number));
  if (due === undefined) return;
  surroundings.set(
    'payment_request',
    make(paymentRequest, { bill_id: getItem(due, 'bill_id'), amount_due: getItem(due, 'total_due') }),
  );
}

export function customerOf(world: World, number: PythonValue): PythonDict {
  const found = iterate(world.agent.get('customers')!).find(
    (customer) =>
      equal(getItem(customer, 'phone_number'), number) ||
      iterate(getItem(customer, 'line_ids')).some((id) =>
        equal(getItem(find(world, 'lines', 'line_id', id), 'phone_number'), number),
      ),
  );
  if (found === undefined) throw valueError('Customer not found');
  return found as PythonDict;
}
