import { dice, scenario } from 'whetstone/scenario';

// Written in TypeScript because each variant has a database of its own, of some three hundred rows: it is made from a
// number, so that the world holds no more than that and what was changed.

const today = '2026-11-16';

/** The days before today, the nearest first: each row of each database has two of them. */
const daysBefore = Array.from({ length: 1_000 }, (_, days) =>
  new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10),
);

function dayBefore(days: number): string {
  return daysBefore[days]!;
}

interface Person {
  readonly person: string;
  readonly name: string;
  readonly department: string;
  readonly status: 'active' | 'on leave' | 'left';
}

interface Licence {
  readonly licence: string;
  readonly product: string;
  readonly person: string;
  readonly assigned: string;
  readonly last_used: string;
}

const products = ['Draftline', 'Kandor', 'Mapwright', 'Statloom', 'Quillpad', 'Shapeyard'];
const departments = ['Sales', 'Legal', 'Design', 'Plant', 'Audit', 'Research'];
const firstNames = [
  'Ana',
  'Bo',
  'Cleo',
  'Dov',
  'Edda',
  'Finn',
  'Gita',
  'Hal',
  'Ines',
  'Jon',
  'Kira',
  'Leo',
  'Mads',
  'Nia',
  'Olaf',
];
const lastNames = [
  'Abel',
  'Bruns',
  'Castro',
  'Dale',
  'Ekman',
  'Fry',
  'Grau',
  'Hill',
  'Imhof',
  'Jain',
  'Kern',
  'Lund',
];

interface Database {
  readonly people: readonly Person[];
  readonly licences: readonly Licence[];
}

const asked = 16;
const pageSize = 12;
/** More than that are never taken back at once. */
const most = 9;

/** The people and licences of a firm: always the same for the same number. */
function databaseOf(number: number): Database {
  const { from, one, some, happens } = dice(5_000 + number);
  const people = Array.from({ length: 64 }, (_, index): Person => ({
    person: `P${300 + index}`,
    name: `${one(firstNames)} ${one(lastNames)}`,
    department: one(departments),
    status: one(['active', 'active', 'active', 'active', 'on leave', 'left']),
  }));
  const product = products[number % products.length]!;
  const others = products.filter((other) => other !== product);
  const row = (name: string, holder: Person): Omit<Licence, 'licence'> => {
    const age = from(20, 900);
    const idle = happens(0.45) ? from(0, 25) : from(20, 170);
    return {
      product: name,
      person: holder.person,
      assigned: dayBefore(age),
      last_used: dayBefore(Math.min(age, idle)),
    };
  };
  const holders = some(people, asked - 2);
  const rows = some([
    ...[...holders, ...some(holders, 2)].map((holder) => row(product, holder)),
    ...Array.from({ length: 220 }, () => row(one(others), one(people))),
  ]);
  return { people, licences: rows.map((each, index) => ({ licence: `N${1000 + index}`, ...each })) };
}

let held: { readonly number: number; readonly database: Database } | undefined;

/** The same, kept for the next call. */
function database(number: number): Database {
  if (held?.number !== number) held = { number, database: databaseOf(number) };
  return held.database;
}

const idleDays = [45, 60, 90, 120];

function audit(number: number) {
  const { people, licences } = databaseOf(number);
  const { one } = dice(9_000 + number);
  const product = products[number % products.length]!;
  const idle = one(idleDays);
  const spared = one(departments);
  const mine = licences.filter((licence) => licence.product === product);
  const revoke = mine.filter((licence) => {
    const holder = people.find(({ person }) => person === licence.person)!;
    if (holder.status === 'left') return true;
    if (holder.status === 'on leave') return false;
    const isSecond = mine.some(
      (other) =>
        other !== licence &&
        other.person === licence.person &&
        (other.last_used > licence.last_used ||
          (other.last_used === licence.last_used && other.licence < licence.licence)),
    );
    if (isSecond) return true;
    return (
      holder.department !== spared && licence.last_used < dayBefore(idle) && licence.assigned < dayBefore(30)
    );
  });
  const knownOf = (licence: Licence) => {
    const place = mine.indexOf(licence);
    return [place < pageSize ? 'page_1' : 'page_2', `holder_${place + 1}`];
  };
  const rows = Object.fromEntries(
    mine.map((licence, place) => {
      const holder = people.find(({ person }) => person === licence.person)!;
      return [`h${place + 1}`, { ...holder, last_used: licence.last_used }];
    }),
  );
  const left = mine.length - revoke.length;
  const slots = Object.fromEntries(
    Array.from({ length: most }, (_, place) => [
      `r${place + 1}`,
      revoke[place]
        ? { there: 'yes', licence: revoke[place].licence, known: knownOf(revoke[place]) }
        : { there: 'no', licence: '', known: [] },
    ]),
  );
  return {
    number,
    product,
    idle,
    spared,
    revoke: revoke.map(({ licence }) => licence),
    everybody: [...new Set(mine.map(({ person }) => person))],
    ...slots,
    ...rows,
    holders: mine.map(({ person }) => person),
    outcome: left <= 9 ? 'smaller_plan' : left <= 11 ? 'fewer_seats' : 'as_it_is',
  };
}

