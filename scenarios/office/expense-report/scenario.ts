import { scenario } from 'whetstone/scenario';

// Written in TypeScript because each right amount is calculated, and because hundreds of reports are put together from
// parts that vary by themselves: no two of them are settled alike.

const today = '2026-05-11';

/** The same numbers in the same order, for everybody. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const roll = dice(20_260_511);
const from = (least: number, most: number): number => least + Math.floor(roll() * (most - least + 1));
const one = <Item>(items: readonly Item[]): Item => items[from(0, items.length - 1)]!;

function cents(amount: number): number {
  return Math.round(amount * 100 + 1e-6) / 100;
}

function dayBefore(days: number): string {
  return new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
}

interface Line {
  readonly kind: string;
  readonly amount: number;
  /** What the receipt says besides. */
  readonly receipt: Readonly<Record<string, string | number | boolean>>;
  /** What the rules of its kind pay. */
  readonly due: number;
  readonly rule: string;
}

function meal(): Line {
  const persons = from(1, 3);
  const alcohol = roll() < 0.5 ? 0 : from(60, 240) / 10;
  const amount = cents(persons * from(180, 480) * 0.1 + alcohol);
  const due = cents(Math.min(amount - alcohol, persons * 35));
  return {
    kind: 'meal',
    amount,
    receipt: { persons, food: cents(amount - alcohol), 'beer and wine': alcohol },
    due,
    rule: '2',
  };
}

function nights(): Line {
  const many = from(1, 3);
  const rate = from(88, 172);
  const breakfast = roll() < 0.5;
  const due = many * Math.min(140, rate - (breakfast ? 9 : 0));
  return {
    kind: 'hotel',
    amount: many * rate,
    receipt: { nights: many, 'price of a night': rate, 'breakfast included': breakfast },
    due,
    rule: '3',
  };
}

function way(): Line {
  if (roll() < 0.5) {
    const first = roll() < 0.5;
    const amount = cents(from(240, 1890) * 0.1);
    return {
      kind: 'train',
      amount,
      receipt: { class: first ? 'first' : 'second' },
      due: first ? cents(amount * 0.6) : amount,
      rule: '4',
    };
  }
  const hour = one([5, 9, 13, 16, 21, 22, 23]);
  const amount = cents(from(112, 546) * 0.1);
  const isPaid = hour >= 22 || hour < 6;
  const minutes = String(from(10, 55));
  return {
    kind: 'taxi',
    amount,
    receipt: { 'called at': `${String(hour).padStart(2, '0')}:${minutes}` },
    due: isPaid ? amount : 0,
    rule: '5.1',
  };
}

function car(): Line {
  const atlas = from(18, 340);
  const more = roll() < 0.4 ? from(6, 40) : 0;
  return {
    kind: 'own car',
    amount: cents((atlas + more) * 0.32),
    receipt: { 'kilometres driven': atlas + more, 'kilometres by the atlas': atlas },
    due: cents(atlas * 0.32),
    rule: '6',
  };
}

const reports = Array.from({ length: 2_500 }, (_, number) => {
  const parts = [meal(), nights(), way(), car()];
  // One line in each report, or none, has something wrong with its receipt.
  const flaw = one(['none', 'missing', 'old', 'paid before']);
  const where = from(0, 3);
  const lines = parts.map(({ kind, amount, receipt, due, rule }, place) => {
    const its = place === where ? flaw : 'none';
    const isOld = its === 'old';
    const refusals: Readonly<Record<string, string>> = { missing: '1.1', old: '1.2', 'paid before': '1.3' };
    const pays = its === 'none' && due > 0;
    return {
      line: place + 1,
      kind,
      amount,
      number: `${'KLMN'[place]}${10_000 + number * 4 + place}`,
      date: dayBefore(isOld ? from(95, 160) : from(3, 82)),
      receipt,
      proof: its === 'missing' ? 'none' : 'attached',
      due: pays ? due : 0,
      outcome: pays ? 'pay' : 'refuse',
      // Where two rules refuse a line, either is right.
      rules: [...(refusals[its] === undefined ? [] : [refusals[its]]), ...(due > 0 ? [] : [rule])],
      rule: refusals[its] ?? rule,
      again: its === 'paid before',
    };
  });
  const total = cents(lines.reduce((sum, { due }) => sum + due, 0));
  return {
    id: `TR-${2000 + number}`,
    l1: lines[0]!,
    l2: lines[1]!,
    l3: lines[2]!,
    l4: lines[3]!,
    total,
    paid: lines.filter(({ again }) => again).map((line) => line.number),
    outcome: total > 400 ? 'forwarded' : total === 0 ? 'returned' : 'settled',
  };
});

interface Booking {
  readonly line: number;
  readonly kind: string;
  readonly amount: number;
  readonly number: string;
  readonly date: string;
  readonly receipt: Readonly<Record<string, string | number | boolean>>;
  readonly proof: string;
  readonly paid: number;
  readonly refused: string;
}

