import { appendFileSync, writeSync } from 'node:fs';

import { run, tool } from '../src/index.ts';
import { openJournal } from './open-journal.ts';
import { call, scriptedModel } from './scripted-model.ts';

/**
 * A run that can be killed at any moment: `node journal-kill-child.ts <folder> <file|sqlite>`. Its model answers by the history it
 * is shown, so that it says the same in every life. What happens in the world goes into `world.log`, before and after.
 */
const folder = process.argv[2] ?? '.';
const log = (line: string): void => appendFileSync(`${folder}/world.log`, `${line}\n`);
const pause = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

const tools = ['write', 'read'].map((name) =>
  tool({
    name,
    description: `A tool that ${name}s`,
    input: { type: 'object' },
    idempotent: name === 'read',
    run: async (_, context) => {
      log(`begin ${name} ${context.call.id}`);
      for (let turn = 0; turn < 20; turn++) await pause();
      log(`end ${name} ${context.call.id}`);
      return context.call.id;
    },
  }),
);

const steps = 4;
const model = scriptedModel(
  ...Array.from(
    { length: steps + 1 },
    () => (request: { readonly messages: readonly { role: string }[] }) => {
      const step = request.messages.filter((message) => message.role === 'assistant').length + 1;
      log(`ask ${step}`);
      if (step > steps) return ['Done.'];
      return [
        call(`w${step}`, 'write'),
        call(`r${step}`, 'read'),
        call(`x${step}`, 'write', { other: true }),
      ];
    },
  ),
);

writeSync(1, 'ready\n');
const outcome = await run({
  model,
  tools,
  prompt: 'go',
  journal: openJournal(process.argv[3] ?? 'file', folder),
  runId: 'r',
  limits: { steps: 10 },
});
writeSync(1, `${JSON.stringify({ text: outcome.text, messages: outcome.messages })}\n`);
