/**
 * Writes how a person weighs what speaks for a fact that has few questions: `node scripts/learn-asked-for-few.ts`. Of
 * the questions and near misses of the bundled scenarios so few are kept, mostly beside a few bare patterns, as somebody
 * in a hurry writes them; others are weighed by what these teach. Scenarios that are named are left out.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { seededRandom } from '../src/base/host/random.ts';
import { fewness } from '../src/grade/person/asked-for.ts';
import { loadCatalog } from '../src/grade/scenario/load/catalog.ts';
import { idle } from '../src/grade/scenario/examples.ts';
import { evidenceOf } from '../src/grade/language/evidence.ts';
import { lexiconOf } from '../src/grade/language/lexicon.ts';
import type { Scenario } from '../src/grade/scenario/scenario.ts';
import { buildTask } from '../src/grade/scenario/build-task.ts';
import type { Task } from '../src/grade/scenario/task.ts';
import { emptyLines, heardIn, learnNet, saysNothing, writeNet } from './learn-asked-for.ts';
import type { Row } from './learn-asked-for.ts';

const keptCounts = [2, 3, 5, 8, 12, 20, 32, 50, 80];
/** Of those that are not kept, so many of each list are weighed. */
const weighed = 14;
const emptyWeighed = 25;
const idleWeighed = 15;

const otherFact = { share: 0.35, weight: 0.4 };
const emptyTalk = 0.6;

/** Less than where there are many: with few questions a miss is as near as a false reveal. */
const caution = 0.8;

const random = seededRandom(7);

function rowsOf(scenario: Scenario): readonly Row[] {
  const whole = buildTask(scenario);
  const written = whole.examples();
  if (!written) return [];
  const lexicon = lexiconOf(written.synonyms);
  const lists = [...Map.groupBy(written.examples, ({ fact, asked }) => `${fact} ${asked}`).values()];
  const rows: Row[] = [];
  for (const count of keptCounts)
    for (const task of [whole, inHurry(whole), inHurry(whole)]) {
      const split = lists.map((list) => {
        const some = Math.max(1, Math.round(count * (0.6 + random() * 0.8)));
        const any = mixed(list);
        return { kept: any.slice(0, some), others: any.slice(some, some + weighed) };
      });
      const kept = split.flatMap((one) => one.kept);
      const talk = mixed(idle);
      const evidence = evidenceOf([...kept, ...talk.slice(idleWeighed)], lexicon);
      const signsIn = (text: string) =>
        heardIn(task, text, evidence).map(({ asks, facts }) => ({
          asks,
          facts: new Map(
            [...facts].map(([id, signs]) => {
              const questions = kept.filter(({ fact, asked }) => asked && fact === id).length;
              return [id, [...signs, fewness(questions)]];
            }),
          ),
        }));
      const sessionOf = (id: string) => task.facts.find((fact) => fact.id === id)?.session;
      for (const { fact, asked, text } of split.flatMap(({ others }) => others)) {
        const heard = signsIn(text);
        // A question is asked once, at the end: what is before it may be anything.
        const own = asked ? [heard.findLast(({ asks }) => asks) ?? heard.at(-1)] : heard;
        for (const { facts } of own.filter((clause) => clause !== undefined))
          for (const [id, signs] of facts) {
            if (id === fact) rows.push({ signs, asked, weight: 1 });
            else if (asked && sessionOf(id) === sessionOf(fact) && random() < otherFact.share)
              rows.push({ signs, asked: false, weight: otherFact.weight });
          }
      }
      const empty = mixed([...saysNothing, ...emptyLines(task)]).slice(0, emptyWeighed);
      for (const text of [...empty, ...talk.slice(0, idleWeighed).map((one) => one.text)])
        for (const { facts } of signsIn(text))
          for (const signs of facts.values()) rows.push({ signs, asked: false, weight: emptyTalk });
    }
  return rows;
}

/** With two to six of the patterns of each fact, and nothing that bars or explains besides. */
function inHurry(task: Task): Task {
  const facts = task.facts.map((fact) => {
    const bare = fact.ask
      .filter((pattern) => !/^[?!]/.test(pattern))
      .map((one) => one.replace(/ [!?]\S+/g, ''));
    return { ...fact, ask: mixed(bare).slice(0, 2 + Math.floor(random() * 5)) };
  });
  return { ...task, facts };
}

function mixed<Item>(list: readonly Item[]): readonly Item[] {
  const placed = list.map((item) => ({ item, at: random() }));
  return placed.toSorted((one, other) => one.at - other.at).map(({ item }) => item);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const left = process.argv.slice(2);
const scenarios = loadCatalog(`${root}scenarios`)
  .collections.flatMap((collection) => collection.scenarios)
  .filter(({ collection, slug }) => !left.includes(`${collection}/${slug}`));
const net = learnNet(scenarios.flatMap(rowsOf));
writeFileSync(`${root}src/grade/person/data/asked-for-few.json`, writeNet(net, caution));
