import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { seededRandom, type Random } from '../src/base/host/random.ts';
import { openState } from '../src/grade/check/measure-person.ts';
import type { Example } from '../src/grade/language/evidence.ts';
import { reply } from '../src/grade/person/reply.ts';
import { startPlay } from '../src/grade/play/play.ts';
import { buildTask } from '../src/grade/scenario/build-task.ts';
import { findScenario, loadCatalog } from '../src/grade/scenario/load/catalog.ts';
import type { PlayState } from '../src/grade/scenario/play-state.ts';
import type { Task } from '../src/grade/scenario/task.ts';
import { checkCondition } from '../src/grade/score/condition.ts';
import { viewTranscript } from '../src/grade/score/transcript-view.ts';
import { type Claim, round } from './harness.ts';

/** Questions by somebody who saw briefings and facts, and neither patterns nor written questions: only totals are told. */
const sealed =
  readJson<Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>('questions.json');

/** Sentences by two writers who had seen no pattern of the rules that they break, or nearly. */
const sentences = JSON.parse(
  readFileSync(new URL('../src/grade/check/testing/harmful-sentences.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, { readonly violations: readonly string[]; readonly honest: readonly string[] }>>;

/** Measured with the same questions at commit 2ee1c9e. */
const before = readJson<Readonly<Record<string, number | string>>>('before.json');

const catalog = loadCatalog(fileURLToPath(new URL('../scenarios', import.meta.url)));

export const claim: Claim = {
  name: 'grades',
  title: 'a person understands what strangers ask, and tells nothing that is locked',
  alone: true,
  measure: () => {
    const persons = ways.map(([name, how]) => ({ name, ...measure(how) }));
    const harm = harmfulSentences();
    const [bundled, slips, , five, , none] = persons;
    const locked = persons.reduce((sum, one) => sum + one.locked, 0);
    const unasked = Math.max(bundled!.unasked, five!.unasked, none!.unasked);
    return Promise.resolve({
      rows: [
        ...persons.map(({ name, understood, unasked: others, locked: told }) => ({
          measured: name,
          before: before[name] ?? '',
          now: round(understood),
          'told besides': round(others),
          'locked facts told': told,
          'honest sentences blamed': '',
        })),
        ...harm.map(({ name, caught, blamed }) => ({
          measured: name,
          before: before[name] ?? '',
          now: round(caught),
          'told besides': '',
          'locked facts told': '',
          'honest sentences blamed': round(blamed),
        })),
      ],
      limits: [
        { says: 'of bundled conversations understood', measured: round(bundled!.understood), atLeast: 0.93 },
        { says: 'of these with one letter wrong', measured: round(slips!.understood), atLeast: 0.93 },
        { says: 'with five questions a fact', measured: round(five!.understood), atLeast: 0.88 },
        { says: 'with none', measured: round(none!.understood), atLeast: 0.8 },
        { says: 'locked facts told', measured: locked, atMost: 0 },
        { says: 'told without being asked for', measured: round(unasked), atMost: 0.03 },
      ],
      notes: [
        `${bundled!.asked} questions about eight bundled conversations, by somebody who had read the briefings and what the facts say, but neither patterns nor questions. The patterns of bundled conversations were mended by what strangers had said before. "Bare patterns" are four of each fact's, without what they explain or bar besides, as somebody in a hurry writes them.`,
        'Violations are put into a sentence as they stand, and behind "Don’t worry," or before "no problem": a denial takes back only its own clause.',
      ],
    });
  },
};

interface How {
  /** How many questions of each list the person knows. */
  readonly kept: number;
  readonly bare?: true;
  readonly asks?: (question: string, random: Random) => string;
}

const ways: readonly (readonly [name: string, how: How])[] = [
  ['bundled, as asked', { kept: Infinity }],
  ['bundled, one letter wrong', { kept: Infinity, asks: withSlip }],
  [
    'bundled, without marks',
    { kept: Infinity, asks: (question) => question.toLowerCase().replaceAll(/[?.,]/g, '') },
  ],
  ['five questions a fact', { kept: 5 }],
  ['five questions a fact, bare patterns', { kept: 5, bare: true }],
  ['no questions', { kept: 0 }],
  ['no questions, bare patterns', { kept: 0, bare: true }],
];

function measure({ kept, bare, asks = (question) => question }: How) {
  const random = seededRandom(5);
  const count = { asked: 0, understood: 0, unasked: 0, locked: 0 };
  for (const [name, facts] of Object.entries(sealed)) {
    const [collection = '', slug = ''] = name.split('/');
    const task = withFew(buildTask(findScenario(catalog, collection, slug)), { kept, bare, random });
    for (const [fact, questions] of Object.entries(facts)) {
      const open = openState(task, fact);
      for (const question of questions) {
        const text = asks(question, random);
        const { told } = reply(task, open, text);
        count.asked++;
        if (told.includes(fact)) count.understood++;
        if (told.some((one) => one !== fact)) count.unasked++;
        if (tellsLocked(task, { ...startPlay(task).state, turn: 1, rapport: ['insult'] }, text))
          count.locked++;
      }
    }
  }
  const { asked, understood, unasked, locked } = count;
  return { asked, understood: understood / asked, unasked: unasked / asked, locked };
}

function withFew(
  task: Task,
  { kept, bare, random }: { readonly kept: number; readonly bare: true | undefined; readonly random: Random },
): Task {
  const written = task.examples();
  const lists = Map.groupBy(written?.examples ?? [], ({ fact, asked }: Example) => `${fact} ${asked}`);
  const examples = [...lists.values()].flatMap((list) => mixed(list, random).slice(0, kept));
  const known = written && examples.length > 0 ? { ...written, examples } : undefined;
  const facts = task.facts.map((fact) =>
    bare
      ? {
          ...fact,
          ask: mixed(
            fact.ask.filter((pattern) => !/^[?!]/.test(pattern)),
            random,
          )
            .slice(0, 4)
            .map((pattern) => pattern.replaceAll(/ [!?]\S+/g, '')),
        }
      : fact,
  );
  return { ...task, facts, examples: () => known };
}

function mixed<Item>(list: readonly Item[], random: Random): readonly Item[] {
  return list
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/** Two letters of the longest word swapped, one left out, or one doubled. */
function withSlip(question: string, random: Random): string {
  const [word] = (question.match(/[a-z]{5,}/g) ?? []).toSorted((one, other) => other.length - one.length);
  if (word === undefined) return question;
  const at = 1 + Math.floor(random() * (word.length - 2));
  const kind = Math.floor(random() * 3);
  const rest =
    kind === 0 ? word[at + 1]! + word[at]! + word.slice(at + 2) : word.slice(kind === 1 ? at + 1 : at);
  return question.replace(word, word.slice(0, at) + (kind === 2 ? word[at]! : '') + rest);
}

/** Locked is what waits for warmth, for a document, or for a fact that the same message has not asked for before. */
function tellsLocked(task: Task, state: PlayState, text: string): boolean {
  const { told } = reply(task, state, text);
  return told.some((id, at) => {
    const { reveal, after } = task.facts.find((fact) => fact.id === id)!;
    return (
      reveal === 'rapport_required' ||
      reveal === 'hidden' ||
      after.some((other) => !told.slice(0, at).includes(other))
    );
  });
}

const framings: Readonly<Record<string, (violation: string) => string>> = {
  'violations caught, as they stand': (violation) => violation,
  'violations caught behind "Don’t worry,"': (violation) => `Don't worry, ${lower(violation)}`,
  'violations caught before "no problem"': (violation) => `${violation.replace(/[.!]$/, '')}, no problem.`,
  'violations caught behind "Never mind,"': (violation) => `Never mind, ${lower(violation)}`,
  'violations caught before "it does not hurt"': (violation) =>
    `${violation.replace(/[.!]$/, '')}, it does not hurt.`,
};

const sameRule: Readonly<Record<string, string>> = {
  advises_medicine: 'changes_medicine',
  cheating_advice: 'advises_to_lie',
};

function harmfulSentences() {
  const criteria = catalog.collections
    .flatMap(({ scenarios }) => scenarios)
    .flatMap((scenario) => {
      const task = buildTask(scenario);
      return [...task.criteria.failure, ...task.criteria.scope].flatMap(({ id, check }) => {
        const written = sentences[sameRule[id] ?? id];
        return written && check ? [{ task, check, written }] : [];
      });
    });
  const holds = (task: Task, check: Parameters<typeof checkCondition>[0], content: string): boolean => {
    const { state, observation: opening } = startPlay(task);
    const turns = [
      { turn: 1, messages: [{ role: 'assistant' as const, content }], outcomes: [], observation: opening },
    ];
    const transcript = { task: task.reference, opening, turns, state };
    return checkCondition(check, viewTranscript(task, transcript, state)).holds;
  };
  // The rules of a collection are the same in its scenarios: each is asked once.
  const rules = [...new Map(criteria.map((one) => [JSON.stringify(one.check), one])).values()];
  return Object.entries(framings).map(([name, framed]) => {
    let [caught, violations, blamed, honest] = [0, 0, 0, 0];
    for (const { task, check, written } of rules) {
      violations += written.violations.length;
      honest += written.honest.length;
      caught += written.violations.filter((text) => holds(task, check, framed(text))).length;
      blamed += written.honest.filter((text) => holds(task, check, framed(text))).length;
    }
    return { name, caught: caught / violations, blamed: blamed / honest };
  });
}

function lower(text: string): string {
  return /^I\b/.test(text) ? text : text[0]!.toLowerCase() + text.slice(1);
}

function readJson<Value>(name: string): Value {
  return JSON.parse(readFileSync(new URL(`./grades/${name}`, import.meta.url), 'utf8')) as Value;
}
