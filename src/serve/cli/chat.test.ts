import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { hasTerminal, onTerminal } from '../../../test/terminal.ts';
import type { Terminal } from '../../../test/terminal.ts';
import { checkHistory } from '../../base/message/check-history.ts';
import { textOf } from '../../base/message/message.ts';
import type { Message } from '../../base/message/message.ts';
import { readMessages } from '../../base/message/read-message.ts';
import { mock } from '../../wire/mock/server.ts';
import type { Mock } from '../../wire/mock/server.ts';
import { widthOf } from '../terminal/terminal-text.ts';

const whet = fileURLToPath(new URL('../../../bin/whet.js', import.meta.url));
const room = mkdtempSync(join(tmpdir(), 'whet-cli-chat-'));
after(() => rmSync(room, { recursive: true }));

const tools = join(room, 'tools.ts');
writeFileSync(
  tools,
  `import { tool } from 'whetstone';
const input = { type: 'object', properties: { city: { type: 'string' }, amount: { type: 'number' } } };
export const weather = tool({
  name: 'weather', description: 'Weather of a city', input,
  noteOnRequest: ({ city }) => ({ label: \`Looking at \${city}\`, detail: 'by satellite' }),
  noteOnResult: () => 'It rains', run: ({ city }) => \`Rain in \${city}\`,
});
export const pay = tool({ name: 'pay', description: 'Pays', input, approval: 'always', run: ({ amount }) => \`paid \${amount}\` });
export const hang = tool({ name: 'hang', description: 'Hangs', async *run() { yield 'half way'; await new Promise(() => setInterval(() => undefined, 1000)); } });
export const rude = tool({ name: 'rude', description: 'Writes to the terminal', run: () => { throw new Error('\\u001b[2J\\u001b]0;mine\\u0007gone'); } });
`,
);

const skip = hasTerminal() ? false : 'there is no python3 that could make a terminal';
if (skip !== false) console.log(`# whet chat on a terminal is not tested: ${skip}`);

function chat(script: unknown, more: readonly string[] = [], columns = 80): Terminal {
  const file = join(mkdtempSync(join(room, 'chat-')), 'script.json');
  writeFileSync(file, JSON.stringify(script));
  const args = ['chat', '--model', 'mock', '--script', file, '--tools', tools, ...more];
  return onTerminal([process.execPath, whet, ...args], { columns, cwd: room });
}

/** The same over real HTTP, with a history that is kept. */
function chatOver({ url }: Mock, history: string): Terminal {
  const args = ['chat', '--model', 'openai/m', '--base-url', `${url}/v1`, '--tools', tools];
  return onTerminal([process.execPath, whet, ...args, '--history', history], {
    cwd: room,
    env: { OPENAI_API_KEY: 'none' },
  });
}

function historyIn(file: string): readonly Message[] {
  const messages = readMessages(JSON.parse(readFileSync(join(room, file), 'utf8')));
  assert.deepEqual(checkHistory(messages), []);
  return messages;
}

const esc = '\u001b';
const escapes = new RegExp(`${esc}\\[[0-9;?]*[A-Za-z]`, 'g');
/** The prompt, as readline writes it. */
const ready = `${esc}[1G${esc}[0J> `;
/** The terminal is asked to mark pastes no longer: nothing more is read. */
const endOfPastes = `${esc}[?2004l`;

