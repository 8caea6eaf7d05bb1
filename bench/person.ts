import { fileURLToPath } from 'node:url';

import { loadCatalog } from '../src/grade/scenario/catalog.ts';
import { hear } from '../src/grade/scenario/person.ts';
import { startPlay } from '../src/grade/scenario/play.ts';
import { taskOf } from '../src/grade/scenario/task-of.ts';
import { type Claim, round, timeInTurn } from './harness.ts';

/** The deterministic person hears one message of the gold path and answers it. */
export const claim: Claim = {
  name: 'person',
  title: 'the person answers a message in 0.2 ms or less',
  async measure({ rounds }) {
    const catalog = loadCatalog(fileURLToPath(new URL('../scenarios', import.meta.url)));
    const rows: Record<string, string | number>[] = [];
    let slowest = 0;
    for (const scenario of catalog.collections.flatMap((collection) => collection.scenarios)) {
      const task = taskOf(scenario);
      const { state } = startPlay(task);
      const words = task.gold.map((turn) => turn.say ?? '').filter((text) => text !== '');
      const long = Array.from({ length: 20 }, () => words)
        .flat()
        .join(' ')
        .slice(0, 2000);
      const ask = (messages: readonly string[]) => (count: number) => {
        for (let index = 0; index < count; index++)
          hear(task, { ...state, turn: 1 }, messages[index % messages.length]!);
      };
      const times = await timeInTurn({ message: ask(words), long: ask([long]) }, { rounds });
      slowest = Math.max(slowest, times.message.median);
      rows.push({
        scenario: scenario.slug,
        facts: task.facts.length,
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
