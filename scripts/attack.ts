/**
 * `npm run attack`: attacks a server of this machine in every way that the tests know, and prints what was tried and
 * whether it held. What is attacked, and how, is in the tests themselves; they run with `npm test` too.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const server = 'src/serve/server';
const http = 'src/serve/http';

/** What the attacks are after, and the tests that make them. */
const attacks: readonly { readonly aim: string; readonly files: readonly string[] }[] = [
  {
    aim: 'to lock others out, or to make the server grow without end',
    files: [
      `${server}/attack.test.ts`,
      `${http}/middleware/body-budget.test.ts`,
      `${http}/event-stream.test.ts`,
      'src/grade/episode/live-episode.test.ts',
      'src/serve/protocol/ors/results.test.ts',
    ],
  },
  {
    aim: 'to be let in without the right to',
    files: [`${server}/keys.test.ts`, `${http}/middleware/gate.test.ts`],
  },
  {
    aim: 'to learn what a scenario hides',
    files: [`${server}/secrets.slow.test.ts`, `${http}/refusal.test.ts`, `${http}/log.test.ts`],
  },
  {
    aim: 'to break it with what is malformed',
    files: [
      `${server}/hostile.slow.test.ts`,
      `${http}/middleware/json-body.test.ts`,
      `${http}/spelling.test.ts`,
      `${server}/broken-world.test.ts`,
      `${server}/broken-questions.test.ts`,
    ],
  },
  {
    aim: 'to lose a turn, or to have it played twice',
    files: [
      `${server}/full-disk.test.ts`,
      `${server}/stopping.test.ts`,
      `${server}/several-servers.slow.test.ts`,
      'test/killed-server.slow.test.ts',
    ],
  },
  { aim: 'to be paid for nothing', files: ['src/grade/check/attack.test.ts'] },
];

process.env['WHET_ROUNDS'] ??= '1';
const started = performance.now();
let held = 0;
const broke: string[] = [];
for (const { aim, files } of attacks) {
  for (const file of files) if (!existsSync(join(root, file))) throw new Error(`There is no ${file}.`);
  console.log(`\nTried: ${aim}`);
  const events = run({
    files: files.map((file) => join(root, file)),
    concurrency: availableParallelism(),
    execArgv: ['--conditions=whetstone-source'],
    timeout: 240_000,
  });
  // A file is told of as a test too, where it could not be run at all.
  events.on('test:pass', ({ name, nesting, skip }) => {
    if (nesting > 0 || files.some((file) => name.endsWith(file))) return;
    if (skip === undefined) held += 1;
    console.log(skip === undefined ? `  held   ${name}` : `  left   ${name} (${String(skip)})`);
  });
  events.on('test:fail', ({ name, nesting, details }) => {
    if (nesting > 0) return;
    broke.push(name);
    console.log(`  BROKE  ${name}\n         ${details.error.message.split('\n')[0]}`);
  });
  for await (const _ of events);
}
const seconds = Math.round((performance.now() - started) / 1000);
console.log(`\n${held} attacks held, ${broke.length} broke through (${seconds} s).`);
for (const name of broke) console.log(`  BROKE  ${name}`);
process.exitCode = broke.length === 0 ? 0 : 1;
