import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { openFolder } from '../folder.ts';
import { Backend } from './backend.ts';
import { checkTurns } from './check-turns.ts';
import { dialogueCategories } from './dialogue.ts';

const folder = fileURLToPath(new URL('../../../../../shared/data/bfcl-v4/', import.meta.url));
const skip = existsSync(folder) ? false : `${folder} is not here`;

test('all 600 questions of several turns are answered right by their own answers', { skip }, () => {
  const data = openFolder(folder);
  const counts = dialogueCategories.map((category) => {
    const ids = [...data.asked(category).keys()];
    for (const id of ids) {
      const dialogue = data.dialogue(id)!;
      const turns = dialogue.truth.map((turn) => [turn]);
      assert.equal(checkTurns(turns, dialogue), undefined, id);
      // Their numbers of bookings, cards and tokens are drawn at random by the benchmark, and must be the same here.
      const backend = new Backend(dialogue.involved, dialogue.initial);
      for (const call of dialogue.truth.flat())
        assert.doesNotMatch(
          backend.run(call),
          /^Error|^\{"(error|booking_status": false)/,
          `${id}: ${call.name}`,
        );
      const last = dialogue.truth.findLastIndex((turn) => turn.length > 0);
      const without = turns.map((turn, index) => (index === last ? [] : turn));
      assert.equal(checkTurns(without, dialogue)?.type, 'multi_turn:empty_turn_model_response', id);
    }
    return ids.length;
  });
  assert.deepEqual(counts, [200, 200, 200]);
});
