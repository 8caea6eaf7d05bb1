import { dice, scenario } from 'whetstone/scenario';

// Written in TypeScript because a query is graded by running it: on rows that the operator sees, and on rows that it
// does not see. The language has a handful of verbs and no loops, so that whatever is written comes to an end.

const { happens, from, one, some } = dice(20_260_915);

interface Sale {
  readonly day: string;
  readonly region: string;
  readonly product: string;
  readonly units: number;
  readonly amount: number;
  readonly status: string;
}

const regions = ['north', 'south', 'east', 'west'] as const;
const products = ['lamp', 'chair', 'table', 'shelf', 'stool', 'mirror'] as const;
const statuses = ['paid', 'paid', 'paid', 'open', 'returned'] as const;
const words = ['region', 'product', 'status'] as const;
const columns = ['day', 'units', 'amount', ...words] as const;

function salesOf(count: number): readonly Sale[] {
  return Array.from({ length: count }, () => {
    const units = from(1, 12);
    return {
      day: `2026-0${from(1, 8)}-${String(from(1, 28)).padStart(2, '0')}`,
      region: one(regions),
      product: one(products),
      units,
      amount: units * from(4, 60),
      status: one(statuses),
    };
  });
}

/** What may be looked at, and what the query is graded on. */
const shown = salesOf(60);
const kept = salesOf(80);

type Result = readonly { readonly group: string; readonly value: number }[];
type Ran = { readonly result: Result } | { readonly fault: string };

const comparisons: Readonly<Record<string, (one: string | number, other: string | number) => boolean>> = {
  '=': (one, other) => one === other,
  '!=': (one, other) => one !== other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
};

const isColumn = (name: string | undefined): name is keyof Sale => columns.includes(name as 'day');

/** Runs a query, a step a line, and says of the first step that cannot be read why. */
function run(query: string, sales: readonly Sale[]): Ran {
  let rows = sales;
  let groups: { group: string; rows: readonly Sale[]; value: number }[] | undefined;
  let isSummed = false;
  const lines = query
    .split(/[\n|]/)
    .map((line) => line.trim().toLowerCase())
    .filter((line) => line !== '');
  if (lines.length > 20) return { fault: 'A query has 20 steps at most.' };
  for (const line of lines) {
    const [verb, first, second, third, ...more] = line.split(/\s+/);
    const fault = (says: string) => ({ fault: `"${line}": ${says}` });
    if (more.length > 0) return fault('this step has too many words.');
    if (verb === 'where') {
      const holds = comparisons[second ?? ''];
      if (groups) return fault('"where" comes before "group by".');
      if (!isColumn(first)) return fault(`there is no column ${first}.`);
      if (!holds || third === undefined)
        return fault('write where COLUMN = VALUE, or another of = != < <= > >=.');
      const value = first === 'units' || first === 'amount' ? Number(third) : third;
      if (Number.isNaN(value)) return fault(`${first} is a number.`);
      rows = rows.filter((row) => holds(row[first], value));
    } else if (verb === 'group' && first === 'by') {
      if (!isColumn(second)) return fault(`there is no column ${second}.`);
      groups = [...Map.groupBy(rows, (row) => String(row[second]))].map(([group, its]) => ({
        group,
        rows: its,
        value: 0,
      }));
    } else if (verb === 'sum' || verb === 'mean' || verb === 'count') {
      if (!groups) return fault('"group by" comes first.');
      if (verb !== 'count' && first !== 'units' && first !== 'amount') return fault('write units or amount.');
      isSummed = true;
      groups = groups.map((group) => ({ ...group, value: valueOf(verb, first as 'units', group.rows) }));
    } else if (verb === 'keep' && first === 'over') {
      if (!groups || !isSummed) return fault('sum, mean or count comes first.');
      if (Number.isNaN(Number(second ?? 'x'))) return fault('write a number.');
      groups = groups.filter(({ value }) => value > Number(second));
    } else return fault('there is no such step.');
  }
  if (!groups || !isSummed) return { fault: 'A query has a "group by", and then a sum, mean or count.' };
  const result = groups
    .map(({ group, value }) => ({ group, value }))
    .toSorted((one, other) => other.value - one.value || (one.group < other.group ? -1 : 1));
  return { result };
}

