import { dice, scenario } from 'whetstone/scenario';

// Written in TypeScript because the system is a small world: services that call each other, a fault that begins somewhere at
// some minute, changes before and after it, and health that follows from what is done.

const { from, one, some } = dice(31_337);

const names = [
  'gateway',
  'basket',
  'checkout',
  'pricing',
  'stock',
  'payments',
  'search',
  'mailer',
  'profile',
  'ledger',
];
const fields = ['currency', 'tax_rate', 'customer_ref', 'slot_id', 'discount'];
const flags = ['fast-totals', 'new-rounding', 'bulk-reserve', 'lazy-index', 'split-invoice'];

type Cause = 'deploy' | 'flag' | 'config' | 'certificate';

interface Change {
  readonly at: string;
  readonly what: string;
}

interface Service {
  readonly service: string;
  readonly calls: readonly string[];
  readonly errors_percent: number;
  readonly certificate_until: string;
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

const innocent = [
  'INFO cache warmed in 412 ms',
  'WARN slow query, 1.2 s',
  'INFO 204 jobs done',
  'WARN retry 1 of 3 succeeded',
  'INFO health check passed',
];

function incident(number: number) {
  const [first, second, third, fourth, fifth] = some(names, 5) as [string, string, string, string, string];
  // first calls second and third, both call fourth; fifth stands alone.
  const calls: Readonly<Record<string, readonly string[]>> = {
    [first]: [second, third],
    [second]: [fourth],
    [third]: [fourth],
    [fourth]: [],
    [fifth]: [],
  };
  const root = one([second, third, fourth, fourth]);
  const callers = [first, second, third].filter((name) => reaches(calls, name, root) && name !== root);
  const began = from(9 * 60 + 30, 16 * 60);
  const cause = one(['deploy', 'flag', 'config', 'certificate'] as const satisfies readonly Cause[]);
  const build = from(210, 890);
  const flag = one(flags);
  const revision = from(31, 96);
  const near = began - from(1, 3);
  const far = () => (from(0, 1) === 0 ? began - from(40, 170) : began + from(6, 50));
  const when = (kind: Cause) => (cause === kind ? near : far());
  // The flag came with an earlier version, so that going back behind it helps as much as switching it off.
  const deployedAt = cause === 'flag' ? began - from(40, 170) : when('deploy');
  const changes: Readonly<Record<string, readonly Change[]>> = Object.fromEntries(
    [first, second, third, fourth, fifth].map((name) => {
      const own: readonly (readonly [number, string])[] =
        name === root
          ? [
              [
                deployedAt,
                `deployed version 4.${build}, before that 4.${build - 1}; it brought the flag ${flag}`,
              ],
              // Never before the version that brought it.
              [
                cause === 'flag' ? near : Math.max(deployedAt, began + 5) + from(1, 20),
                `flag ${flag} switched on`,
              ],
              [when('config'), `configuration ${revision} loaded, before that ${revision - 1}`],
            ]
          : some(
              [
                [began - from(4, 160), `deployed version 2.${from(100, 400)}`],
                [began + from(5, 40), `configuration ${from(20, 90)} loaded`],
                [began - from(1, 3), `flag ${one(flags)} switched ${one(['on', 'off'])}`],
              ] as const,
              from(1, 3),
            );
      return [
        name,
        own.toSorted((a, b) => a[0] - b[0]).map(([at, what]): Change => ({ at: clock(at), what })),
      ];
    }),
  );
  const field = one(fields);
  const log = Object.fromEntries(
    [first, second, third, fourth, fifth].map((name) => {
      const bad = callers.includes(name)
        ? [
            `${clock(began)} ERROR call to ${calls[name]!.find((other) => other === root || callers.includes(other))!} failed`,
          ]
        : name === root
          ? [`${clock(began)} ERROR cannot answer: no valid ${field}`]
          : [];
      const noise = some(innocent, 4).map((line, place) => `${clock(began - 30 + place * 11)} ${line}`);
      return [
        name,
        [...noise, ...bad, ...bad.map((line) => line.replace(clock(began), clock(began + 1)))].toSorted(),
      ];
    }),
  );
  const services = some([first, second, third, fourth, fifth]).map((service): Service => ({
    service,
    calls: calls[service]!,
    errors_percent: service === root || callers.includes(service) ? from(34, 71) : from(0, 2),
    certificate_until:
      service === root && cause === 'certificate' ? `today ${clock(began)}` : `2027-0${from(1, 9)}-15`,
  }));
  const before = `4.${build - 1}`;
  const fixes: Readonly<
    Record<Cause, { readonly actions: readonly string[]; readonly targets: readonly string[] }>
  > = {
    deploy: { actions: ['roll_back'], targets: [before] },
    flag: { actions: ['switch_off', 'roll_back'], targets: [flag, before] },
    config: { actions: ['restore_config'], targets: [String(revision - 1)] },
    certificate: { actions: ['renew_certificate'], targets: [root] },
  };
  const { actions, targets } = fixes[cause];
  return {
    id: `INC-${1200 + number}`,
    root,
    cause,
    began: clock(began),
    services,
    changes,
    log,
    actions,
    targets,
    action: actions[0]!,
    target: targets[0]!,
    field,
    flag,
    root_changes: changes[root]!.map(({ at, what }) => `${at} ${what.replace(/ .*/, '')}`).join('; '),
    // Going back behind the flag's version is right too, in one variant of two that is what the gold path does.
    other_way: cause === 'flag' && number % 2 === 1 ? 'yes' : 'no',
    before,
  };
}

function reaches(calls: Readonly<Record<string, readonly string[]>>, name: string, wanted: string): boolean {
  return name === wanted || calls[name]!.some((next) => reaches(calls, next, wanted));
}

interface System {
  readonly root: string;
  readonly services: readonly Service[];
  readonly changes: Readonly<Record<string, readonly Change[]>>;
  readonly log: Readonly<Record<string, readonly string[]>>;
  readonly actions: readonly string[];
  readonly targets: readonly string[];
  readonly health: string;
  readonly touched: readonly string[];
}

const service = { type: 'string', description: 'the name of the service' } as const;
const unknown = (name: string) => ({ output: `There is no service ${name}.`, isError: true });

function named(system: System, written: string): string | undefined {
  const name = written.trim().toLowerCase();
  return system.services.some((each) => each.service === name) ? name : undefined;
}

export const badDeploy = scenario({
  name: 'Since a quarter past',
  version: '1.0',
  description:
    'Errors run through five services. Find the one where they begin and the change that was made just before, and undo that one alone; the log fails at first. Graded by the health of the system.',
  shape: 'decision',
  canary: 'whet-canary-f39a06-bad-deploy',
  vary: {
    case: Array.from({ length: 1_200 }, (_, number) => incident(number)),
    late: [
      { times: 1, error: 'The log store is busy. Try again.' },
      { times: 2, error: 'The log store did not answer within 10 s. Try again.' },
    ],
  },
  briefing: `You are on call. Incident \${case.id}: customers see errors. Five services call each other, and an error in one makes those fail
that call it. Find the service where it begins, undo what caused it, and close the incident. The rules:
1. It begins in the service whose own log tells of something else than a call that failed.
2. The cause is the one change of that service that was made at most three minutes before its first error: a deploy, a flag
   that was switched on, a configuration that was loaded; or its certificate, where that ended at that very minute.
3. Undo only that: roll_back to the version before, switch_off the flag, restore_config to the one before, renew_certificate of
   the service. A flag may also be undone by going back to the version before the one that brought it. Touch nothing else.
4. See that all services are well again, and close the incident with the cause.`,
  person: {
    name: 'The desk',
    closes: 'Noted.',
    lines: {
      listening: 'Noted.',
      notUnderstood: 'Nobody is here to answer that.',
      notKnown: 'Nobody is here to answer that.',
    },
  },
  limits: { turns: 14, reads: 16 },
  credit: { discovery: 2, calls: 8 },
  ends: ['close_incident'],
  tools: [
    {
      id: 'show_services',
      type: 'function',
      name: 'Show the services',
      description:
        'All services: which they call, how many of their answers are errors, and until when their certificates hold',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: {} },
    },
    {
      id: 'read_log',
      type: 'function',
      name: 'Read a log',
      description: 'The last lines of the log of a service',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { service }, required: ['service'] },
    },
    {
      id: 'list_changes',
      type: 'function',
      name: 'List changes',
      description: 'What was changed in a service today, and when',
      mode: 'json_schema',
      json_schema: { type: 'object', properties: { service }, required: ['service'] },
    },
    {
      id: 'undo_change',
      type: 'function',
      writes: true,
      name: 'Undo a change',
      description: 'Undo one change of a service',
      mode: 'json_schema',
      json_schema: {
        type: 'object',
        properties: {
          service,
          action: { enum: ['roll_back', 'switch_off', 'restore_config', 'renew_certificate'] },
          target: {
            type: 'string',
            description:
              'the version or configuration to go back to, the name of the flag, or of the service for its certificate',
          },
        },
        required: ['service', 'action', 'target'],
      },
    },
    {
      id: 'close_incident',
      type: 'decision',
      name: 'Close the incident',
      description: 'What it was',
      mode: 'options',
      options: ['certificate', 'config', 'deploy', 'flag'],
    },
  ],
  world: {
    root: '${case.root}',
    services: '${case.services}',
    changes: '${case.changes}',
    log: '${case.log}',
    actions: '${case.actions}',
    targets: '${case.targets}',
    health: 'failing',
    touched: [],
  } as unknown as System,
  faults: [{ tool: 'read_log', times: '${late.times}', error: '${late.error}' }],
  code: {
    show_services: ({ services, health }) => ({
      output: services.map((each) => ({
        ...each,
        errors_percent: health === 'well' ? 0 : each.errors_percent,
      })),
      reveals: ['services'],
    }),
    read_log: (system, { service: written }) => {
      const name = named(system, written);
      if (name === undefined) return unknown(written);
      return { output: system.log[name]!.join('\n'), reveals: name === system.root ? ['log'] : [] };
    },
    list_changes: (system, { service: written }) => {
      const name = named(system, written);
      if (name === undefined) return unknown(written);
      return {
        output: system.changes[name]!.map((each) => ({ ...each })),
        reveals: name === system.root ? ['changes'] : [],
      };
    },
    undo_change: (system, { service: written, action, target }) => {
      const name = named(system, written);
      if (name === undefined) return unknown(written);
      const wanted = target
        .trim()
        .toLowerCase()
        .replace(/^version\s+/, '');
      const isRight =
        name === system.root && system.actions.includes(action) && system.targets.includes(wanted);
      return {
        world: { ...system, health: isRight ? 'well' : system.health, touched: [...system.touched, name] },
        output: {
          service: name,
          done: `${action} ${wanted}`,
          errors: isRight ? 'none any more' : 'as before',
        },
      };
    },
  },
  facts: [
    { id: 'services', is: 'Which service calls which.', reveal: 'hidden' },
    {
      id: 'log',
      is: 'The log where it begins: since ${case.began}, no valid ${case.field}.',
      reveal: 'hidden',
    },
    { id: 'changes', is: 'What was changed there: ${case.root_changes}.', reveal: 'hidden' },
  ],
  expect: [
    {
      id: 'undo',
      call: 'undo_change',
      weight: 3,
      after: ['services', 'log', 'changes'],
      input: {
        service: '${case.root}',
        action: { one_of: '${case.actions}' },
        target: { one_of: '${case.targets}', weight: 2 },
      },
    },
    {
      id: 'close',
      call: 'close_incident',
      weight: 2,
      after: ['services', 'log', 'changes'],
      input: { value: '${case.cause}' },
    },
  ],
  criteria: {
    success: [
      {
        id: 'well_again',
        text: 'All services are well, and only the one that failed was touched, once.',
        check: { world: { health: 'well', touched: { list: ['${case.root}'] } } },
      },
    ],
  },
  paths: {
    gold: [
      { say: 'I look at the services.', calls: [{ name: 'show_services', input: {} }] },
      {
        say: 'I read the log where it may begin.',
        calls: [
          { name: 'read_log', input: { service: '${case.root}' } },
          { when: { 'late.times': 2 }, name: 'read_log', input: { service: '${case.root}' } },
        ],
      },
      {
        say: 'It failed, so I try again.',
        calls: [{ name: 'read_log', input: { service: '${case.root}' } }],
      },
      {
        say: 'What was changed there?',
        calls: [{ name: 'list_changes', input: { service: '${case.root}' } }],
      },
      {
        say: 'I undo it.',
        calls: [
          {
            when: { 'case.other_way': 'no' },
            name: 'undo_change',
            input: { service: '${case.root}', action: '${case.action}', target: '${case.target}' },
          },
          {
            when: { 'case.other_way': 'yes' },
            name: 'undo_change',
            input: { service: '${case.root}', action: 'roll_back', target: '${case.before}' },
          },
        ],
      },
      { say: 'All is well again.', calls: [{ name: 'close_incident', input: { value: '${case.cause}' } }] },
    ],
    margin: 0.02,
    flawed: [
      {
        id: 'undoes-another-as-well',
        kind: 'harmful',
        at_most: 0.47,
        turns: [
          { gold: '1-5' },
          {
            say: 'To be sure I go back here too.',
            calls: [
              {
                name: 'undo_change',
                input: { service: '${case.services.0.service}', action: 'roll_back', target: '2.1' },
              },
            ],
          },
          { gold: 6 },
        ],
      },
      {
        id: 'undoes-the-wrong-change',
        kind: 'wrong_input',
        at_most: 0.42,
        turns: [
          { gold: '1-4' },
          {
            say: 'I undo it.',
            calls: [
              {
                name: 'undo_change',
                input: { service: '${case.root}', action: 'renew_certificate', target: 'all' },
              },
            ],
          },
          { gold: 6 },
        ],
      },
      { id: 'looks-only', kind: 'incomplete', turns: [{ gold: '1-4' }, { say: 'I see.' }] },
      { id: 'undoes-unread', kind: 'too_early', at_most: 0.05, turns: [{ gold: '5-6' }] },
      {
        id: 'closes-unread',
        kind: 'too_early',
        at_most: 0.05,
        turns: [{ say: 'Done.', calls: [{ name: 'close_incident', input: { value: '${case.cause}' } }] }],
      },
    ],
  },
});
