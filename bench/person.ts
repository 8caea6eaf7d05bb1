import { fileURLToPath } from 'node:url';

import { loadCatalog } from '../src/grade/scenario/load/catalog.ts';
import { reply } from '../src/grade/person/reply.ts';
import { startPlay } from '../src/grade/play/play.ts';
import type { Scenario } from '../src/grade/scenario/scenario.ts';
import { buildTask } from '../src/grade/scenario/build-task.ts';
import { type Claim, type Contender, round, summary, timeInTurn } from './harness.ts';

/** The deterministic person hears one message of the gold path, which nobody said before, and answers it. */
export const claim: Claim = {
  name: 'person',
  title: 'the person answers a message in half a millisecond or less',
  async measure({ rounds }) {
    // Every scenario is heard once before one is measured: the first in a process pays for the code of all.
    for (const scenario of scenariosAnew()) firstMessage(scenario);
    const firsts = new Map<string, number[]>();
    for (let count = 0; count < rounds; count++)
      for (const scenario of scenariosAnew())
        firsts.set(scenario.slug, [...(firsts.get(scenario.slug) ?? []), firstMessage(scenario)]);
    const people = scenariosAnew().map((scenario) => personOf(scenario));
    // All in one row of turns: an hour in which the machine is slow is slow for all of them.
    const times = await timeInTurn(
      Object.fromEntries(
        people.flatMap(({ slug, gold, long }) => [
          [`${slug}, gold`, gold],
          [`${slug}, long`, long],
        ]),
      ),
      { rounds },
    );
    const rows = people.map(({ slug, facts }) => ({
      scenario: slug,
      facts,
      'ms for the first message': round(summary(firsts.get(slug)!).median),
      'µs a message': round(times[`${slug}, gold`]!.median * 1000),
      'µs for 2,000 characters': round(times[`${slug}, long`]!.median * 1000),
    }));
    const slowest = Math.max(...people.map(({ slug }) => times[`${slug}, gold`]!.median));
    return {
      rows,
      limits: [{ says: 'ms for a message, in the slowest scenario', measured: round(slowest), atMost: 0.5 }],
    };
  },
};

let said = 0;

/** A person who is asked the messages of the gold path, or all of them in one long message. */
function personOf(scenario: Scenario) {
  const task = buildTask(scenario);
  const { state } = startPlay(task);
  const words = task.gold.map((turn) => turn.say ?? '').filter((text) => text !== '');
  const long = Array.from({ length: 20 }, () => words)
    .flat()
    .join(' ')
    .slice(0, 2000);
  const ask =
    (messages: readonly string[]): Contender =>
    (count) => {
      for (let index = 0; index < count; index++) {
        const message = messages[index % messages.length]!;
        reply(
          task,
          { ...state, turn: 1 },
          message.replace(/[.?!]?$/, (end) => ` (${++said})${end}`),
        );
      }
    };
  return { slug: scenario.slug, facts: task.facts.length, gold: ask(words), long: ask([long]) };
}

/** The catalog as it is just after a start: nothing has been learnt from its questions. */
function scenariosAnew(): readonly Scenario[] {
  const catalog = loadCatalog(fileURLToPath(new URL('../scenarios', import.meta.url)));
  return catalog.collections.flatMap((collection) => collection.scenarios);
}

function firstMessage(scenario: Scenario): number {
  const task = buildTask(scenario);
  const { state } = startPlay(task);
  const started = performance.now();
  reply(task, { ...state, turn: 1 }, 'Hello. When did it begin, and how bad is it now?');
  return performance.now() - started;
}