function valueOf(verb: 'sum' | 'mean' | 'count', column: 'units' | 'amount', rows: readonly Sale[]): number {
  if (verb === 'count') return rows.length;
  const sum = rows.reduce((all, row) => all + row[column], 0);
  return verb === 'sum' ? sum : Math.round((sum / rows.length) * 100) / 100;
}

interface Query {
  readonly status: string;
  readonly except: boolean;
  readonly since: string;
  readonly upTo: string;
  readonly only: string;
  readonly by: (typeof words)[number];
  readonly verb: 'sum' | 'mean';
  readonly column: 'units' | 'amount';
  readonly over: number;
}

function written({ status, except, since, upTo, only, by, verb, column, over }: Query): string {
  return [
    `where status ${except ? '!=' : '='} ${status}`,
    `where day >= ${since}`,
    `where day <= ${upTo}`,
    `where ${by === 'region' ? 'product' : 'region'} = ${only}`,
    `group by ${by}`,
    `${verb} ${column}`,
    `keep over ${over}`,
  ].join('\n');
}

function inWords({ status, except, since, upTo, only, by, verb, column, over }: Query): string {
  const which = except ? `that were not ${status}` : `that are ${status}`;
  const where = by === 'region' ? `of the product ${only}` : `in the region ${only}`;
  const what = verb === 'sum' ? `the ${column} all together` : `the mean ${column} of a sale`;
  return `Of the sales ${which}, from ${since} to ${upTo} with both days included, ${where}: for each ${by} ${what}, and only what is above ${over}.`;
}

/** The ways in which a query goes wrong. Each changes what comes out. */
const mistakes: Readonly<Record<string, (text: string, query: Query) => string>> = {
  status: (text, { except }) => text.replace(/^where status.*\n/, except ? '' : 'where status != open\n'),
  first_day: (text) => text.replace('day >=', 'day >'),
  last_day: (text) => text.replace('day <=', 'day <'),
  filter: (text, { only }) => text.replace(` = ${only}`, ` != ${only}`),
  group: (text, { by }) =>
    text.replace(`group by ${by}`, `group by ${by === 'region' ? 'product' : 'region'}`),
  column: (text, { verb, column }) =>
    text.replace(`${verb} ${column}`, `${verb} ${column === 'units' ? 'amount' : 'units'}`),
  verb: (text, { verb }) => text.replace(`\n${verb} `, `\n${verb === 'sum' ? 'mean' : 'sum'} `),
};

const tasks = Array.from({ length: 2_000 }, (_, number) => {
  const by = one(['region', 'product'] as const);
  const verb = one(['sum', 'mean'] as const);
  const column = one(['units', 'amount'] as const);
  const month = from(1, 4);
  // Days on which something was sold: who leaves them out gets something else.
  const [first, last] = [`2026-0${month}-`, `2026-0${month + from(2, 4)}-`].map(
    (start) => one([...shown, ...kept].filter(({ day }) => day.startsWith(start))).day,
  ) as [string, string];
  const query: Query = {
    status: one(['paid', 'open', 'returned'] as const),
    except: happens(0.6),
    since: first,
    upTo: last,
    only: one(by === 'region' ? products : regions),
    by,
    verb,
    column,
    over:
      verb === 'sum'
        ? column === 'units'
          ? from(2, 9)
          : from(20, 90)
        : column === 'units'
          ? from(1, 3)
          : from(20, 60),
  };
  const wrong = some(Object.keys(mistakes), from(2, 3)).toSorted();
  const right = written(query);
  const broken = wrong.reduce((text, kind) => mistakes[kind]!(text, query), right);
  const [is, was, hidden, seen] = [
    run(right, kept),
    run(broken, kept),
    run(right, shown),
    run(broken, shown),
  ].map((ran) => ('result' in ran ? ran.result : [])) as [Result, Result, Result, Result];
  if (is.length === 0 || hidden.length === 0 || JSON.stringify(is) === JSON.stringify(was)) return [];
  const top = hidden[0]!;
  const isOther = seen[0]?.group !== top.group;
  // Most mistakes put another group first; of these some are enough.
  if (isOther && happens(0.65)) return [];
  return [
    {
      id: `R-${400 + number}`,
      asked: inWords(query),
      right,
      broken,
      is: JSON.stringify(is),
      shows: JSON.stringify(hidden),
      showed: JSON.stringify(seen),
      wrong,
      top: top.group,
      value: top.value,
      // What last month's readers have to be told.
      closes: isOther ? 'withdraw' : seen[0]?.value === top.value ? 'keep' : 'correct',
    },
  ];
})
  .flat()
  .slice(0, 400);

