import { dice, scenario } from 'whetstone/scenario';

import { meters, type Meter } from './meters.ts';

// Written in TypeScript because what is due is calculated from what three photographs show, and because photographs,
// factors, prices and dates vary by themselves.

const today = '2026-06-30';
const { from, happens, one } = dice(20_260_630);

interface Registered {
  readonly serial: string;
  readonly kind: string;
  readonly flat: string;
  /** By what a unit of the dial is multiplied. */
  readonly factor: number;
  readonly calibrated_until: string;
}

function cents(amount: number): number {
  return Math.round(amount * 100 + 1e-6) / 100;
}

const flats = ['2 left', '3 right', '4 left', '1 right', '5 middle'];
const years = { good: ['2026-12-31', '2027-12-31', '2029-12-31'], past: ['2024-12-31', '2025-12-31'] };
const prices = { 'cold water': [3.9, 4.6, 5.2], heat: [0.11, 0.14, 0.17], power: [0.28, 0.31, 0.36] };
const consumptions = { 'cold water': [18, 96], heat: [900, 3800], power: [420, 1900] } as const;

function lineOf(meter: Meter, flat: string) {
  const flaw = happens(0.84) ? 'none' : one(['expired', 'elsewhere'] as const);
  const factor = meter.kind !== 'cold water' && happens(0.35) ? 10 : 1;
  const [least, most] = consumptions[meter.kind];
  const used = Math.round(from(least, most) / factor);
  const price = one(prices[meter.kind]);
  const registered: Registered = {
    serial: meter.serial,
    kind: meter.kind,
    flat: flaw === 'elsewhere' ? one(flats.filter((other) => other !== flat)) : flat,
    factor,
    calibrated_until: one(flaw === 'expired' ? years.past : years.good),
  };
  return {
    photo: meter.photo,
    serial: meter.serial,
    start: Number(meter.reading) - used,
    price,
    registered,
    due: flaw === 'none' ? cents(used * factor * price) : 0,
    outcome: flaw === 'none' ? 'bill' : 'leave',
  };
}

const moves = Array.from({ length: 1_600 }, move).filter(({ total }) => total > 0);

function move() {
  const flat = one(flats);
  const [water, heat, power] = (['cold water', 'heat', 'power'] as const).map((kind) =>
    lineOf(one(meters.filter((meter) => meter.kind === kind)), flat),
  ) as [ReturnType<typeof lineOf>, ReturnType<typeof lineOf>, ReturnType<typeof lineOf>];
  const lines = [water, heat, power];
  const total = cents(lines.reduce((sum, { due }) => sum + due, 0));
  const advance = Math.max(20, Math.round((total + one([-260, -140, -60, 70, 150, 240])) / 10) * 10);
  const isOpen = lines.some(({ outcome }) => outcome === 'leave');
  // Every serial that a photograph may show, so that one that was misread is found as well.
  const others = meters
    .filter(({ serial }) => lines.every((line) => line.serial !== serial))
    .map(({ serial, kind }): Registered => ({
      serial,
      kind,
      flat: one(flats.filter((other) => other !== flat)),
      factor: 1,
      calibrated_until: one(years.good),
    }));
  return {
    flat,
    water,
    heat,
    power,
    advance,
    total,
    register: [...lines.map(({ registered }) => registered), ...others],
    // One meter may have to be read again; the account is closed all the same where two or three are billed.
    outcome: isOpen ? 'read_again' : total > advance ? 'tenant_pays' : 'tenant_gets',
  };
}

interface House {
  readonly flat: string;
  readonly register: readonly Registered[];
  /** What was billed, by serial. */
  readonly billed: Readonly<Record<string, number>>;
}

