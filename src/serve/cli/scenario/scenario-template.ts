import { randomId } from '../../../base/host/random.ts';
import { typescriptScenario } from './scenario-typescript.ts';

/** The files of a new scenario: small, whole, and sound by `whet scenario check --strict`. */
export function newScenarioFiles(
  slug: string,
  language: 'yaml' | 'typescript' = 'yaml',
): Readonly<Record<string, string>> {
  const named = (text: string) => text.replaceAll('SLUG', slug).replace('CANARY', randomId('canary'));
  if (language === 'yaml')
    return { 'scenario.yaml': named(scenario), 'paths.yaml': paths, 'questions.yaml': questions };
  return {
    'scenario.ts': named(typescriptScenario),
    'paths.yaml': paths
      .replaceAll('${cold}', '${case.degrees}')
      .replaceAll('${priority}', '${case.priority}')
      .replaceAll(/(- say: Is it only your flat\? And have)( you tried anything yourself\?)/g, lookingUp),
    'questions.yaml': questions.replace(/^others:\n.*\n.*\n/m, ''),
  };
}

/** Whether other flats are cold is asked of the tenant in YAML, and looked up in TypeScript. */
const lookingUp = `- say: Have$2
    calls:
      - { name: look_up_house, input: { flat: '\${flat}' } }`;

const scenario = `# A scenario is a template: \${axis.field} stands for what varies, "when" keeps something to some variants.
name: SLUG
version: '1.0'
description: A tenant reports a broken heating. Find out how bad it is, and set the priority.
shape: conversation
canary: CANARY

vary: # a variant takes one value of each axis
  since:
    - { says: Since this morning., days: 0 }
    - { says: For three days now., days: 3 }
    - { says: Since last night., days: 1 }
    - { says: For a week., days: 7 }
  cold: [19, 14, 12, 18, 9, 16, 8, 20, 11, 17, 13, 15, 10]
  home:
    - { says: 'Only me.', frail: no }
    - { says: My baby is three months old., frail: yes }
    - { says: My brother and I., frail: no }
    - { says: My mother is eighty-four., frail: yes }
  house:
    - { says: The neighbours are warm. It is only mine., where: flat }
    - { says: The neighbours freeze as well. It is the whole house., where: house }
  who:
    - { name: Ada Petrov, manner: plain }
    - { name: Sam Osei, manner: curt }
    - { name: Lena Fischer, manner: anxious }
    - { name: Joe Marsh, manner: chatty }
  flat: [12 Mill Lane, 3 Castle Street, 40 Harbour Road, 7 Orchard Close]

derive: # what follows from them: the first that holds
  priority:
    - { when: { cold: [8, 9, 10, 11, 12, 13, 14], home.frail: yes }, is: emergency }
    - { when: { cold: [8, 9, 10, 11, 12, 13, 14] }, is: high }
    - { when: { home.frail: yes }, is: high }
    - { is: normal }

briefing: |
  You take calls for a landlord. \${who.name} of \${flat} is on the line about the heating.
  Find out since when it has been off, how cold it is, who lives there, and whether the whole house is cold. Write a
  report (days are counted in full; it was off since this morning for none), and set the priority:
  emergency below 15 degrees with a small child or an old person; high below 15 degrees, or with such a person in the
  home; otherwise normal. The decision ends the call.

credit: { discovery: 1, calls: 9 } # who only asks has done little
limits: { turns: 12 }
ends: [priority]

tools: # as the HTTP API shows them
  - id: report
    type: artifact
    name: Fault report
    description: What is wrong, for the technician
    mode: json_schema
    json_schema:
      type: object
      properties:
        part: { type: string, enum: [heating, water, power] }
        where: { type: string, enum: [flat, house] }
        days: { type: integer, description: for how many days it has been off }
        temperature: { type: number, description: degrees in the home }
      required: [part, where, days, temperature]
  - id: priority
    type: decision
    name: Priority
    mode: options
    options: [normal, high, emergency]

person:
  name: \${who.name}
  manner: \${who.manner}
  speaks_first: true
  opens: Hello, my heating does not work.
  about: heating cold # what "it" means here
  rapport: 2 # how many kinds of courtesy a rapport_required fact takes
  synonyms: # words that mean the same here, besides those that the engine knows
    - [heating, heater, radiator, boiler]
    - [cold, temperature, degrees, warm, thermometer]

facts: # what the person knows; "ask" are the words of a question for it, and ?words may be spoken of besides
  - id: since
    is: Since when the heating is off.
    says: \${since.says}
    ask: [how_long, when heating, when begin|stop, '?off|out|down|broken|fail|failed|working|heating|cold|problem']
  - id: cold
    is: It is \${cold} degrees.
    says: 'The thermometer says \${cold} degrees.'
    weight: 2
    ask: [how cold, cold flat|home|room|heating, how_bad heating, =thermometer, '?flat|room|inside|indoors|apartment|show|say|now', '!drink|drinks']
  - id: home
    is: Who lives there.
    says: \${home.says}
    weight: 2
    reveal: rapport_required
    deflects: Why do you want to know?
    ask: [who live, live =with, child, family, live alone, anyone|anybody =home, old|elderly person, '?small|old|elderly|baby|children|people|home|flat|house|share']
  - id: tried
    is: What the tenant tried.
    says: I turned the knob up and down, and I let the air out. Nothing.
    ask: [try, =do =anything, =bleed|=bled|=knob|=valve|=air heating, turn =on|=up heating, '?radiator|valve|knob|heating|already|yourself|fix|repair|restart']
  - id: others
    is: Whether other flats are affected.
    says: \${house.says}
    ask: [neighbour, other =flat|=home|=apartment|=tenant, =whole =building, =only =flat|=apartment|=yours|=you, =just =flat|=apartment|=yours, '?affected|heating|warm|cold|house|same|problem|broken|have']
  - id: access
    is: When a technician can get in.
    says: I am in from four in the afternoon; the caretaker has a key.
    ask: [when technician|someone come|visit|in, when home, key, unlock, access, '?technician|come|visit|door|flat|available|suit|home|somebody|in|let']

expect: # which calls are right, and on which facts they rest
  - id: report
    call: report
    weight: 2
    after: [cold, tried, others]
    input:
      part: { equal: heating, weight: 0.2 }
      where: { equal: '\${house.where}', after: [others] }
      days: { equal: '\${since.days}', after: [since] }
      temperature: { near: '\${cold}', within: 0.5, after: [cold] }
  - id: priority
    call: priority
    weight: 2
    after: [cold, home, others, tried]
    input: { value: '\${priority}' }

criteria:
  failure:
    - id: blames
      text: Blames the tenant.
      penalty: 0.2
      check: { said: ['your =own =fault', '=should =have called'] }
`;

