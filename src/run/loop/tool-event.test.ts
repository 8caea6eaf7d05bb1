import assert from 'node:assert/strict';
import { test } from 'node:test';

import { z } from 'zod';

import { mockModel } from '../../wire/mock/model.ts';
import { tool } from '../tool/define-tool.ts';
import { run } from './run.ts';
import { eventOf } from './tool-event.ts';

const count = tool({
  name: 'count',
  description: 'Counts to a number',
  input: z.object({ to: z.number() }),
  async *run({ to }) {
    for (let at = 1; at < to; at++) yield { at: await Promise.resolve(at) };
    return { counted: to };
  },
});
const other = tool({ name: 'other', description: 'Is another', run: () => 'other' });

test('events have the types of the tool that they are about', async () => {
  const calls = [
    { name: 'count', arguments: { to: 3 } },
    { name: 'other', arguments: {} },
  ];
  const seen: string[] = [];
  let sum = 0;
  await run({
    model: mockModel([{ calls }, 'Done.']),
    tools: [count, other],
    prompt: 'Count.',
    on: (event) => {
      const about = eventOf(count, event);
      if (about === undefined) return;
      seen.push(about.type);
      if (about.type === 'progress') sum += about.progress.at satisfies number;
      if (about.type !== 'result') return;
      const to: number | undefined = about.record.input?.to;
      const counted: number | undefined = about.record.value?.counted;
      assert.deepEqual([to, counted], [3, 3]);
    },
  });
  assert.equal(sum, 3);
  assert.deepEqual([...new Set(seen)].toSorted(), [
    'call-delta',
    'call-end',
    'call-start',
    'progress',
    'result',
    'tool-start',
  ]);
});
