import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { seededRandom } from '../src/base/host/random.ts';
import { checkHistory } from '../src/base/message/check-history.ts';
import type { Message } from '../src/base/message/message.ts';
import type { JournalEntry } from '../src/run/loop/journal/journal.ts';
import { openJournal } from './open-journal.ts';
import { rounds, seed } from './rounds.ts';

const child = fileURLToPath(new URL('journal-kill-child.ts', import.meta.url));

/** One life of the process: killed after `ms` of being ready, or left to finish. */
function live(kind: string, folder: string, ms: number | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const life = spawn(process.execPath, ['--conditions=whetstone-source', child, folder, kind], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    life.stdout.on('data', (chunk: Buffer) => {
      if (printed === '' && ms !== undefined) setTimeout(() => life.kill('SIGKILL'), ms);
      printed += String(chunk);
    });
    life.on('error', reject);
    life.on('close', () => resolve(printed.replace('ready\n', '')));
  });
}

/** Read from a copy: what a kill has left behind is for the next life to mend. */
async function entriesOf(kind: string, folder: string): Promise<readonly JournalEntry[]> {
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  try {
    await using journal = openJournal(kind, copy);
    return await journal.read('r');
  } finally {
    rmSync(copy, { recursive: true });
  }
}

for (const [kind, count] of [
  // WHET_ROUNDS=10 makes a hundred kills, and thirty.
  ['file', 10],
  ['sqlite', 3],
] as const)
  test(`a run with a ${kind} journal that is killed again and again asks for no recorded reply, and runs no finished tool, twice`, () =>
    killAgainAndAgain(kind, rounds(count)));

async function killAgainAndAgain(kind: string, count: number): Promise<void> {
  const random = seededRandom(seed(`journal-kill-${kind}`));
  let killed = 0;
  let early = 0;
  while (killed < count) {
    const folder = mkdtempSync(join(tmpdir(), 'whet-kill-'));
    let answer = '';
    for (let life = 0; life < 5 && answer === '' && killed < count; life++) {
      const before = await entriesOf(kind, folder);
      const logged = existsSync(`${folder}/world.log`)
        ? readFileSync(`${folder}/world.log`, 'utf8').length
        : 0;
      answer = await live(kind, folder, Math.floor(random() * 35));
      const done = existsSync(`${folder}/world.log`)
        ? readFileSync(`${folder}/world.log`, 'utf8').slice(logged)
        : '';
      checkLife(before, done);
      if (answer === '') killed++;
      if (answer === '' && endsInHalfAReply(done)) early++;
    }
    answer ||= await live(kind, folder, undefined);
    const { text, messages } = JSON.parse(answer) as { readonly text: string; readonly messages: Message[] };
    assert.equal(text, 'Done.');
    assert.deepEqual(checkHistory(messages), []);
    const world = readFileSync(`${folder}/world.log`, 'utf8').split('\n');
    const begun = world.filter((line) => line.startsWith('begin write'));
    assert.equal(new Set(begun).size, begun.length, 'a tool that may not run twice did');
    checkTold(messages, world);
    rmSync(folder, { recursive: true });
  }
  console.log(`# journal-kill ${kind}: ${killed} kills, ${early} of them with a call begun in half a reply`);
}

/** What is in the journal before a life must not happen again in it. */
function checkLife(before: readonly JournalEntry[], done: string): void {
  for (const entry of before) {
    if (entry.type === 'reply' || entry.type === 'part')
      assert.ok(!done.includes(`ask ${entry.step}\n`), `step ${entry.step} was asked for twice`);
    if (entry.type === 'result') assert.doesNotMatch(done, new RegExp(`begin \\w+ ${entry.callId}\\n`));
  }
}

/** It was killed while its model was still writing, and a call had begun. */
function endsInHalfAReply(done: string): boolean {
  const asked = done.lastIndexOf('ask ');
  return asked >= 0 && done.includes('begin ', asked) && !done.includes('written', asked);
}

/** Each call was told as it was: done, or interrupted; and never as done when it had not ended. */
function checkTold(messages: readonly Message[], world: readonly string[]): void {
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
  assert.equal(results.length, 12);
  for (const result of results) {
    const ended = world.some((line) => line.startsWith('end') && line.endsWith(` ${result.callId}`));
    if (result.isError !== true) assert.ok(ended);
    else assert.equal(result.errorCode, 'interrupted');
  }
}