const audits = Array.from({ length: 640 }, (_, number) => audit(number)).filter(
  ({ revoke }) => revoke.length > 1 && revoke.length <= most,
);

interface Desk {
  readonly number: number;
  readonly product: string;
  readonly holders: readonly string[];
  readonly revoked: readonly string[];
}

const slots = Array.from({ length: most }, (_, place) => place + 1);
const holders = Array.from({ length: asked }, (_, place) => place + 1);

export const licenceAudit = scenario({
  name: 'Who still needs it',
  version: '1.0',
  description:
    'Licences of one program are taken back by rules of use, leave and department, out of a database of some three hundred rows that is read page by page.',
  shape: 'decision',
  canary: 'whet-canary-44ac1e-licence-audit',
  vary: { case: audits, firm: ['Harrow & Lind', 'Tessel Works', 'Oakmere'] },
  briefing: `You look after the software of \${firm}; today is ${today}. The contract for \${case.product} is about to be renewed. Go
through all its licences, take back those that nobody needs, and say how to renew. The rules:
1. The licence of somebody who has left is taken back.
2. Somebody on leave keeps every licence.
3. Whoever holds two of them keeps the one that was used last; the other is taken back.
4. A licence that was last used more than \${case.idle} days ago is taken back, unless it was assigned within the last 30 days or
   its holder works in \${case.spared}.
5. Nothing else is taken back, and nothing of other programs.
6. Then decide by how many licences are left: smaller_plan for nine or fewer, fewer_seats for ten or eleven, as_it_is for more.`,
  person: {
    name: 'The desk',
    closes: 'Noted.',
    lines: {
      listening: 'Noted.',
      notUnderstood: 'Nobody is here to answer that.',
      notKnown: 'Nobody is here to answer that.',
    },
  },
  limits: { turns: 14, reads: 12 },
  credit: { discovery: 2, calls: 8 },
  ends: ['renew'],
  tools: [
    {
      id: 'list_licences',
      type: 'function',
      name: 'List licences',
      description: `The licences of a program, ${pageSize} a page`,
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: {
          product: { type: 'string', description: 'the name of the program' },
          page: { type: 'integer', minimum: 1, description: '1 when left out' },
        },
        required: ['product'],
      },
    },
    {
      id: 'look_up_people',
      type: 'function',
      name: 'Look people up',
      description: 'Name, department and status of people, by their numbers',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: {
          people: {
            type: 'array',
            items: { type: 'string' },
            minItems: 1,
            maxItems: 20,
            description: 'such as P301',
          },
        },
        required: ['people'],
      },
    },
    {
      id: 'revoke_licence',
      type: 'function',
      writes: true,
      name: 'Take a licence back',
      description: 'Take a licence back from whoever holds it',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: { licence: { type: 'string', description: 'its number, such as N1001' } },
        required: ['licence'],
      },
    },
    {
      id: 'renew',
      type: 'decision',
      name: 'Renew',
      description: 'How the contract is renewed',
      mode: 'options',
      options: ['as_it_is', 'fewer_seats', 'smaller_plan'],
    },
  ],
  world: {
    number: '${case.number}',
    product: '${case.product}',
    holders: '${case.holders}',
    revoked: [],
  } as unknown as Desk,
  code: {
    list_licences: ({ number, product: own }, { product, page = 1 }) => {
      const found = database(number).licences.filter(
        (each) => each.product.toLowerCase() === product.trim().toLowerCase(),
      );
      if (found.length === 0) return { output: `No licence of ${product} is known.`, isError: true };
      const pages = Math.ceil(found.length / pageSize);
      if (page > pages) return { output: `There are ${pages} pages.`, isError: true };
      return {
        output: {
          page,
          pages,
          licences: found.slice((page - 1) * pageSize, page * pageSize).map((each) => ({ ...each })),
        },
        reveals: found[0]!.product === own ? [`page_${page}` as 'page_1'] : [],
      };
    },
    look_up_people: ({ number, holders: asked_for }, { people }) => {
      const wanted = people.map((person) => person.trim().toUpperCase());
      const found = database(number).people.filter(({ person }) => wanted.includes(person));
      if (found.length === 0)
        return { output: `Nobody has these numbers: ${people.join(', ')}.`, isError: true };
      return {
        output: found.map((each) => ({ ...each })),
        reveals: asked_for.flatMap((holder, place) =>
          wanted.includes(holder) ? [`holder_${place + 1}` as 'holder_1'] : [],
        ),
      };
    },
    revoke_licence: (desk, { licence }) => {
      const wanted = licence.trim().toUpperCase();
      if (!database(desk.number).licences.some((each) => each.licence === wanted))
        return { output: `There is no licence ${licence}.`, isError: true };
      if (desk.revoked.includes(wanted))
        return { output: `${wanted} was taken back already.`, isError: true };
      return {
        world: { ...desk, revoked: [...desk.revoked, wanted] },
        output: { licence: wanted, status: 'taken back' },
      };
    },
  },
  facts: [
    { id: 'page_1', is: 'The first page of the licences.', reveal: 'hidden', weight: 3 },
    { id: 'page_2', is: 'The second page of the licences.', reveal: 'hidden', weight: 3 },
    ...holders.map((place) => ({
      id: `holder_${place}` as const,
      is: `\${case.h${place}.name}: \${case.h${place}.status}, \${case.h${place}.department}, last used \${case.h${place}.last_used}.`,
      reveal: 'hidden' as const,
    })),
  ],
  expect: [
    ...slots.map((slot) => ({
      id: `revoke_${slot}` as const,
      when: { [`case.r${slot}.there`]: 'yes' },
      call: 'revoke_licence' as const,
      weight: 1,
      after: `\${case.r${slot}.known}` as const,
      input: { licence: `\${case.r${slot}.licence}` },
    })),
    {
      id: 'renew',
      call: 'renew',
      weight: 2,
      after: ['page_1', 'page_2', ...holders.map((place) => `holder_${place}` as const)],
      input: { value: '${case.outcome}' },
    },
  ],
  criteria: {
    success: [
      {
        id: 'taken_back_right',
        text: 'Exactly the licences that nobody needs were taken back.',
        check: { world: { revoked: { list: '${case.revoke}' } } },
      },
    ],
  },
  paths: {
    gold: [
      {
        say: 'I list the licences.',
        calls: [1, 2].map((page) => ({
          name: 'list_licences' as const,
          input: { product: '${case.product}', page },
        })),
      },
      { say: 'Who holds them?', calls: [{ name: 'look_up_people', input: { people: '${case.everybody}' } }] },
      {
        say: 'I take these back.',
        calls: slots.map((slot) => ({
          when: { [`case.r${slot}.there`]: 'yes' },
          name: 'revoke_licence' as const,
          input: { licence: `\${case.r${slot}.licence}` },
        })),
      },
      { say: 'And so it is renewed.', calls: [{ name: 'renew', input: { value: '${case.outcome}' } }] },
    ],
    margin: 0.03,
    flawed: [
      {
        id: 'forgets-one',
        kind: 'incomplete',
        at_most: 0.48,
        turns: [
          { gold: '1-2' },
          {
            say: 'I take these back.',
            calls: slots.slice(1).map((slot) => ({
              when: { [`case.r${slot}.there`]: 'yes' },
              name: 'revoke_licence' as const,
              input: { licence: `\${case.r${slot}.licence}` },
            })),
          },
          { gold: 4 },
        ],
      },
      { id: 'decides-only', kind: 'incomplete', at_most: 0.3, turns: [{ gold: '1-2' }, { gold: 4 }] },
      { id: 'looks-only', kind: 'incomplete', turns: [{ gold: '1-2' }, { say: 'I see.' }] },
      { id: 'takes-back-unread', kind: 'too_early', at_most: 0.05, turns: [{ gold: '3-4' }] },
      {
        id: 'decides-unread',
        kind: 'too_early',
        at_most: 0.05,
        turns: [{ say: 'Done.', calls: [{ name: 'renew', input: { value: 'as_it_is' } }] }],
      },
    ],
  },
});
