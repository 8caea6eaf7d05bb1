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

interface Aim {
  readonly aim: string;
  /** Of its files those that still run, and what they have told. */
  readonly running: Set<string>;
  readonly told: string[];
}

const aims = attacks.map(({ aim, files }): Aim => ({ aim, running: new Set(files.map(inRoot)), told: [] }));
// All in one pool, and first those that are named slow: what is short fills the gaps at the end.
const files = aims.flatMap(({ running }) => [...running]);
const [slow, quick] = [true, false].map((isSlow) =>
  files.filter((file) => file.includes('.slow.') === isSlow),
);
const events = run({
  files: [...slow!, ...quick!],
  concurrency: availableParallelism(),
  execArgv: ['--conditions=whetstone-source'],
  timeout: 240_000,
});
// A file is told of as a test too, where it could not be run at all.
events.on('test:pass', ({ name, nesting, skip, file }) => {
  if (nesting > 0 || files.some((one) => one.endsWith(name))) return;
  if (skip === undefined) held += 1;
  aimOf(file)?.told.push(skip === undefined ? `  held   ${name}` : `  left   ${name} (${String(skip)})`);
});
events.on('test:fail', ({ name, nesting, details, file }) => {
  if (nesting > 0) return;
  broke.push(name);
  aimOf(file)?.told.push(`  BROKE  ${name}\n         ${details.error.message.split('\n')[0]}`);
});
events.on('test:summary', ({ file }) => {
  const aim = aimOf(file);
  if (file !== undefined && aim?.running.delete(file) === true && aim.running.size === 0) print(aim);
});
for await (const _ of events);
for (const aim of aims) if (aim.running.size > 0) print(aim);
const seconds = Math.round((performance.now() - started) / 1000);
console.log(`\n${held} attacks held, ${broke.length} broke through (${seconds} s).`);
for (const name of broke) console.log(`  BROKE  ${name}`);
process.exitCode = broke.length === 0 ? 0 : 1;

function inRoot(file: string): string {
  const path = join(root, file);
  if (!existsSync(path)) throw new Error(`There is no ${file}.`);
  return path;
}

function print({ aim, told }: Aim): void {
  console.log(`\nTried: ${aim}\n${told.join('\n')}`);
}

function aimOf(file: string | undefined): Aim | undefined {
  return aims.find(({ running }) => file !== undefined && running.has(file));
}
