import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { openBfcl } from './open.ts';

const folder = fileURLToPath(new URL('../../../../shared/data/bfcl-2024-08/', import.meta.url));
const options = { skip: !existsSync(folder) && 'the data of BFCL are not on this machine' };

test('gives the 47,935 recorded verdicts of the official checker, each with its error type', options, () => {
  const grade = openBfcl(folder);
  const differing: string[] = [];
  let count = 0;
  for (const file of readdirSync(`${folder}verdicts`)) {
    for (const line of gunzipSync(readFileSync(`${folder}verdicts/${file}`))
      .toString()
      .split('\n')) {
      if (line === '') continue;
      count++;
      const recorded = JSON.parse(line) as {
        readonly model: string;
        readonly category: string;
        readonly index: number;
        readonly official_valid: boolean;
        readonly official_error_type?: string;
      };
      const task = `${recorded.category}_${recorded.index}`;
      // The calls as they are written: JSON.parse would make 5.0 a 5.
      const calls = /"decoded": (.*?), "decode_failed": /.exec(line)![1]!;
      const verdict = grade(
        `{"id": "${task}", "task": "${task}", "model": "${recorded.model}", "calls": ${calls}}`,
      );
      const error = verdict.valid ? undefined : verdict.error_type;
      if (verdict.valid !== recorded.official_valid || error !== recorded.official_error_type)
        differing.push(`${recorded.model} ${task}: ${error}, not ${recorded.official_error_type}: ${calls}`);
    }
  }
  assert.deepEqual(differing.slice(0, 20), [], `${differing.length} differ`);
  assert.equal(count, 47_935);
});
