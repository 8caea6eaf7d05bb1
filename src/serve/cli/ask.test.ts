import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { checkHistory } from '../../base/message/check-history.ts';
import { readMessages } from '../../base/message/read-message.ts';
import { approverAt } from '../terminal/ask-person.ts';

const whet = fileURLToPath(new URL('../../../bin/whet.js', import.meta.url));
const room = mkdtempSync(join(tmpdir(), 'whet-cli-ask-'));
after(() => rmSync(room, { recursive: true }));

const tools = join(room, 'tools.ts');
writeFileSync(
  tools,
  `import { tool } from 'whetstone';
export const weather = tool({
  name: 'weather', description: 'Weather of a city',
  input: { type: 'object', properties: { city: { type: 'string' } } },
  noteOnRequest: ({ city }) => ({ label: \`Looking at \${city}\`, detail: 'with a satellite' }),
  run: ({ city }) => \`Rain in \${city}\`,
});
export const pay = tool({ name: 'pay', description: 'Pays', approval: 'always', run: () => 'paid' });
export const hang = tool({ name: 'hang', description: 'Hangs', run: () => new Promise(() => setInterval(() => undefined, 1000)) });
`,
);

/** Starts whet in front of a script; \`hear\` is told of what it prints, and may write or interrupt. */
function start(
  given: readonly string[],
  script: unknown,
  hear: (
    printed: string,
    life: { write: (text: string) => void; end: () => void; interrupt: () => void },
  ) => void = () => undefined,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const file = join(room, 'script.json');
  writeFileSync(file, JSON.stringify(script));
  const child = spawn(
    process.execPath,
    [whet, ...given, '--model', 'mock', '--script', file, '--tools', tools],
    { cwd: room },
  );
  let [out, err] = ['', ''];
  const life = {
    write: (text: string) => void child.stdin.write(text),
    end: () => void child.stdin.end(),
    interrupt: () => void child.kill('SIGINT'),
  };
  hear('', life);
  child.stdout.on('data', (chunk: Buffer) => {
    out += String(chunk);
    hear(String(chunk), life);
  });
  child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

test('asks once: the answer on standard output, one line a call on standard error, and no terminal means no', async () => {
  const script = [
    { text: 'Let me look.', calls: [{ name: 'weather', arguments: { city: 'Oslo' } }, { name: 'pay' }] },
    'It rains.',
  ];
  const { code, out, err } = await start(['ask', 'Rain in Oslo?'], script);
  assert.deepEqual([code, out], [0, 'Let me look.\nIt rains.\n']);
  assert.match(
    err,
    /^✓ weather: Looking at Oslo \(\d+ ms\)\n✗ pay \{\}: A person did not allow this call.*Nobody is at a terminal.*\n$/,
  );
  assert.doesNotMatch(err, /satellite/);
  assert.ok(!err.includes('\u001b'), 'no colours where there is no terminal');
});

test('prints every event as a line of JSON for programs', async () => {
  const { code, out } = await start(['ask', 'go', '--json', '--steps', '1'], [{ calls: [{ name: 'pay' }] }]);
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; outcome?: { stop: string } });
  assert.equal(code, 1);
  assert.equal(events[0]?.type, 'run-start');
  assert.equal(events.at(-1)?.outcome?.stop, 'step-limit');
});

test('chats on with its history, and Ctrl-C stops an answer and keeps the history whole', async () => {
  const history = join(room, 'history.json');
  let interrupted = false;
  const { code, out } = await start(
    ['chat', '--json', '--history', history],
    [{ calls: [{ name: 'weather', arguments: { city: 'Oslo' } }, { name: 'hang' }] }, 'Hello again.'],
    (printed, life) => {
      if (printed === '') life.write('go\n');
      if (printed.includes('Rain in Oslo') && !interrupted) {
        interrupted = true;
        life.interrupt();
      }
      if (printed.includes('"stop":"aborted"')) life.write('still there?\n');
      if (printed.includes('Hello again.')) life.end();
    },
  );
  assert.equal(code, 0, out);
  const messages = readMessages(JSON.parse(readFileSync(history, 'utf8')));
  assert.deepEqual(checkHistory(messages), []);
  assert.deepEqual(
    messages.map((message) => message.role),
    ['user', 'assistant', 'tool', 'user', 'assistant'],
  );
});

test('asks the person at the terminal for one call after the other, and reads their answer', async () => {
  const questions: string[] = [];
  const answers = ['y', 'no, too much', 'e', '{not json', 'e', '{"amount":2}', 'a'];
  const approver = approverAt(async (question) => {
    questions.push(question);
    return answers.shift() ?? '';
  }, false);
  const request = { callId: '1', name: 'pay', arguments: { amount: 3 }, hash: 'h' };
  const { signal } = new AbortController();
  const decided = await Promise.all(Array.from({ length: 4 }, async () => approver(request, signal)));
  assert.deepEqual(decided, [
    true,
    { decision: 'reject', reason: 'too much' },
    { decision: 'edit', arguments: { amount: 2 } },
    { decision: 'approve', remember: 'exact' },
  ]);
  assert.match(questions[0] ?? '', /^  pay \{"amount":3\}\n.*yes and always to pay.*\nAllow it\? $/);
});
