import { dice, scenario } from 'whetstone/scenario';

// Written in TypeScript because what may be kept is calculated from age, life and invoice, and because records, letters
// and invoices contradict each other in ways that vary by themselves.

const { from, happens, one, some } = dice(19_990_412);

function cents(amount: number): number {
  return Math.round(amount * 100 + 1e-6) / 100;
}

/** What may have been damaged: its life by the rules, and how people speak of it. */
const parts = {
  walls: {
    life: 8,
    fine: ['freshly painted, no marks.', 'white, without marks.'],
    worn: ['slightly yellowed, shadows of pictures.', 'a few nail holes, faint marks of furniture.'],
    broken: [
      'one wall painted black.',
      'two walls painted dark red.',
      'children’s drawings in wax on a whole wall.',
    ],
    claim: 'painting the walls',
    cost: [380, 920],
  },
  floor: {
    life: 15,
    fine: ['parquet without scratches.', 'parquet in good order.'],
    worn: ['parquet dull where people walk.', 'fine scratches under the table.'],
    broken: [
      'a burn of 20 cm in the parquet.',
      'a deep dent and a split board.',
      'black water stain, boards swollen.',
    ],
    claim: 'repairing the floor',
    cost: [260, 1400],
  },
  blind: {
    life: 10,
    fine: ['works.', 'complete, runs smoothly.'],
    worn: ['works, cord a little frayed.', 'works, slats slightly faded.'],
    broken: ['torn off its rail.', 'four slats broken.', 'does not close, the motor is burnt out.'],
    claim: 'a new blind',
    cost: [90, 420],
  },
  worktop: {
    life: 20,
    fine: ['no damage.', 'without cuts.'],
    worn: ['light traces of use.', 'some limescale at the sink.'],
    broken: ['a ring burnt in by a hot pan.', 'a corner broken off.', 'deep cuts beside the stove.'],
    claim: 'a new worktop',
    cost: [180, 760],
  },
} as const;

type Name = keyof typeof parts;
const names = Object.keys(parts) as readonly Name[];

/** What became of a part: nothing, wear, something that was there before, or something that is owed. */
const fates = ['fine', 'worn', 'before', 'broken', 'broken', 'broken', 'broken'] as const;

function damage(name: Name, { rented, bought }: { readonly rented: number; readonly bought: number }) {
  const part = parts[name];
  const fate = one(fates);
  const broken = one(part.broken);
  const cost = from(part.cost[0], part.cost[1]);
  const hasInvoice = happens(0.8);
  const age = bought + rented;
  const left = Math.max(0, part.life - age) / part.life;
  const due = fate === 'broken' && hasInvoice ? cents(cost * left) : 0;
  const isClaimed = fate !== 'fine' || happens(0.3);
  return {
    record: `${fate === 'before' ? broken : one(part.fine)} (new in ${2026 - age})`,
    found: fate === 'broken' || fate === 'before' ? broken : one(fate === 'worn' ? part.worn : part.fine),
    due,
    // The landlord asks for more than the invoice says where there is one.
    claim: isClaimed ? `${part.claim}: ${cost + (happens(0.4) ? from(2, 9) * 10 : 0)} €` : '',
    invoice:
      isClaimed && hasInvoice
        ? `Invoice: ${part.claim}, ${cost} €, paid by the landlord, dated ${one(['2026-04-20', '2026-05-04', '2026-05-11'])}.`
        : '',
  };
}

const boasts = [
  'The tenant told me on the stairs that all of it was her fault.',
  'I have been letting flats for thirty years.',
  'My brother-in-law is a painter and says the same.',
];
const pleas = [
  'The worktop was like that before, the floor is only used, and nobody ever gave me more than two keys.',
  'The walls were dark already when I came, I am quite sure.',
  'I gave everything back as I got it. The blind was broken from the first day.',
];
const protests = [
  'I have paid my rent on the day for years.',
  'Please settle this quickly, I need the money for the next flat.',
  'A friend who studies law says that a deposit must always be paid back in full.',
];

