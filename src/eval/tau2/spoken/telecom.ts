import { valueError } from '../../python/exception.ts';
import { writeJson } from '../../python/json.ts';
import { getItem, iterate, operate } from '../../python/operate.ts';
import { str } from '../../python/repr.ts';
import { compareText, equal, type PythonDict, type PythonValue } from '../../python/value.ts';
import { billsOf, customerOf, find, targetLine } from '../telecom.ts';
import type { World } from '../toolkit.ts';
import { plainDict, type SpokenTool, textSchema, transferTool } from './tool.ts';

const customerId = textSchema("The customer's id, such as 'C1001'.");
const lineId = textSchema("The line's id, such as 'L1001'.");
const ofLine = { customer_id: customerId, line_id: lineId };

/** Where an id is, by the letter that it begins with. */
const tables: Readonly<Record<string, readonly [table: string, key: string, kind: string]>> = {
  L: ['lines', 'line_id', 'Line'],
  D: ['devices', 'device_id', 'Device'],
  B: ['bills', 'bill_id', 'Bill'],
  C: ['customers', 'customer_id', 'Customer'],
  P: ['plans', 'plan_id', 'Plan'],
};

function detailsOf(world: World, id: PythonValue): PythonDict {
  const letter = typeof id === 'string' ? id.slice(0, 1) : '';
  if (tables[letter] === undefined) throw valueError(`Unknown ID format or type: ${str(id)}`);
  return recordWith(world, letter, id);
}

function recordWith(world: World, letter: string, id: PythonValue): PythonDict {
  const [table, key, kind] = tables[letter]!;
  const found = iterate(world.agent.get(table)!).find((each) => equal(getItem(each, key), id));
  if (found === undefined) throw valueError(`${kind} with ID ${str(id)} not found`);
  return found as PythonDict;
}

/** The tools of the carrier's agent. */
export const telecomAgent: Readonly<Record<string, SpokenTool>> = {
  get_customer_by_phone: {
    description: 'Finds a customer by the phone number of their contact or of one of their lines.',
    parameters: { phone_number: textSchema("Such as '555-123-2001'.") },
    answer(world, [number]) {
      try {
        return writeJson(customerOf(world, number!));
      } catch {
        throw valueError(`Customer with phone number ${str(number!)} not found`);
      }
    },
  },
  get_customer_by_id: {
    description: 'Gives a customer by their id.',
    parameters: { customer_id: customerId },
    answer: (world, [id]) => writeJson(recordWith(world, 'C', id!)),
  },
  get_customer_by_name: {
    description: 'Finds customers by name and date of birth.',
    parameters: {
      full_name: textSchema('First and last name.'),
      dob: textSchema("Date of birth, such as '1990-01-31'."),
    },
    answer: ({ agent }, [name, dob]) =>
      writeJson(
        iterate(agent.get('customers')!).filter(
          (each) =>
            str(getItem(each, 'full_name')).toLowerCase() === str(name!).toLowerCase() &&
            equal(getItem(each, 'date_of_birth'), dob!),
        ),
      ),
  },
  get_details_by_id: {
    description: 'Gives the details of a customer, line, device, bill or plan by its id.',
    parameters: { id: textSchema("Such as 'L1001', 'B1001' or 'P1001'.") },
    answer: (world, [id]) => writeJson(detailsOf(world, id!)),
  },
  suspend_line: {
    description: 'Suspends a line that is active, for six months at most.',
    parameters: { ...ofLine, reason: textSchema('Why.') },
    answer: (_world, _given, { result }) =>
      writeJson(
        new Map([
          ['message', 'Line suspended successfully. $5/month holding fee will apply.'],
          ['line', result],
        ]),
      ),
  },
  resume_line: {
    description: 'Lets a suspended line work again.',
    parameters: ofLine,
    answer: (_world, _given, { result }) =>
      writeJson(
        new Map([
          ['message', 'Line resumed successfully'],
          ['line', result],
        ]),
      ),
  },
  get_bills_for_customer: {
    description: "Lists a customer's bills, the newest first.",
    parameters: {
      customer_id: customerId,
      limit: { type: 'integer', description: 'How many at most; 12 when left out.' },
    },
    optional: { limit: 12n },
    answer(world, [id, limit]) {
      const bills = billsOf(world, recordWith(world, 'C', id!)).toSorted((a, b) =>
        compareText(str(getItem(b, 'issue_date')), str(getItem(a, 'issue_date'))),
      );
      return writeJson(bills.slice(0, Number(limit)));
    },
  },
  send_payment_request: {
    description:
      'Asks the customer to pay a bill. Only one bill at a time may wait for payment; whether it was paid before is not checked.',
    parameters: { customer_id: customerId, bill_id: textSchema("Such as 'B1001'.") },
    answer: (_world, [, bill]) => `Payment request sent to the customer for bill ${str(bill!)}`,
  },
  get_data_usage: {
    description:
      'Gives the data used in this billing cycle, what was refuelled, the limit, and when the cycle ends.',
    parameters: ofLine,
    answer(world, [customer, id]) {
      const line = targetLine(world, customer!, id!);
      const plan = find(world, 'plans', 'plan_id', getItem(line, 'plan_id'));
      return plainDict({
        line_id: id!,
        data_used_gb: getItem(line, 'data_used_gb'),
        data_limit_gb: getItem(plan, 'data_limit_gb'),
        data_refueling_gb: getItem(line, 'data_refueling_gb'),
        cycle_end_date: '2025-02-28',
      });
    },
  },
  enable_roaming: {
    description: 'Allows a line to be used abroad.',
    parameters: ofLine,
    before: isRoaming,
    answer: (_world, given, { before }) =>
      isOn(before, given[1]!) ? 'Roaming was already enabled' : 'Roaming enabled successfully',
  },
  disable_roaming: {
    description: 'Forbids a line to be used abroad.',
    parameters: ofLine,
    before: isRoaming,
    answer: (_world, given, { before }) =>
      isOn(before, given[1]!) ? 'Roaming disabled successfully' : 'Roaming was already disabled',
  },
  transfer_to_human_agents: transferTool,
  refuel_data: {
    description: "Adds data to a line, and the price to the customer's next bill.",
    parameters: { ...ofLine, gb_amount: { type: 'number', description: 'Gigabytes.' } },
    answer(world, [customer, id, amount], { result: charge }) {
      const line = targetLine(world, customer!, id!);
      return plainDict({
        message: `Successfully added ${str(amount!)} GB of data for line ${str(id!)} for $${Number(operate('*', charge, 1)).toFixed(2)}`,
        new_data_refueling_gb: getItem(line, 'data_refueling_gb'),
        charge,
      });
    },
  },
};

/** The lines that may be used abroad. */
function isRoaming({ agent }: World): PythonValue {
  return iterate(agent.get('lines')!)
    .filter((line) => getItem(line, 'roaming_enabled') === true)
    .map((line) => getItem(line, 'line_id'));
}

function isOn(lines: PythonValue, id: PythonValue): boolean {
  return iterate(lines).some((line) => equal(line, id));
}
