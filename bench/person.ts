import { fileURLToPath } from 'node:url';

import { loadCatalog } from '../src/grade/scenario/catalog.ts';
import { hear } from '../src/grade/scenario/person.ts';
import { startPlay } from '../src/grade/scenario/play.ts';
import type { Scenario } from '../src/grade/scenario/scenario.ts';
import { taskOf } from '../src/grade/scenario/task-of.ts';
import { type Claim, round, summary, timeInTurn } from './harness.ts';

/** The deterministic person hears one message of the gold path, which nobody said before, and answers it. */
export const claim: Claim = {
  name: 'person',
  title: 'the person answers a message in 0.2 ms or less',
  async measure({ rounds }) {
    // Every scenario is heard once before one is measured: the first in a process pays for the code of all.
    for (const scenario of scenariosAnew()) firstMessage(scenario);
    const firsts = new Map<string, number[]>();
    for (let count = 0; count < rounds; count++)
      for (const scenario of scenariosAnew())
        firsts.set(scenario.slug, [...(firsts.get(scenario.slug) ?? []), firstMessage(scenario)]);
    const rows: Record<string, string | number>[] = [];
    let slowest = 0;
    let said = 0;
    for (const scenario of scenariosAnew()) {
      const task = taskOf(scenario);
      const { state } = startPlay(task);
      const words = task.gold.map((turn) => turn.say ?? '').filter((text) => text !== '');
      const long = Array.from({ length: 20 }, () => words)
        .flat()
        .join(' ')
        .slice(0, 2000);
      const ask = (messages: readonly string[]) => (count: number) => {
        for (let index = 0; index < count; index++) {
          const message = messages[index % messages.length]!;
          hear(
            task,
            { ...state, turn: 1 },
            message.replace(/[.?!]?$/, (end) => ` (${++said})${end}`),
          );
        }
      };
      const times = await timeInTurn({ message: ask(words), long: ask([long]) }, { rounds });
      slowest = Math.max(slowest, times.message.median);
      rows.push({
        scenario: scenario.slug,
        facts: task.facts.length,
        'ms for the first message': round(summary(firsts.get(scenario.slug)!).median),
        'µs a message': round(times.message.median * 1000),
        'µs for 2,000 characters': round(times.long.median * 1000),
      });
    }
    return {
      rows,
      limits: [{ says: 'ms for a message, in the slowest scenario', measured: round(slowest), atMost: 0.2 }],
    };
  },
};

/** The catalog as it is just after a start: nothing has been learnt from its questions. */
function scenariosAnew(): readonly Scenario[] {
  const catalog = loadCatalog(fileURLToPath(new URL('../scenarios', import.meta.url)));
  return catalog.collections.flatMap((collection) => collection.scenarios);
}

function firstMessage(scenario: Scenario): number {
  const task = taskOf(scenario);
  const { state } = startPlay(task);
  const started = performance.now();
  hear(task, { ...state, turn: 1 }, 'Hello. When did it begin, and how bad is it now?');
  return performance.now() - started;
}
