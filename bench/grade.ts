import { fileURLToPath } from 'node:url';

import { loadCatalog } from '../src/grade/scenario/load/catalog.ts';
import { messagesOf } from '../src/grade/scenario/paths.ts';
import { playThrough } from '../src/grade/play/play-through.ts';
import { buildTask } from '../src/grade/scenario/build-task.ts';
import { gradeTranscript } from '../src/grade/score/grade-transcript.ts';
import { type Claim, round, timeInTurn } from './harness.ts';

/** Grading alone, of played episodes as the store keeps them, over every bundled scenario. */
export const claim: Claim = {
  name: 'grade',
  title: 'grading alone takes 20,000 turns a second and more on the bundled scenarios',
  async measure({ rounds }) {
    const catalog = loadCatalog(fileURLToPath(new URL('../scenarios', import.meta.url)));
    const rows: Record<string, string | number>[] = [];
    let turns = 0;
    let milliseconds = 0;
    for (const scenario of catalog.collections.flatMap((collection) => collection.scenarios)) {
      const task = buildTask(scenario);
      const stored = JSON.stringify(playThrough(task, task.gold.map(messagesOf)));
      const transcript = JSON.parse(stored);
      if (gradeTranscript(task, transcript).reward !== 1)
        throw new Error(`${scenario.slug}: the gold path does not earn 1.`);
      const times = await timeInTurn(
        {
          read: (count) => {
            for (let index = 0; index < count; index++) JSON.parse(stored);
          },
          // Read anew each time: of a transcript that was graded before, much is known already.
          'read and grade': (count) => {
            for (let index = 0; index < count; index++) gradeTranscript(task, JSON.parse(stored));
          },
        },
        { rounds },
      );
      const graded = times['read and grade'].median - times.read.median;
      turns += transcript.turns.length;
      milliseconds += graded;
      rows.push({
        scenario: scenario.slug,
        turns: transcript.turns.length,
        'µs an episode': round(graded * 1000),
        'turns/s': Math.round((transcript.turns.length / graded) * 1000),
      });
    }
    const rate = Math.round((turns / milliseconds) * 1000);
    return {
      rows,
      limits: [{ says: 'turns graded a second, over all scenarios', measured: rate, atLeast: 20_000 }],
      notes: [
        'A stored transcript carries the state after its last turn; one without it is played again first.',
      ],
    };
  },
};