describe('whet chat on a terminal', { skip, concurrency: 2 }, () => {
  test('shows arguments while they come and one line for each call, in colours, however narrow it is', async () => {
    const city = '東京とオスロの長い長い名前の町 and some more';
    using life = chat(
      [{ text: 'Let me look.', calls: [{ name: 'weather', arguments: { city } }] }, 'It rains.'],
      [],
      40,
    );
    await life.until(ready);
    life.type('Rain?\r');
    const shown = await life.until(/It rains\.\r\n/);
    // Its line is rewritten with every piece, and never wider than the terminal.
    const lines = shown
      .replaceAll('\u001b[2K', '')
      .split(/[\r\n]+/)
      .map((line) => line.replaceAll(escapes, ''));
    assert.ok(
      lines.some((line) => line.startsWith('… weather …')),
      shown,
    );
    for (const line of lines) assert.ok(widthOf(line) <= 40, line);
    assert.ok(shown.includes(`${esc}[34m✓ weather: Looking at`));
    assert.match(shown, /✓ weather: Looking at 東京とオ[^\r]*… \(\d+ ms\)/);
    assert.equal(shown.split('✓').length, 2);
    await life.until(ready);
    life.type('\u0004');
    assert.equal(await life.exit, 0);
  });

  test('asks before a call that wants it, with a prompt that can be edited', async () => {
    const pay = (amount: number) => ({ calls: [{ name: 'pay', arguments: { amount } }] });
    using life = chat([pay(5), 'Paid.', pay(6), 'Not paid.', pay(7), 'Changed.']);
    await life.until(ready);
    life.type('pay\r');
    await life.until(/ {2}pay \{"amount":5\}\r\n[^\r]*always to pay[^\r]*\r\n[^\r\n]*Allow it\? /);
    life.type('n\u007fy\r');
    await life.until(/✓ pay \{"amount":5\}[^]*Paid\.\r\n/);
    await life.until(ready);
    life.type('pay\r');
    await life.until('Allow it?');
    life.type('no, too much\r');
    await life.until(/✗ pay \{"amount":6\}: A person did not allow this[^]*too much[^]*Not paid\.\r\n/);
    await life.until(ready);
    life.type('pay\r');
    await life.until('Allow it?');
    life.type('e\r');
    await life.until('as JSON: ');
    life.type('{"amount": 1}\r');
    await life.until('Changed.');
    await life.until(ready);
    life.type('/exit\r');
    assert.equal(await life.exit, 0);
  });

  test('Ctrl-C stops the answer once, keeps the history whole and gives the prompt back; twice at the prompt it leaves', async () => {
    using life = chat([{ calls: [{ name: 'hang' }] }, 'Hello again.'], ['--history', 'stopped.json']);
    await life.until(ready);
    life.type('go\r');
    await life.until('half way');
    life.type('\u0003');
    await life.until('(aborted)');
    await life.until(ready);
    life.type('half a thought\u0003');
    life.type('still there?\r');
    await life.until('Hello again.');
    await life.until(ready);
    life.type('\u0003');
    await life.until('once more to leave');
    await life.until(ready);
    life.type('\u0003');
    assert.equal(await life.exit, 0);
    const messages = historyIn('stopped.json');
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'user', 'assistant'],
    );
    assert.deepEqual(messages[3], { role: 'user', content: 'still there?' });
  });

  test('Ctrl-C stops an answer that streams over real HTTP, and a question about a call', async () => {
    await using provider = await mock([
      { text: 'An answer that never ends. ', calls: [{ name: 'weather', pauseMs: 60_000 }] },
      { calls: [{ name: 'pay', arguments: { amount: 5 } }] },
      'After that.',
    ]);
    using life = chatOver(provider, 'http.json');
    await life.until(ready);
    life.type('talk\r');
    await life.until('never ends');
    life.type('\u0003');
    await life.until('(aborted)');
    await life.until(ready);
    life.type('pay\r');
    await life.until('Allow it?');
    life.type('\u0003');
    await life.until('(aborted)');
    await life.until(ready);
    life.type('and?\r');
    await life.until('After that.');
    await life.until(ready);
    life.type('\u0004');
    assert.equal(await life.exit, 0);
    assert.equal(historyIn('http.json').length, 7);
  });

  test('Ctrl-C twice while an answer streams stops it and leaves, with what was said kept', async () => {
    await using provider = await mock([
      { text: 'An answer that never ends. ', calls: [{ name: 'weather', pauseMs: 60_000 }] },
    ]);
    using life = chatOver(provider, 'twice.json');
    await life.until(ready);
    life.type('talk\r');
    await life.until('never ends');
    life.type('\u0003\u0003');
    const left = await life.until(endOfPastes);
    assert.ok(!left.includes(ready), left);
    await life.until('(aborted)');
    assert.equal(await life.exit, 0);
    const [, answer] = historyIn('twice.json');
    assert.ok(answer !== undefined && textOf(answer).includes('never ends'));
  });

  test('takes a paste of several lines as one message, and what is typed early at the next prompt', async () => {
    using life = chat(
      ['One.', { calls: [{ name: 'weather', arguments: { city: 'Oslo' } }] }, 'Two.', 'Three.'],
      ['--history', 'paste.json'],
    );
    await life.until(ready);
    life.type('\u001b[200~first\nsecond\tline\r\n\nthird\u001b[201~ and more\r');
    await life.until('One.');
    await life.until(ready);
    life.type('next\rthen this\r');
    await life.until('Two.');
    await life.until('Three.');
    await life.until(ready);
    life.type('\u0004');
    await life.exit;
    const said = historyIn('paste.json').flatMap((message) =>
      message.role === 'user' ? [message.content] : [],
    );
    assert.deepEqual(said, ['first\nsecond    line\n\nthird and more', 'next', 'then this']);
  });

  test('has commands of its own, tells of those it has not, and lets no text command the terminal', async () => {
    using life = chat([{ text: 'Look: \u001b[31mred', calls: [{ name: 'rude' }] }, 'Done.']);
    await life.until(ready);
    life.type('/tools\r');
    await life.until('hang, pay, rude, weather');
    life.type('/nope\r');
    await life.until('There is no /nope.');
    life.type('/details\r');
    await life.until('Details are shown.');
    life.type('go\r');
    const shown = await life.until('Done.');
    assert.match(shown, /␛\[31mred/);
    assert.match(shown, /✗ rude \{\}[^\r]*␛\[2J␛\]0;mine␇gone/);
    life.type('/history\r');
    await life.until('"role": "tool"');
    await life.until(ready);
    life.type('\u0004');
    assert.equal(await life.exit, 0);
  });

  test('says which file holds no history', async () => {
    writeFileSync(join(room, 'none.json'), '[{');
    using life = chat(['x'], ['--history', 'none.json']);
    await life.until(/none\.json holds no history: it is not JSON/);
    assert.equal(await life.exit, 2);
  });
});
