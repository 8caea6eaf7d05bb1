/** `scenario.ts` of a new scenario in TypeScript: what is right is calculated, and a tool is a function. */
export const typescriptScenario = `import { scenario } from 'whetstone/scenario';

// A scenario is a template: \${axis.field} stands for what varies. Here the values of an axis are calculated, so that
// what is right follows from what is so.
const readings = [19, 14, 12, 18, 9, 16, 8, 20, 11, 17, 13, 15, 10];
const homes = [
  { home: 'Only me.', needsWarmth: false },
  { home: 'My baby is three months old.', needsWarmth: true },
  { home: 'My husband and I.', needsWarmth: false },
  { home: 'My mother is eighty-four.', needsWarmth: true },
];

function priorityOf(degrees: number, needsWarmth: boolean) {
  const isCold = degrees < 15;
  if (isCold && needsWarmth) return 'emergency';
  return isCold || needsWarmth ? 'high' : 'normal';
}

export default scenario({
  name: 'SLUG',
  version: '1.0',
  description: 'A tenant reports a broken heating. Find out how bad it is, and set the priority.',
  shape: 'conversation',
  canary: 'CANARY',

  // A variant takes one value of each axis.
  vary: {
    case: readings.flatMap((degrees) =>
      homes.map((home) => ({ degrees, ...home, priority: priorityOf(degrees, home.needsWarmth) })),
    ),
    since: [
      { says: 'Since this morning.', days: 0 },
      { says: 'For three days now.', days: 3 },
      { says: 'Since last night.', days: 1 },
      { says: 'For a week.', days: 7 },
    ],
    house: [
      { where: 'flat', flats: 1 },
      { where: 'house', flats: 9 },
    ],
    who: [
      { name: 'Ada Petrov', manner: 'plain' },
      { name: 'Sam Osei', manner: 'curt' },
      { name: 'Lena Fischer', manner: 'anxious' },
      { name: 'Joe Marsh', manner: 'chatty' },
    ],
    flat: ['12 Mill Lane', '3 Castle Street', '40 Harbour Road', '7 Orchard Close'],
  },

  briefing: \`You take calls for a landlord. \\\${who.name} of \\\${flat} is on the line about the heating.
Find out since when it has been off, how cold it is, and who lives there; look up how many flats of the house report the
same (more than one is the whole house). Write a report (days are counted in full; it was off since this morning for
none), and set the priority: emergency below 15 degrees with a small child or an old person; high below 15 degrees, or
with such a person in the home; otherwise normal. The decision ends the call.
\`,

  credit: { discovery: 1, calls: 9 }, // who only asks has done little
  limits: { turns: 12 },
  ends: ['priority'],

  // As the HTTP API shows them.
  tools: [
    {
      id: 'look_up_house',
      type: 'function',
      name: 'Look up the house',
      description: 'The faults that are reported in the house of a flat',
      json_schema: { type: 'object', properties: { flat: { type: 'string' } }, required: ['flat'] },
    },
    {
      id: 'report',
      type: 'artifact',
      name: 'Fault report',
      description: 'What is wrong, for the technician',
      json_schema: {
        type: 'object',
        properties: {
          part: { type: 'string', enum: ['heating', 'water', 'power'] },
          where: { type: 'string', enum: ['flat', 'house'] },
          days: { type: 'integer', description: 'for how many days it has been off' },
          temperature: { type: 'number', description: 'degrees in the home' },
        },
        required: ['part', 'where', 'days', 'temperature'],
      },
    },
    { id: 'priority', type: 'decision', name: 'Priority', options: ['normal', 'high', 'emergency'] },
  ],

  // The tools with a function act on the world. They get copies of it and of their input, and answer at once.
  world: { flat: '\${flat}', flats: '\${house.flats}' },
  code: {
    look_up_house: (world, { flat }) =>
      flat === world.flat
        ? { output: { fault: 'heating', flats: world.flats }, reveals: ['house'] }
        : { output: \`There is no flat \${flat} in our houses.\`, isError: true },
  },

  person: {
    name: '\${who.name}',
    manner: '\${who.manner}',
    speaks_first: true,
    opens: 'Hello, my heating does not work.',
    about: 'heating cold', // what "it" means here
    rapport: 2, // how many kinds of courtesy a rapport_required fact takes
    // Words that mean the same here, besides those that the engine knows.
    synonyms: [
      ['heating', 'heater', 'radiator', 'boiler'],
      ['cold', 'temperature', 'degrees', 'warm', 'thermometer'],
    ],
  },

  // What the person knows; "ask" are the words of a question for it, and ?words may be spoken of besides.
  facts: [
    {
      id: 'since',
      is: 'Since when the heating is off.',
      says: '\${since.says}',
      ask: ['how_long', 'when heating', 'when begin|stop', '?off|out|down|broken|fail|failed|working|heating|cold|problem'],
    },
    {
      id: 'cold',
      is: 'It is \${case.degrees} degrees.',
      says: 'The thermometer says \${case.degrees} degrees.',
      weight: 2,
      ask: ['how cold', 'cold flat|home|room|heating', 'how_bad heating', '=thermometer', '?flat|room|inside|indoors|apartment|show|say|now', '!drink|drinks'],
    },
    {
      id: 'home',
      is: 'Who lives there.',
      says: '\${case.home}',
      weight: 2,
      reveal: 'rapport_required',
      deflects: 'Why do you want to know?',
      ask: ['who live', 'live =with', 'child', 'family', 'live alone', 'anyone|anybody =home', 'old|elderly person', '?small|old|elderly|baby|children|people|home|flat|house|share'],
    },
    {
      id: 'tried',
      is: 'What the tenant tried.',
      says: 'I turned the knob up and down, and I let the air out. Nothing.',
      ask: ['try', '=do =anything', '=bleed|=bled|=knob|=valve|=air heating', 'turn =on|=up heating', '?radiator|valve|knob|heating|already|yourself|fix|repair|restart'],
    },
    { id: 'house', is: 'How many flats of the house report it: \${house.flats}.', reveal: 'hidden' },
    {
      id: 'access',
      is: 'When a technician can get in.',
      says: 'I am in from four in the afternoon; the caretaker has a key.',
      ask: ['when technician|someone come|visit|in', 'when home', 'key', 'unlock', 'access', '?technician|come|visit|door|flat|available|suit|home|somebody|in|let'],
    },
  ],

  // Which calls are right, and on which facts they rest.
  expect: [
    {
      id: 'report',
      call: 'report',
      weight: 2,
      after: ['cold', 'tried', 'house'],
      input: {
        part: { equal: 'heating', weight: 0.2 },
        where: { equal: '\${house.where}', after: ['house'] },
        days: { equal: '\${since.days}', after: ['since'] },
        temperature: { near: '\${case.degrees}', within: 0.5, after: ['cold'] },
      },
    },
    {
      id: 'priority',
      call: 'priority',
      weight: 2,
      after: ['cold', 'home', 'since'],
      input: { value: '\${case.priority}' },
    },
  ],

  criteria: {
    failure: [
      {
        id: 'blames',
        text: 'Blames the tenant.',
        penalty: 0.2,
        check: { said: ['your =own =fault', '=should =have called'] },
      },
    ],
  },
});
`;
