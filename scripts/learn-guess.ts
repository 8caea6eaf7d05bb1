/**
 * Writes how a person guesses what is asked for where nothing settles it: `node scripts/learn-guess.ts`. Some of the
 * questions and near misses of the bundled scenarios are put to a person who knows more or fewer of the others; of those
 * that it does not understand the net learns which fact was meant. Scenarios that are named are left out.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { seededRandom } from '../src/base/host/random.ts';
import { openState } from '../src/grade/check/measure-person.ts';
import { readingOf } from '../src/grade/language/reading.ts';
import type { Example } from '../src/grade/language/evidence.ts';
import { guessSigns } from '../src/grade/person/guess.ts';
import { questionIndexOf } from '../src/grade/person/question-index.ts';
import { reply } from '../src/grade/person/reply.ts';
import { buildTask } from '../src/grade/scenario/build-task.ts';
import { evidenceFrom, idle } from '../src/grade/scenario/examples.ts';
import { loadCatalog } from '../src/grade/scenario/load/catalog.ts';
import type { Scenario } from '../src/grade/scenario/scenario.ts';
import type { Task } from '../src/grade/scenario/task.ts';
import { emptyLines, learnNet, type Row, writeNet } from './learn-asked-for.ts';

/** How many questions of each list the person knows; and whether it has all patterns, or few and bare ones. */
const persons = [
  { kept: 0, whole: false },
  { kept: 0, whole: true },
  { kept: 3, whole: false },
  { kept: 5, whole: false },
  { kept: 20, whole: true },
  { kept: Infinity, whole: true },
] as const;
const asked = 8;
const emptyAsked = 40;
/** A question for one fact is none for another; but now and then it is. */
const otherFact = 0.3;
const emptyTalk = 0.5;

/** What must be more likely than its contrary, by so much. */
const caution = 0.7;

const random = seededRandom(11);

function rowsOf(scenario: Scenario): readonly Row[] {
  const bundled = buildTask(scenario);
  const written = bundled.examples();
  if (!written) return [];
  const lists = [...Map.groupBy(written.examples, (one) => `${one.fact} ${one.asked}`).values()].map(mixed);
  const rows: Row[] = [];
  for (const { kept, whole } of persons) {
    const examples = lists.flatMap((list) => list.slice(asked, asked + kept));
    // The same each time: what is learnt of them is kept.
    const known = examples.length > 0 ? { examples, synonyms: written.synonyms } : undefined;
    const task: Task = {
      ...(whole ? bundled : inHurry(bundled)),
      examples: () => known,
    };
    const empty = mixed([...idle.map(({ text }) => text), ...emptyLines(task)]).slice(0, emptyAsked);
    for (const example of lists.flatMap((list) => list.slice(0, asked))) rows.push(...rowsFor(task, example));
    for (const text of empty) rows.push(...rowsFor(task, { fact: '', asked: false, text }));
  }
  return rows;
}

function rowsFor(task: Task, example: Example): readonly Row[] {
  const isEmpty = example.fact === '';
  const state = openState(task, isEmpty ? task.facts[0]!.id : example.fact);
  const { told, does, notUnderstood } = reply(task, state, example.text);
  if (told.length > 0 || does.length > 0 || notUnderstood === 0) return [];
  const index = questionIndexOf(task);
  const examples = task.examples();
  const evidence = examples && evidenceFrom(examples);
  return [...readingOf(example.text, index.lexicon).clauses]
    .filter(({ asks, declines }) => asks && !declines)
    .flatMap((clause) =>
      [...guessSigns(clause, evidence?.weigh(clause), index)].flatMap(([{ id }, signs]) => {
        if (isEmpty) return [{ signs, asked: false, weight: emptyTalk }];
        if (id === example.fact) return [{ signs, asked: example.asked, weight: 1 }];
        return example.asked ? [{ signs, asked: false, weight: otherFact }] : [];
      }),
    );
}

/** With four of the patterns of each fact, and nothing that bars or explains besides: as somebody in a hurry writes them. */
function inHurry(task: Task): Task {
  const facts = task.facts.map((fact) => {
    const bare = fact.ask.filter((pattern) => !/^[?!]/.test(pattern));
    return {
      ...fact,
      ask: mixed(bare)
        .slice(0, 4)
        .map((one) => one.replaceAll(/ [!?]\S+/g, '')),
    };
  });
  return { ...task, facts };
}

function mixed<Item>(list: readonly Item[]): readonly Item[] {
  const placed = list.map((item) => ({ item, at: random() }));
  return placed.toSorted((one, other) => one.at - other.at).map(({ item }) => item);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const left = process.argv.slice(2);
const file = `${root}src/grade/person/data/guess.json`;
// The net that is there guesses while another is learnt: it must not.
writeFileSync(file, '{ "nodes": [], "output": -1 }\n');
const scenarios = loadCatalog(`${root}scenarios`)
  .collections.flatMap((collection) => collection.scenarios)
  .filter(({ slug }) => !left.includes(slug));
const rows = scenarios.flatMap(rowsOf);
console.log(`${rows.length} rows, ${rows.filter((row) => row.asked).length} of them asked`);
writeFileSync(file, writeNet(learnNet(rows), caution));