const bare = (serial: string): string =>
  serial
    .replace(/^no\.?\s*/i, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toUpperCase();
const serial = {
  type: 'string',
  description: 'the number on the meter, as the photograph shows it',
} as const;
const kinds = ['water', 'heat', 'power'] as const;

export const meterPhotos = scenario({
  name: 'Three photographs',
  version: '1.0',
  description:
    'A tenant moves out, and the meters were photographed. Read them, look each up in the register, and bill what was used: a meter may belong to another flat, or be past its calibration.',
  shape: 'decision',
  kind: 'pictures to read',
  canary: 'whet-canary-7b20f4-meter-photos',
  vary: { case: moves, who: ['Lena Fischer', 'Amir Haddad', 'Joan Pell', 'Ruben Sousa'] },
  briefing: `You do the accounts of a house; today is ${today}. \${who} has moved out of flat \${case.flat} and sent three photographs of the
meters. When \${who} moved in, they stood at:
  cold water: \${case.water.start} m³, at \${case.water.price} € per m³
  heat: \${case.heat.start}, at \${case.heat.price} € per kWh
  power: \${case.power.start}, at \${case.power.price} € per kWh
Paid in advance: \${case.advance} €.
How it is done:
1. Read the black digits; the red ones are parts of a unit and do not count. What was used is the difference to the start.
2. Look up the number of each meter in the register before you bill it. Multiply what was used by the factor that stands there.
3. Do not bill a meter that the register has for another flat (it is the wrong photograph), nor one whose calibration ended
   before today.
4. Bill each other meter once: used × factor × price, to the cent.
5. Then close the account: read_again where a meter could not be billed; else tenant_pays where all together is more than
   what was paid in advance, and tenant_gets where it is less.`,
  documents: kinds.flatMap((kind) =>
    meters
      .filter(({ photo }) => photo.startsWith(kind[0]!))
      .map(({ photo }) => ({
        file: `documents/${photo}.png`,
        title: `Photograph: ${kind === 'water' ? 'cold water' : kind}`,
        for: 'operator' as const,
        when: { [`case.${kind}.photo`]: photo },
      })),
  ),
  person: {
    name: 'The desk',
    closes: 'Noted.',
    lines: {
      listening: 'Noted.',
      notUnderstood: 'Nobody is here to answer that.',
      notKnown: 'Nobody is here to answer that.',
    },
  },
  limits: { turns: 12, reads: 8 },
  credit: { discovery: 2, calls: 8 },
  ends: ['close_account'],
  tools: [
    {
      id: 'look_up_meter',
      type: 'function',
      name: 'Look up a meter',
      description: 'What the register says of a meter: kind, flat, factor, and until when it is calibrated',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { serial }, required: ['serial'] },
    },
    {
      id: 'bill_meter',
      type: 'function',
      writes: true,
      name: 'Bill a meter',
      description: 'Charge what was used by a meter, in euros',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: { serial, amount: { type: 'number', description: 'in euros, to the cent' } },
        required: ['serial', 'amount'],
      },
    },
    {
      id: 'close_account',
      type: 'decision',
      name: 'Close the account',
      description: 'How the account ends',
      mode: 'options',
      options: ['tenant_pays', 'tenant_gets', 'read_again'],
    },
  ],
  world: { flat: '${case.flat}', register: '${case.register}', billed: {} } as unknown as House,
  code: {
    look_up_meter: ({ register, flat }, { serial: wanted }) => {
      const found = register.find((one) => bare(one.serial) === bare(wanted));
      if (!found) return { output: `There is no meter ${wanted} in the register.`, isError: true };
      const facts = { 'cold water': 'water_meter', heat: 'heat_meter', power: 'power_meter' } as const;
      const isPhotographed = register.indexOf(found) < 3;
      return {
        output: { ...found, asked_for: flat },
        reveals: isPhotographed ? [facts[found.kind as 'heat']] : [],
      };
    },
    bill_meter: (house, { serial: wanted, amount }) => {
      const found = house.register.find((one) => bare(one.serial) === bare(wanted));
      if (!found) return { output: `There is no meter ${wanted} in the register.`, isError: true };
      if (amount <= 0) return { output: `${amount} cannot be billed: the amount is above 0.`, isError: true };
      return {
        world: { ...house, billed: { ...house.billed, [found.serial]: cents(amount) } },
        output: { serial: found.serial, billed: cents(amount) },
      };
    },
  },
  facts: kinds.map((kind) => ({
    id: `${kind}_meter` as const,
    is: `The ${kind} meter \${case.${kind}.serial}: flat \${case.${kind}.registered.flat}, factor \${case.${kind}.registered.factor}, calibrated until \${case.${kind}.registered.calibrated_until}.`,
    reveal: 'hidden' as const,
  })),
  expect: [
    ...kinds.map((kind) => ({
      id: `bill_${kind}` as const,
      when: { [`case.${kind}.outcome`]: 'bill' },
      call: 'bill_meter' as const,
      weight: 2,
      after: [`${kind}_meter` as const],
      input: {
        serial: { equal: `\${case.${kind}.serial}`, weight: 0.2 },
        amount: { near: `\${case.${kind}.due}`, within: 0.005 },
      },
    })),
    {
      id: 'close',
      call: 'close_account',
      weight: 1,
      after: ['water_meter', 'heat_meter', 'power_meter'],
      input: { value: '${case.outcome}' },
    },
  ],
  criteria: {
    success: [
      {
        id: 'billed_right',
        text: 'Each meter is billed with what is due, to the cent, or not at all.',
        check: {
          all: kinds.flatMap((kind) => [
            {
              when: { [`case.${kind}.outcome`]: 'bill' },
              world: { [`billed.\${case.${kind}.serial}`]: { near: `\${case.${kind}.due}`, within: 0.005 } },
            },
            {
              when: { [`case.${kind}.outcome`]: 'leave' },
              world: { [`billed.\${case.${kind}.serial}`]: { absent: true } },
            },
          ]),
        },
      },
    ],
  },
  paths: {
    gold: [
      {
        say: 'I look the three meters up.',
        calls: kinds.map((kind) => ({
          name: 'look_up_meter' as const,
          input: { serial: `\${case.${kind}.serial}` },
        })),
      },
      {
        say: 'I bill what can be billed.',
        calls: kinds.map((kind) => ({
          when: { [`case.${kind}.outcome`]: 'bill' },
          name: 'bill_meter' as const,
          input: { serial: `\${case.${kind}.serial}`, amount: `\${case.${kind}.due}` },
        })),
      },
      {
        say: 'The account is closed.',
        calls: [{ name: 'close_account', input: { value: '${case.outcome}' } }],
      },
    ],
    margin: 0.03,
    flawed: [
      {
        id: 'bills-one-less',
        kind: 'incomplete',
        when: { 'case.water.outcome': 'bill' },
        at_most: 0.45,
        turns: [
          { gold: 1 },
          {
            say: 'I bill heat and power.',
            calls: (['heat', 'power'] as const).map((kind) => ({
              when: { [`case.${kind}.outcome`]: 'bill' },
              name: 'bill_meter' as const,
              input: { serial: `\${case.${kind}.serial}`, amount: `\${case.${kind}.due}` },
            })),
          },
          { gold: 3 },
        ],
      },
      { id: 'looks-only', kind: 'incomplete', turns: [{ gold: 1 }, { say: 'I see.' }] },
      { id: 'bills-unread', kind: 'too_early', at_most: 0.05, turns: [{ gold: '2-3' }] },
      {
        id: 'closes-unread',
        kind: 'too_early',
        at_most: 0.05,
        turns: [{ say: 'Done.', calls: [{ name: 'close_account', input: { value: '${case.outcome}' } }] }],
      },
    ],
  },
});
