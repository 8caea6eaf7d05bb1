import { fileURLToPath } from 'node:url';

import { hashJson } from '../../../base/json/sha256.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import { loadCatalog } from '../../scenario/load/catalog.ts';
import { operators } from '../../play/operators.ts';
import { playThrough } from '../../play/play-through.ts';
import { startPlay } from '../../play/play.ts';
import { buildTask } from '../../scenario/build-task.ts';
import type { TurnMessage } from '../../scenario/transcript.ts';
import { gradeTranscript } from '../grade-transcript.ts';

/** The hash of every bundled scenario played by every built-in operator, with its grade. */
export function playAll(): Readonly<Record<string, string>> {
  const catalog = loadCatalog(fileURLToPath(new URL('../../../../scenarios', import.meta.url)));
  const hashes: Record<string, string> = {};
  for (const scenario of catalog.collections.flatMap((collection) => collection.scenarios))
    for (const operator of operators) {
      const task = buildTask(scenario, 17 % scenario.variants, 3);
      const { observation } = startPlay(task);
      const turns: (readonly TurnMessage[])[] = [];
      for (let turn = 1; turn <= task.limits.turns; turn++) {
        const messages = operator.next(task, turn, observation);
        if (!messages) break;
        turns.push(messages);
      }
      const transcript = playThrough(task, turns);
      const grade = gradeTranscript(task, transcript);
      hashes[`${scenario.collection}/${scenario.slug} ${operator.name}`] = hashJson(
        JSON.parse(JSON.stringify([transcript, grade])) as JsonValue,
      );
    }
  return hashes;
}
