import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fileJournal, run, tool } from 'whetstone';
import { mockModel } from 'whetstone/mock';

const sent: string[] = [];
const send = tool({
  name: 'send_letter',
  description: 'Sends a letter',
  run: (_, { call }) => void sent.push(call.id),
});
const folder = mkdtempSync(join(tmpdir(), 'whet-runs-'));

// The first life: the model is reached once, and then the connection is gone.
const dying = mockModel([{ calls: [{ name: 'send_letter' }] }, { fault: { status: 503 } }]);
try {
  await run({
    model: dying,
    tools: [send],
    prompt: 'Send it.',
    journal: fileJournal(folder),
    runId: 'letter',
  });
} catch (error) {
  console.log('first life:', (error as Error).message);
}

// The second life, as after a crash or a restart: it goes on behind the call, and sends nothing twice.
const living = mockModel(['It is sent.']);
const outcome = await run({
  model: living,
  tools: [send],
  prompt: 'Send it.',
  journal: fileJournal(folder),
  runId: 'letter',
});
console.log('second life:', outcome.text, `(${sent.length} letter, ${living.asked.length} question)`);