interface Desk {
  readonly report: string;
  readonly asked: string;
  readonly query: string;
  /** What comes out of the sales that are seen, by what was asked for, and by the query as it was. */
  readonly right: string;
  readonly before: string;
  /** What the saved query comes to on the rows that nobody saw. */
  readonly comes_to: string;
}

const query = { type: 'string', maxLength: 800, description: 'a step a line' } as const;
const report = { type: 'string', description: 'its number, such as R-400' } as const;
const unknown = (id: string) => ({ output: `There is no report ${id}.`, isError: true });

export const mendQuery = scenario({
  name: 'A query to mend',
  version: '1.0',
  description:
    'The query of a report does not do what was asked for: two or three of its steps are wrong. What is saved is run on rows that nobody has seen.',
  shape: 'decision',
  kind: 'query to mend',
  canary: 'whet-canary-03fa86-mend-query',
  vary: { case: tasks },
  briefing: `The query of the report \${case.id} does not do what was asked for. Read what was asked for and the query as it is, mend it,
try it, and save it. It will run every month, on other sales than those that you see.
A query has a step a line: "where COLUMN = VALUE" (or != < <= > >=), "group by COLUMN", then "sum COLUMN", "mean COLUMN" or
"count", then, if wanted, "keep over NUMBER". The columns are day, region, product, units, amount and status (paid, open or
returned). Groups come out with the largest value first.
With the query that you save, note the first group and its value on the sales that you see. Then close the report by what
its readers have had so far: "withdraw" where the old query put another group or none first, "correct" where it had the right
group first with another value, and "keep" where the first line was right.`,
  limits: { turns: 18, reads: 16 },
  credit: { discovery: 1, calls: 9 },
  ends: ['close_report'],
  tools: [
    {
      id: 'read_report',
      type: 'function',
      name: 'Read a report',
      description: 'What was asked for, in words',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { report }, required: ['report'] },
    },
    {
      id: 'read_query',
      type: 'function',
      name: 'Read its query',
      description: 'The query of a report as it is saved',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { report }, required: ['report'] },
    },
    {
      id: 'run_query',
      type: 'function',
      name: 'Run a query',
      description: 'What a query comes to on the sales so far; nothing is saved',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { query }, required: ['query'] },
    },
    {
      id: 'save_query',
      type: 'function',
      writes: true,
      name: 'Save the query',
      description: 'Save a query for the report, with the first line that it gives',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: {
          query,
          first_group: { type: 'string', description: 'the first group on the sales so far' },
          first_value: { type: 'number', description: 'and its value' },
        },
        required: ['query', 'first_group', 'first_value'],
      },
    },
    {
      id: 'close_report',
      type: 'decision',
      name: 'Close the report',
      description: 'What its readers are told',
      mode: 'options',
      options: ['keep', 'withdraw', 'correct'],
    },
  ],
  world: {
    report: '${case.id}',
    asked: '${case.asked}',
    query: '${case.broken}',
    right: '${case.shows}',
    before: '${case.showed}',
    comes_to: '',
  } as unknown as Desk,
  code: {
    read_report: (desk, { report: id }) =>
      id === desk.report ? { output: desk.asked, reveals: ['asked'] } : unknown(id),
    read_query: (desk, { report: id }) =>
      id === desk.report ? { output: desk.query, reveals: ['query'] } : unknown(id),
    run_query: (desk, { query: text }) => {
      const ran = run(text, shown);
      if ('fault' in ran) return { output: ran.fault, isError: true };
      const came = JSON.stringify(ran.result);
      return {
        output: ran.result.map(({ group, value }) => `${group}: ${value}`).join('\n') || 'No group is left.',
        reveals: [...(came === desk.before ? ['before'] : []), ...(came === desk.right ? ['right'] : [])],
      };
    },
    save_query: (desk, { query: text }) => {
      const ran = run(text, kept);
      return 'fault' in ran
        ? { output: ran.fault, isError: true }
        : {
            world: { ...desk, query: text, comes_to: JSON.stringify(ran.result) },
            output: 'Saved.',
          };
    },
  },
  facts: [
    { id: 'asked', is: 'What the report was meant to show.', reveal: 'hidden' },
    { id: 'query', is: 'The query that runs now.', reveal: 'hidden' },
    { id: 'before', is: 'What the query that runs now comes to.', reveal: 'hidden', weight: 2 },
    { id: 'right', is: 'What a query comes to that does what was asked for.', reveal: 'hidden', weight: 2 },
  ],
  expect: [
    {
      id: 'save',
      call: 'save_query',
      weight: 3,
      after: ['asked', 'query'],
      input: { first_group: '${case.top}', first_value: { near: '${case.value}', within: 0.01 } },
    },
    {
      id: 'close',
      call: 'close_report',
      after: ['asked', 'before', 'right'],
      input: { value: '${case.closes}' },
    },
  ],
  criteria: {
    success: [
      {
        id: 'runs_right',
        text: 'The saved query comes to the right result on rows that nobody saw.',
        check: { world: { comes_to: '${case.is}' } },
      },
    ],
    best_practices: [{ id: 'tries', text: 'Tries the query.', check: { called: 'run_query' } }],
  },
  paths: {
    gold: [
      {
        say: 'I read what was asked for, and the query.',
        calls: [
          { name: 'read_report', input: { report: '${case.id}' } },
          { name: 'read_query', input: { report: '${case.id}' } },
        ],
      },
      {
        say: 'I run it as it is, and as it should be.',
        calls: [
          { name: 'run_query', input: { query: '${case.broken}' } },
          { name: 'run_query', input: { query: '${case.right}' } },
        ],
      },
      {
        say: 'I save it.',
        calls: [
          {
            name: 'save_query',
            input: { query: '${case.right}', first_group: '${case.top}', first_value: '${case.value}' },
          },
        ],
      },
      { say: 'Done.', calls: [{ name: 'close_report', input: { value: '${case.closes}' } }] },
    ],
    margin: 0.03,
    flawed: [
      {
        id: 'notes-the-right-and-saves-the-old',
        kind: 'wrong_input',
        at_most: 0.5,
        turns: [
          { gold: '1-2' },
          {
            say: 'I save it.',
            calls: [
              {
                name: 'save_query',
                input: { query: '${case.broken}', first_group: '${case.top}', first_value: '${case.value}' },
              },
            ],
          },
          { gold: 4 },
        ],
      },
      { id: 'decides-only', kind: 'incomplete', at_most: 0.25, turns: [{ gold: '1-2' }, { gold: 4 }] },
      { id: 'reads-only', kind: 'incomplete', turns: [{ gold: '1-2' }, { say: 'I see.' }] },
      { id: 'saves-unread', kind: 'too_early', at_most: 0.05, turns: [{ gold: '3-4' }] },
    ],
  },
});