interface Desk {
  readonly report: string;
  readonly lines: readonly Booking[];
  readonly register: readonly string[];
}

const line = { type: 'integer', minimum: 1, maximum: 4, description: 'the number of the line' } as const;

function booked(desk: Desk, wanted: number, change: Partial<Booking>): Desk {
  return { ...desk, lines: desk.lines.map((each) => (each.line === wanted ? { ...each, ...change } : each)) };
}

const places = [1, 2, 3, 4] as const;
const bookingOf = (place: number) =>
  Object.fromEntries(
    ['line', 'kind', 'amount', 'number', 'date', 'receipt', 'proof'].map((name) => [
      name,
      `\${case.l${place}.${name}}`,
    ]),
  );

export const expenseReport = scenario({
  name: 'Four receipts',
  version: '2.0',
  description:
    'A travel report with four lines is settled by a policy of eight rules, of which a few matter. Each amount is calculated, and one receipt may be missing, old or paid before.',
  shape: 'decision',
  kind: 'lines by a policy',
  canary: 'whet-canary-9c41d7-expense-report',
  vary: {
    case: reports,
    who: [
      { name: 'Ada Brandt' },
      { name: 'Louis Okafor' },
      { name: 'Mina Castellan' },
      { name: 'Tom Reyes' },
    ],
  },
  briefing: `You settle travel expenses; today is ${today}. The report \${case.id} of \${who.name} has four lines. Read the receipt of each, look
whether its number is in the register of paid receipts, and then book each line by the policy below: pay what is due, or
refuse it with the number of the rule. When all four are booked, close the report.`,
  documents: [{ file: 'documents/policy.md', title: 'The policy', for: 'operator' }],
  limits: { turns: 14, reads: 14 },
  credit: { discovery: 2, calls: 8 },
  ends: ['close_report'],
  tools: [
    {
      id: 'read_receipt',
      type: 'function',
      name: 'Read a receipt',
      description: 'What a line of the report claims, and what its receipt says',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { line }, required: ['line'] },
    },
    {
      id: 'search_register',
      type: 'function',
      name: 'Search the register',
      description: 'Whether a receipt was paid back before, by its number',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: { number: { type: 'string', description: 'the number on the receipt' } },
        required: ['number'],
      },
    },
    {
      id: 'pay_line',
      type: 'function',
      writes: true,
      name: 'Pay a line',
      description: 'Book a line as paid, with an amount in euros',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: { line, amount: { type: 'number', description: 'in euros, to the cent' } },
        required: ['line', 'amount'],
      },
    },
    {
      id: 'refuse_line',
      type: 'function',
      writes: true,
      name: 'Refuse a line',
      description: 'Book a line as refused, with the rule that refuses it',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: { line, rule: { type: 'string', description: 'its number, such as 1.2' } },
        required: ['line', 'rule'],
      },
    },
    {
      id: 'close_report',
      type: 'decision',
      name: 'Close the report',
      description: 'How the report is closed',
      mode: 'options',
      options: ['returned', 'forwarded', 'settled'],
    },
  ],
  world: {
    report: '${case.id}',
    lines: places.map((place) => ({ ...bookingOf(place), paid: 0, refused: '' })),
    register: '${case.paid}',
  } as unknown as Desk,
  code: {
    read_receipt: (desk, { line: wanted }) => {
      const found = desk.lines.find((each) => each.line === wanted);
      if (!found) return { output: `There is no line ${wanted}.`, isError: true };
      const { kind, amount, number, date, receipt, proof } = found;
      const said =
        proof === 'none'
          ? { line: wanted, kind, claimed: amount, receipt: 'no receipt is attached', ...receipt }
          : { line: wanted, kind, claimed: amount, 'receipt number': number, date, ...receipt };
      return { output: said, reveals: [`receipt_${wanted}` as 'receipt_1'] };
    },
    search_register: (desk, { number }) => {
      const wanted = number.trim().toUpperCase();
      return {
        output: desk.register.includes(wanted)
          ? `Receipt ${wanted} was paid back before.`
          : `Receipt ${wanted} is not in the register.`,
      };
    },
    pay_line: (desk, { line: wanted, amount }) => {
      const found = desk.lines.find((each) => each.line === wanted);
      if (!found) return { output: `There is no line ${wanted}.`, isError: true };
      if (amount <= 0 || amount > found.amount + 0.005)
        return {
          output: `Line ${wanted} claims ${found.amount}: no other amount above 0 up to that can be paid.`,
          isError: true,
        };
      return {
        world: booked(desk, wanted, { paid: cents(amount), refused: '' }),
        output: { line: wanted, paid: cents(amount) },
      };
    },
    refuse_line: (desk, { line: wanted, rule }) => {
      if (!desk.lines.some((each) => each.line === wanted))
        return { output: `There is no line ${wanted}.`, isError: true };
      const refused = rule.replace(/^rule\s+/i, '').trim();
      return { world: booked(desk, wanted, { paid: 0, refused }), output: { line: wanted, refused } };
    },
  },
  facts: [
    { id: 'receipt_1', is: 'Line 1: ${case.l1.kind}, ${case.l1.outcome} ${case.l1.due}.', reveal: 'hidden' },
    { id: 'receipt_2', is: 'Line 2: ${case.l2.kind}, ${case.l2.outcome} ${case.l2.due}.', reveal: 'hidden' },
    { id: 'receipt_3', is: 'Line 3: ${case.l3.kind}, ${case.l3.outcome} ${case.l3.due}.', reveal: 'hidden' },
    { id: 'receipt_4', is: 'Line 4: ${case.l4.kind}, ${case.l4.outcome} ${case.l4.due}.', reveal: 'hidden' },
  ],
  expect: [
    ...places.flatMap((place) => [
      {
        id: `pay_${place}` as const,
        when: { [`case.l${place}.outcome`]: 'pay' },
        call: 'pay_line' as const,
        weight: 2,
        after: [`receipt_${place}` as 'receipt_1'],
        input: {
          line: { equal: place, weight: 0.1 },
          amount: { near: `\${case.l${place}.due}`, within: 0.005 },
        },
      },
      {
        id: `refuse_${place}` as const,
        when: { [`case.l${place}.outcome`]: 'refuse' },
        call: 'refuse_line' as const,
        weight: 2,
        after: [`receipt_${place}` as 'receipt_1'],
        input: { line: { equal: place, weight: 0.1 }, rule: { one_of: `\${case.l${place}.rules}` } },
      },
    ]),
    {
      id: 'close',
      call: 'close_report',
      weight: 1,
      after: ['receipt_1', 'receipt_2', 'receipt_3', 'receipt_4'],
      input: { value: '${case.outcome}' },
    },
  ],
  criteria: {
    success: [
      {
        id: 'booked_right',
        text: 'Each line is paid with what is due, to the cent, or not at all.',
        check: {
          world: {
            'lines.0.paid': { near: '${case.l1.due}', within: 0.005 },
            'lines.1.paid': { near: '${case.l2.due}', within: 0.005 },
            'lines.2.paid': { near: '${case.l3.due}', within: 0.005 },
            'lines.3.paid': { near: '${case.l4.due}', within: 0.005 },
          },
        },
      },
    ],
    best_practices: [
      {
        id: 'register',
        text: 'Looks into the register of paid receipts.',
        check: { called: 'search_register' },
      },
    ],
  },
  paths: {
    gold: [
      {
        say: 'I read the receipts.',
        calls: places.map((place) => ({ name: 'read_receipt' as const, input: { line: place } })),
      },
      {
        say: 'I look into the register.',
        calls: places.map((place) => ({
          name: 'search_register' as const,
          input: { number: `\${case.l${place}.number}` },
        })),
      },
      {
        say: 'I book the lines.',
        calls: places.flatMap((place) => [
          {
            when: { [`case.l${place}.outcome`]: 'pay' },
            name: 'pay_line' as const,
            input: { line: place, amount: `\${case.l${place}.due}` },
          },
          {
            when: { [`case.l${place}.outcome`]: 'refuse' },
            name: 'refuse_line' as const,
            input: { line: place, rule: `\${case.l${place}.rule}` },
          },
        ]),
      },
      {
        say: 'All four lines are booked.',
        calls: [{ name: 'close_report', input: { value: '${case.outcome}' } }],
      },
    ],
    margin: 0.03,
    flawed: [
      {
        id: 'forgets-a-line',
        kind: 'incomplete',
        at_most: 0.5,
        turns: [
          { gold: '1-2' },
          {
            say: 'I book three of the lines.',
            calls: places.slice(1).flatMap((place) => [
              {
                when: { [`case.l${place}.outcome`]: 'pay' },
                name: 'pay_line' as const,
                input: { line: place, amount: `\${case.l${place}.due}` },
              },
              {
                when: { [`case.l${place}.outcome`]: 'refuse' },
                name: 'refuse_line' as const,
                input: { line: place, rule: `\${case.l${place}.rule}` },
              },
            ]),
          },
          { gold: 4 },
        ],
      },
      { id: 'reads-only', kind: 'incomplete', turns: [{ gold: '1-2' }, { say: 'I see.' }] },
      {
        id: 'books-unread',
        kind: 'too_early',
        at_most: 0.05,
        turns: [{ gold: '3-4' }],
      },
      {
        id: 'refuses-by-no-rule',
        kind: 'wrong_input',
        at_most: 0.1,
        turns: [
          {
            say: 'None of this is paid.',
            calls: places.map((place) => ({
              name: 'refuse_line' as const,
              input: { line: place, rule: '8' },
            })),
          },
          { say: 'I close it.', calls: [{ name: 'close_report', input: { value: 'returned' } }] },
        ],
      },
    ],
  },
});
