import { dice, scenario } from 'whetstone/scenario';

// Written in TypeScript because the table is graded by running its checks on what was made of it: whatever mends it is
// right, as long as nothing else was touched.

const { from, one, some } = dice(20_260_704);

const depots = ['D-01', 'D-02', 'D-03', 'D-04'] as const;
const prices: Readonly<Record<string, number>> = {
  'AX-11': 12.5,
  'BR-20': 4.2,
  'CL-07': 31,
  'DT-43': 8.75,
  'EM-16': 19.9,
  'FO-32': 2.6,
};
const items = Object.keys(prices);

interface Row {
  readonly row: number;
  readonly date: string;
  readonly depot: string;
  readonly item: string;
  readonly units: number;
  readonly price: number;
  readonly amount: number;
}

type Column = Exclude<keyof Row, 'row'>;

interface Sums {
  readonly depot: string;
  readonly rows: number;
  readonly units: number;
  readonly amount: number;
}

interface Fix {
  readonly does: 'set' | 'delete';
  readonly row: number;
  readonly column: Column;
  readonly value: string | number;
}

function cents(amount: number): number {
  return Math.round(amount * 100 + 1e-6) / 100;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function sumsOf(rows: readonly Row[]): readonly Sums[] {
  return depots.map((depot) => {
    const its = rows.filter((row) => row.depot === depot);
    return {
      depot,
      rows: its.length,
      units: its.reduce((sum, { units }) => sum + units, 0),
      amount: cents(its.reduce((sum, { amount }) => sum + amount, 0)),
    };
  });
}

/** What is wrong with a table, check by check: in how many rows, or for which depots. */
function failuresIn(
  rows: readonly Row[],
  ledger: readonly Sums[],
): Readonly<Record<string, number | string>> {
  const keys = rows.map(({ date, depot, item, units }) => [date, depot, item, units].join(' '));
  const sums = sumsOf(rows);
  const failures: Readonly<Record<string, number | string>> = {
    'date is no day of April 2026': rows.filter(({ date }) => !/^2026-04-(?:0[1-9]|[12]\d|30)$/.test(date))
      .length,
    'price is not that of the list': rows.filter(({ item, price }) => prices[item] !== price).length,
    'amount is not units × price': rows.filter(
      ({ units, price, amount }) => cents(units * price) !== cents(amount),
    ).length,
    'delivery stands twice': keys.length - new Set(keys).size,
    'sums differ from the ledger': ledger
      .filter((sum, index) => JSON.stringify(sum) !== JSON.stringify(sums[index]))
      .map(({ depot }) => depot)
      .join(', '),
  };
  return Object.fromEntries(Object.entries(failures).filter(([, found]) => found !== 0 && found !== ''));
}

/** A sound table of April. No two rows of a day are alike. */
function soundRows(): readonly Row[] {
  return Array.from({ length: 20 }, (_, index) => {
    const item = one(items);
    const units = from(11, 88);
    const price = prices[item]!;
    return {
      row: index + 1,
      date: `2026-04-${two(1 + Math.floor(index * 1.4))}`,
      depot: one(depots),
      item,
      units,
      price,
      amount: cents(units * price),
    };
  });
}

const faultKinds = ['date', 'price', 'units', 'amount', 'depot', 'twice'] as const;

/** The row with one fault in it, and what mends it. */
function broken(row: Row, kind: Exclude<(typeof faultKinds)[number], 'twice'>): readonly [Row, Fix] {
  const changed = {
    date: () => `2026-${row.date.slice(8)}-04`,
    price: () => cents(row.price * (from(0, 1) === 0 ? 10 : 0.1)),
    units: () => row.units + one([10, -10, 100]),
    amount: () => cents(row.amount + one([90, -9, 27])),
    depot: () => one(depots.filter((depot) => depot !== row.depot)),
  }[kind]();
  return [
    { ...row, [kind]: changed },
    { does: 'set', row: row.row, column: kind, value: row[kind] },
  ];
}

const tables = Array.from({ length: 700 }, (_, number) => {
  const sound = soundRows();
  const kinds = some(faultKinds, from(2, 4));
  // In the last days of a month, day and month cannot be taken for each other: a date there is seen to be wrong.
  const places = some(sound.slice(9), kinds.length);
  const rows = [...sound];
  const fixes: Fix[] = [];
  kinds.forEach((kind, index) => {
    const row = places[index]!;
    if (kind === 'twice') {
      const again = rows.length + 1;
      rows.push({ ...row, row: again });
      fixes.push({ does: 'delete', row: again, column: 'units', value: again });
      return;
    }
    const [with_, fix] = broken(row, kind);
    rows[row.row - 1] = with_;
    fixes.push(fix);
  });
  const money = kinds.some((kind) => kind === 'units' || kind === 'amount' || kind === 'price');
  const none: Fix = { does: 'set', row: 0, column: 'units', value: 0 };
  const [f1 = none, f2 = none, f3 = none, f4 = none] = fixes;
  return {
    id: `april-${100 + number}`,
    rows: rows.map((each) => ({ ...each })),
    ledger: sumsOf(sound).map((sum) => ({ ...sum })),
    f1: { ...f1 },
    f2: { ...f2 },
    f3: { ...f3, does: f3.row === 0 ? 'nothing' : f3.does },
    f4: { ...f4, does: f4.row === 0 ? 'nothing' : f4.does },
    count: sound.length,
    closes:
      fixes.length === 4
        ? 'audit'
        : money && kinds.includes('twice')
          ? 'credit'
          : money
            ? 'correct'
            : 'publish',
  };
});

interface Desk {
  readonly id: string;
  readonly rows: readonly Row[];
  readonly ledger: readonly Sums[];
  /** How many checks fail, as the last change left it. */
  readonly failing: number;
  /** Rows that were touched, each once. */
  readonly touched: readonly number[];
}

function changed(desk: Desk, rows: readonly Row[], row: number): Desk {
  return {
    ...desk,
    rows,
    failing: Object.keys(failuresIn(rows, desk.ledger)).length,
    touched: [...new Set([...desk.touched, row])].toSorted((a, b) => a - b),
  };
}

const unknown = (id: string) => ({ output: `There is no table ${id}.`, isError: true });

const columns = ['date', 'depot', 'item', 'units', 'price', 'amount'] as const;
const places = [1, 2, 3, 4] as const;
const table = { type: 'string', description: 'its name, such as april-100' } as const;
const row = { type: 'integer', minimum: 1, description: 'the number of the row' } as const;

export const mendTable = scenario({
  name: 'A table to mend',
  version: '1.0',
  description:
    'A table of deliveries fails its checks. Find the two to four faults by the price list and the ledger, mend them and nothing else, and say what has to follow.',
  shape: 'decision',
  kind: 'table to mend',
  canary: 'whet-canary-7d10ce-mend-table',
  vary: { case: tables },
  briefing: `The table of deliveries \${case.id} fails its checks. Mend it, and nothing else in it.
Each row is one delivery: date, depot, item, units, price of a unit, and amount, which is units × price. Prices are those
of the list. The ledger of the depots was counted by hand and is right: rows, units and amount of each depot are what
the table must come to. A date that was typed with day and month the other way round is turned back. A delivery that
stands twice is deleted where it stands the second time. Change no cell that is right.
Then close the table: "audit" where four rows had to be mended or deleted; else "credit" where a delivery stood twice and
a price, units or an amount were wrong too; else "correct" where a price, units or an amount were wrong; else "publish".`,
  limits: { turns: 18, reads: 16 },
  credit: { discovery: 1, calls: 9 },
  ends: ['close_table'],
  tools: [
    {
      id: 'show_rows',
      type: 'function',
      name: 'Show rows',
      description: 'The whole table as it stands, one row a line',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { table }, required: ['table'] },
    },
    {
      id: 'show_prices',
      type: 'function',
      name: 'Show prices',
      description: 'The list of prices',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { table }, required: ['table'] },
    },
    {
      id: 'show_ledger',
      type: 'function',
      name: 'Show the ledger',
      description: 'What each depot comes to by the ledger, and by the table as it stands',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { table }, required: ['table'] },
    },
    {
      id: 'run_checks',
      type: 'function',
      name: 'Run the checks',
      description: 'Which checks fail for the table as it stands, and in how many rows',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { table }, required: ['table'] },
    },
    {
      id: 'set_cell',
      type: 'function',
      writes: true,
      name: 'Set a cell',
      description: 'Write another value into a cell',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: {
          row,
          column: { type: 'string', enum: [...columns] },
          value: { type: ['string', 'number'], description: 'numbers with a point, dates as 2026-04-30' },
        },
        required: ['row', 'column', 'value'],
      },
    },
    {
      id: 'delete_row',
      type: 'function',
      writes: true,
      name: 'Delete a row',
      description: 'Take a row out; the others keep their numbers',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { row }, required: ['row'] },
    },
    {
      id: 'close_table',
      type: 'decision',
      name: 'Close the table',
      description: 'What has to follow',
      mode: 'options',
      options: ['audit', 'publish', 'credit', 'correct'],
    },
  ],
  world: {
    id: '${case.id}',
    rows: '${case.rows}',
    ledger: '${case.ledger}',
    failing: -1,
    touched: [],
  } as unknown as Desk,
  code: {
    show_rows: ({ id, rows }, { table: wanted }) =>
      wanted !== id
        ? unknown(wanted)
        : {
            output: [
              'row; date; depot; item; units; price; amount',
              ...rows.map((each) =>
                [each.row, each.date, each.depot, each.item, each.units, each.price, each.amount].join('; '),
              ),
            ].join('\n'),
            reveals: ['rows'],
          },
    show_prices: ({ id }, { table: wanted }) =>
      wanted !== id ? unknown(wanted) : { output: prices, reveals: ['prices'] },
    show_ledger: ({ id, rows, ledger }, { table: wanted }) =>
      wanted !== id
        ? unknown(wanted)
        : {
            output: {
              ledger: ledger.map((sum) => ({ ...sum })),
              table: sumsOf(rows).map((sum) => ({ ...sum })),
            },
            reveals: ['ledger'],
          },
    run_checks: ({ id, rows, ledger }, { table: wanted }) => {
      if (wanted !== id) return unknown(wanted);
      const failures = failuresIn(rows, ledger);
      return { output: Object.keys(failures).length === 0 ? 'All checks hold.' : { fails: failures } };
    },
    set_cell: (desk, { row: number, column, value }) => {
      const found = desk.rows.find((each) => each.row === number);
      if (!found) return { output: `There is no row ${number}.`, isError: true };
      const isNumber = column === 'units' || column === 'price' || column === 'amount';
      const read = isNumber ? Number(value) : String(value).trim();
      if (typeof read === 'number' && !Number.isFinite(read))
        return { output: `${column} is a number, and ${JSON.stringify(value)} is not one.`, isError: true };
      const mended = { ...found, [column]: read };
      const rows = desk.rows.map((each) => (each === found ? mended : each));
      return { world: changed(desk, rows, number), output: { ...mended } };
    },
    delete_row: (desk, { row: number }) => {
      if (!desk.rows.some((each) => each.row === number))
        return { output: `There is no row ${number}.`, isError: true };
      const rows = desk.rows.filter((each) => each.row !== number);
      return { world: changed(desk, rows, number), output: `Row ${number} was deleted.` };
    },
  },
  facts: [
    { id: 'rows', is: 'How the table stands.', reveal: 'hidden' },
    { id: 'prices', is: 'What each item costs.', reveal: 'hidden' },
    { id: 'ledger', is: 'What the depots come to.', reveal: 'hidden' },
  ],
  expect: [
    ...places.flatMap((place) => [
      {
        id: `set_${place}` as const,
        when: { [`case.f${place}.does`]: 'set' },
        call: 'set_cell' as const,
        weight: 2,
        after: ['rows' as const, 'prices' as const, 'ledger' as const],
        input: {
          row: `\${case.f${place}.row}`,
          column: `\${case.f${place}.column}`,
          value: `\${case.f${place}.value}`,
        },
      },
      {
        id: `delete_${place}` as const,
        when: { [`case.f${place}.does`]: 'delete' },
        call: 'delete_row' as const,
        weight: 2,
        after: ['rows' as const, 'ledger' as const],
        input: { row: `\${case.f${place}.row}` },
      },
    ]),
    {
      id: 'close',
      call: 'close_table',
      weight: 1,
      after: ['rows', 'prices', 'ledger'],
      input: { value: '${case.closes}' },
    },
  ],
  criteria: {
    success: [
      {
        id: 'checks',
        text: 'All checks hold for the table as it was left.',
        check: { world: { failing: 0 } },
      },
    ],
    best_practices: [{ id: 'ran_checks', text: 'Runs the checks.', check: { called: 'run_checks' } }],
  },
  paths: {
    gold: [
      {
        say: 'I look at what fails, at the table, the prices and the ledger.',
        calls: [
          { name: 'run_checks', input: { table: '${case.id}' } },
          { name: 'show_rows', input: { table: '${case.id}' } },
          { name: 'show_prices', input: { table: '${case.id}' } },
          { name: 'show_ledger', input: { table: '${case.id}' } },
        ],
      },
      {
        say: 'I mend what is wrong.',
        calls: places.flatMap((place) => [
          {
            when: { [`case.f${place}.does`]: 'set' },
            name: 'set_cell' as const,
            input: {
              row: `\${case.f${place}.row}`,
              column: `\${case.f${place}.column}`,
              value: `\${case.f${place}.value}`,
            },
          },
          {
            when: { [`case.f${place}.does`]: 'delete' },
            name: 'delete_row' as const,
            input: { row: `\${case.f${place}.row}` },
          },
        ]),
      },
      { say: 'All checks hold.', calls: [{ name: 'close_table', input: { value: '${case.closes}' } }] },
    ],
    margin: 0.03,
    flawed: [
      {
        id: 'mends-the-first-only',
        kind: 'incomplete',
        at_most: 0.45,
        turns: [
          { gold: 1 },
          {
            say: 'I mend the first that I see.',
            calls: [
              {
                when: { 'case.f1.does': 'set' },
                name: 'set_cell',
                input: { row: '${case.f1.row}', column: '${case.f1.column}', value: '${case.f1.value}' },
              },
              { when: { 'case.f1.does': 'delete' }, name: 'delete_row', input: { row: '${case.f1.row}' } },
            ],
          },
          { gold: 3 },
        ],
      },
      { id: 'looks-only', kind: 'incomplete', turns: [{ gold: 1 }, { say: 'I see.' }] },
      { id: 'mends-unread', kind: 'too_early', at_most: 0.05, turns: [{ gold: '2-3' }] },
      {
        id: 'deletes-what-is-odd',
        kind: 'wrong_input',
        at_most: 0.05,
        turns: [
          {
            say: 'I take rows out until it fits.',
            calls: [
              { name: 'delete_row', input: { row: 1 } },
              { name: 'delete_row', input: { row: 2 } },
            ],
          },
          { say: 'Done.', calls: [{ name: 'close_table', input: { value: 'publish' } }] },
        ],
      },
    ],
  },
});