function flat(number: number) {
  const rented = from(1, 7);
  const inYear = 2026 - rented;
  const signed = happens(0.85);
  const day = String(from(1, 28)).padStart(2, '0');
  const all = Object.fromEntries(
    names.map((name) => [name, damage(name, { rented, bought: from(0, 5) })]),
  ) as Record<Name, ReturnType<typeof damage>>;
  const given = from(3, 5);
  const missing = one([0, 0, 1, 2]);
  const keys = { given, back: given - missing, due: missing * 45 };
  // What was not signed by the tenant proves nothing that the landlord found at the end.
  const dueOf = (name: Name) => (signed ? all[name].due : 0);
  const due = Object.fromEntries(names.map((name) => [name, dueOf(name)])) as Record<Name, number>;
  const kept = cents(names.reduce((sum, name) => sum + due[name], 0) + keys.due);
  const deposit = from(9, 21) * 100;
  return {
    number: `D-${3000 + number}`,
    in: `${inYear}-04-${day}`,
    out: '2026-03-31',
    signed: signed
      ? 'Signed by landlord and tenant.'
      : 'Signed by the landlord; the tenant was not there and has not signed.',
    ...all,
    keys,
    due,
    deposit,
    kept: Math.min(kept, deposit),
    back: cents(Math.max(0, deposit - kept)),
    claims: some(names.map((name) => all[name].claim).filter((claim) => claim !== ''))
      .concat(missing > 0 || happens(0.3) ? [`keys: ${(missing || 1) * 60} €`] : [])
      .map((line) => `- ${line}`)
      .join('\n'),
    invoices:
      some(names.map((name) => all[name].invoice).filter((invoice) => invoice !== '')).join('\n') ||
      'The landlord sent none.',
    boast: one(boasts),
    plea: one(pleas),
    protest: one(protests),
    outcome: !signed
      ? 'hear_landlord'
      : kept > deposit / 3
        ? 'hear_tenant'
        : kept > 0
          ? 'pay_back'
          : 'pay_all_back',
  };
}

/** Where nothing is kept, that is rare enough to be no habit. */
const flats = Array.from({ length: 2_400 }, (_, number) => flat(number)).filter(
  ({ due, outcome, kept }, number) =>
    outcome === 'hear_landlord'
      ? kept > 0 || number % 4 === 0
      : names.filter((name) => due[name] > 0).length > 1 || (kept === 0 && number % 2 === 0),
);

const amount = {
  type: 'number',
  minimum: 0,
  description: 'what the landlord keeps for it, in euros, to the cent',
} as const;
const papers = {
  'move-in': '1. The record of moving in',
  'move-out': '2. The record of moving out',
  landlord: '3. The landlord’s letter',
  tenant: '4. The tenant’s letter',
  invoices: '5. Invoices',
} as const;

