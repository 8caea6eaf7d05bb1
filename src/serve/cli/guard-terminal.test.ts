import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { hasTerminal, onTerminal } from '../../../test/terminal.ts';

const room = mkdtempSync(join(tmpdir(), 'whet-guard-'));
after(() => rmSync(room, { recursive: true }));
const skip = hasTerminal() ? false : 'there is no python3 that could make a terminal';
/** Clears the screen, sets the title, and a command of eight bits; and a word that would be read backwards. */
const attack = 'a\u001b[2J\u001b]0;mine\u0007\u009b2J\u202egnp';

/** What any of the commands shows on a terminal, one call after the other in one process. */
async function shownOf(calls: readonly (readonly string[])[] | 'all'): Promise<string> {
  const program = join(room, `${calls === 'all' ? 'all' : 'some'}.ts`);
  const from = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
  const list =
    calls === 'all'
      ? `commands.map(({ name }) => [name, ${JSON.stringify(`--${attack}`)}])`
      : JSON.stringify(calls);
  writeFileSync(
    program,
    `import { main } from ${from('main.ts')};
import { commands } from ${from('commands.ts')};
for (const argv of ${list}) { console.log('did', argv[0]); await main(argv); }
console.log(String(commands.length), 'done');
process.exit(0);`,
  );
  using life = onTerminal([process.execPath, '--conditions=whetstone-source', program], { cwd: room });
  await life.exit;
  return life.shown;
}

const escape = '\u001b';
const ours = new RegExp(`${escape}\\[(?:\\d+m|2K)`, 'g');

function assertHarmless(shown: string): void {
  // Colours of ours, and lines that are written over, are all that may be there.
  const rest = shown.replaceAll(ours, '').replaceAll('\r', '');
  assert.doesNotMatch(rest, /[^\P{Control}\n\t]|[\u202a-\u202e\u2066-\u2069]/u);
}

test('no command passes on to the terminal what it was given', { skip }, async () => {
  const shown = await shownOf('all');
  assertHarmless(shown);
  const count = Number(/(\d+) done/.exec(shown)?.[1]);
  assert.equal(shown.split('did ').length - 1, count);
  // Some ask for another option before they look at this one.
  assert.ok(shown.split('␛[2J').length > count / 2, shown);
});

test('what a model said and what a file holds does nothing to the terminal', { skip }, async () => {
  const transcript = join(room, 'transcript.json');
  const script = join(room, 'script.json');
  const task = { collection: 'case-management', scenario: 'lumbar-strain', variant: 0, seed: 0 };
  const call = { name: attack, input: { [attack]: attack } };
  const messages = [{ role: 'assistant', content: attack, tool_calls: [call] }];
  writeFileSync(
    transcript,
    JSON.stringify({ task, turns: [{ turn: 1, messages, observation: { content: attack } }] }),
  );
  writeFileSync(
    script,
    JSON.stringify([{ text: attack, calls: [{ name: attack, arguments: { a: attack } }] }, attack]),
  );
  const shown = await shownOf([
    ['grade', transcript, '--scenario', 'case-management/lumbar-strain'],
    ['run', 'case-management/lumbar-strain', '--operator', attack, '--data', join(room, 'data.db')],
    // It ends the process, so it comes last.
    ['ask', attack, '--model', 'mock', '--script', script],
  ]);
  assertHarmless(shown);
  assert.match(shown, /did grade[^]*There is no operator "a␛\[2J[^]*did ask[^]*✗ a␛\[2J/);
});
