import { appendFileSync, writeSync } from 'node:fs';

import type { ModelRequest } from '../src/base/message/model.ts';
import { loadChecker } from '../src/base/schema/check/check.ts';
import { run, tool } from '../src/index.ts';
import { openJournal } from './open-journal.ts';
import { call, scriptedModel } from './scripted-model.ts';
import type { Act } from './scripted-model.ts';

/**
 * A run that can be killed at any moment: `node journal-kill-child.ts <folder> <file|sqlite>`. Its model answers by the history it
 * is shown, so that it says the same in every life. What happens in the world goes into `world.log`, before and after.
 */
const folder = process.argv[2] ?? '.';
const log = (line: string): void => appendFileSync(`${folder}/world.log`, `${line}\n`);
const begun = new Set<string>();
const pause = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

const tools = ['write', 'read'].map((name) =>
  tool({
    name,
    description: `A tool that ${name}s`,
    input: { type: 'object' },
    idempotent: name === 'read',
    run: async (_, context) => {
      begun.add(context.call.id);
      log(`begin ${name} ${context.call.id}`);
      for (let turn = 0; turn < 20; turn++) await pause();
      log(`end ${name} ${context.call.id}`);
      return context.call.id;
    },
  }),
);

const steps = 4;
/** It asks for what its history does not have yet, and writes each call only when the one before it has begun. */
const reply = ({ messages }: ModelRequest): readonly Act[] => {
  const replies = messages.filter((message) => message.role === 'assistant');
  log(`ask ${replies.length + 1}`);
  const there = new Set(replies.flatMap(({ content }) => content.map((part) => 'id' in part && part.id)));
  for (let step = 1; step <= steps; step++) {
    const left = [
      call(`w${step}`, 'write'),
      call(`r${step}`, 'read'),
      call(`x${step}`, 'write', { other: true }),
    ].filter(({ id }) => !there.has(id));
    if (left.length === 0) continue;
    const acts = left.flatMap((each): Act[] => [each, { wait: () => hasBegun(each.id) }]);
    return [...acts, { wait: async () => log('written') }];
  }
  return ['Done.'];
};

async function hasBegun(id: string): Promise<void> {
  while (!begun.has(id)) await pause();
}

const model = scriptedModel(...Array.from({ length: 20 }, () => reply));

// What is loaded with the first check is loaded now, so that most kills find the run at work.
await loadChecker();
writeSync(1, 'ready\n');
const outcome = await run({
  model,
  tools,
  prompt: 'go',
  journal: openJournal(process.argv[3] ?? 'file', folder),
  runId: 'r',
  limits: { steps: 20 },
});
writeSync(1, `${JSON.stringify({ text: outcome.text, messages: outcome.messages })}\n`);