const paths = `# From the best to the worst; "gold: 1-2" stands for these turns of the gold path.
gold:
  - say: Hello, this is the landlord's office. I am sorry to hear that. Since when has the heating been off?
  - say: How cold is it in the flat now? I ask because it decides how fast we come. And who lives there with you?
  - say: Is it only your flat? And have you tried anything yourself?
  - say: When could a technician come in? I am writing this down for him.
    calls:
      - { name: report, input: { part: heating, where: '\${house.where}', days: '\${since.days}', temperature: '\${cold}' } }
  - say: Here is how urgent we take it.
    calls:
      - { name: priority, input: { value: '\${priority}' } }

margin: 0.01
flawed:
  - id: wrong-reading
    kind: wrong_input
    at_most: 0.5
    turns:
      - gold: 1-3
      - say: When could a technician come in?
        calls:
          - { name: report, input: { part: water, where: '\${house.where}', days: '\${since.days}', temperature: '\${cold}' } }
      - gold: 5
  - id: blaming
    kind: harmful
    turns:
      - gold: 1-3
      - say: You should have called earlier.
        calls:
          - { name: report, input: { part: water, where: '\${house.where}', days: 99, temperature: 99 } }
      - gold: 5
  - id: chatting
    kind: aimless
    turns:
      - gold: 1-2
      - say: That must be hard. How is the weather over there?
      - say: I see. Thank you for calling.
  - id: at-once
    kind: too_early
    at_most: 0.1
    turns:
      - say: I will note an emergency.
        calls:
          - { name: priority, input: { value: '\${priority}' } }
`;

const questions = `# Questions that should draw each fact out, and near misses that should not. Best written by someone who has not read
# the "ask" lines of scenario.yaml.
since:
  asked: [When did it stop working?, How long has it been off?, Since when is it cold?]
  not: [When can a technician come?]
cold:
  asked: [What does the thermometer say?, How cold is it?]
  not: [Do you like cold drinks?]
home:
  asked: [Do you live there alone?, Are there small children?]
  not: [Where do you live?]
tried:
  asked: [Did you do anything about it yet?, Have you bled the radiator?]
  not: [I will try to be quick.]
others:
  asked: [Are your neighbours affected too?, Is it just your apartment?, Is it cold at your neighbours' as well?]
  not: [Is there anything else?]
access:
  asked: [When can someone come by?, Is there a key somewhere?]
  not: [When did it begin?]
`;