export const deposit = scenario({
  name: 'The deposit',
  version: '1.0',
  description:
    'Landlord and tenant disagree about a deposit, and so do the papers: two records, two letters, invoices. Settle what may be kept, part by part, by rules of age and proof.',
  shape: 'decision',
  kind: 'papers that disagree',
  canary: 'whet-canary-e2905d-deposit',
  vary: {
    case: flats,
    who: [
      { tenant: 'Olga Brenner', landlord: 'Mr Castle' },
      { tenant: 'Idris Moss', landlord: 'Mrs Ahlgren' },
      { tenant: 'Pia Lorenz', landlord: 'Mr Dao' },
    ],
  },
  briefing: `You settle deposits for a letting agency; it is May 2026. Flat \${case.number}; \${who.tenant} has moved out, and \${who.landlord} holds a
deposit of \${case.deposit} €. The papers below do not all say the same, and there is nobody to ask. Write a settlement, and then
close the file. The rules:
1. A record that both have signed goes before any letter. A record of moving out that the tenant has not signed proves no
   damage: then nothing is kept for walls, floor, blind or worktop.
2. What stood in the record of moving in is not charged to the tenant.
3. Wear from ordinary living (yellowed walls, nail holes, fine scratches, faded slats, traces of use) is not charged; what broke is damage.
4. Damage is charged by what an invoice says, never by a letter; without an invoice nothing is kept for it.
5. Of the invoice the tenant owes the part of its life that the thing had left: walls live 8 years, a blind 10, a floor 15, a
   worktop 20, counted in whole years from the year in which it was new to 2026. Past its life nothing is owed.
6. For each missing key 45 € are kept, whatever else is said or signed.
7. paid_back is the deposit less what is kept, and never below 0.
8. Close the file with hear_landlord where the record of moving out is not signed by both; else with hear_tenant where more
   than a third of the deposit is kept; else with pay_back, or with pay_all_back where nothing is kept.`,
  documents: Object.entries(papers).map(([file, title]) => ({
    file: `documents/${file}.md`,
    title,
    for: 'operator' as const,
  })),
  person: {
    name: 'The desk',
    closes: 'Noted.',
    lines: {
      listening: 'Noted.',
      notUnderstood: 'Nobody is here to answer that.',
      notKnown: 'Nobody is here to answer that.',
    },
  },
  limits: { turns: 5 },
  ends: ['close_file'],
  tools: [
    {
      id: 'settlement',
      type: 'artifact',
      name: 'Settlement',
      description: 'What the landlord keeps for each part, and what is paid back',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: {
          walls: amount,
          floor: amount,
          blind: amount,
          worktop: amount,
          keys: amount,
          paid_back: {
            type: 'number',
            minimum: 0,
            description: 'what the tenant gets, in euros, to the cent',
          },
        },
        required: ['walls', 'floor', 'blind', 'worktop', 'keys', 'paid_back'],
      },
    },
    {
      id: 'close_file',
      type: 'decision',
      name: 'Close the file',
      description: 'What happens next',
      mode: 'options',
      options: ['pay_all_back', 'hear_landlord', 'pay_back', 'hear_tenant'],
    },
  ],
  expect: [
    {
      id: 'settlement',
      call: 'settlement',
      weight: 5,
      input: {
        ...Object.fromEntries(names.map((name) => [name, { near: `\${case.due.${name}}`, within: 0.01 }])),
        keys: { near: '${case.keys.due}', within: 0.01 },
        // It follows from the others, so that who has it right has not guessed.
        paid_back: { near: '${case.back}', within: 0.02, weight: 4 },
      },
    },
    {
      id: 'close',
      call: 'close_file',
      weight: 1,
      follows: ['settlement'],
      input: { value: '${case.outcome}' },
    },
  ],
  criteria: {
    terminology: [
      {
        id: 'blame',
        avoid: ['liar', 'greedy', 'scrounger', 'slumlord'],
        instead: 'what the papers say',
        penalty: 0.1,
      },
    ],
  },
  paths: {
    gold: [
      {
        say: 'I have compared the five papers. This is the settlement.',
        calls: [
          {
            name: 'settlement',
            input: {
              ...Object.fromEntries(names.map((name) => [name, `\${case.due.${name}}`])),
              keys: '${case.keys.due}',
              paid_back: '${case.back}',
            },
          },
        ],
      },
      {
        say: 'And the file is closed.',
        calls: [{ name: 'close_file', input: { value: '${case.outcome}' } }],
      },
    ],
    margin: 0.001,
    flawed: [
      {
        id: 'right-but-insults',
        kind: 'other',
        at_least: 0.5,
        turns: [{ gold: 1 }, { say: 'The landlord is greedy.' }, { gold: 2 }],
      },
      {
        id: 'forgets-the-keys',
        kind: 'wrong_input',
        when: { 'case.keys.due': [45, 90] },
        at_most: 0.45,
        turns: [
          {
            say: 'This is the settlement.',
            calls: [
              {
                name: 'settlement',
                input: {
                  ...Object.fromEntries(names.map((name) => [name, `\${case.due.${name}}`])),
                  keys: 0,
                  paid_back: '${case.deposit}',
                },
              },
            ],
          },
          { gold: 2 },
        ],
      },
      {
        id: 'believes-the-tenant',
        kind: 'wrong_input',
        when: { 'case.outcome': ['hear_tenant', 'pay_back'] },
        at_most: 0.25,
        turns: [
          {
            say: 'Nothing is kept.',
            calls: [
              {
                name: 'settlement',
                input: { walls: 0, floor: 0, blind: 0, worktop: 0, keys: 0, paid_back: '${case.deposit}' },
              },
            ],
          },
          { say: 'It is paid back.', calls: [{ name: 'close_file', input: { value: 'pay_all_back' } }] },
        ],
      },
      { id: 'decides-only', kind: 'too_early', at_most: 0.05, turns: [{ gold: 2 }] },
      { id: 'talks-only', kind: 'aimless', at_most: 0, turns: [{ say: 'These papers do not agree.' }] },
    ],
  },
});
