/**
 * `npm test`: what there is to know about a change: the checkers, the types, the linter, then every test but the slow
 * ones, which CI runs too. `npm test -- src/base/json` runs only the tests below a path, slow or not. Ends with the
 * summary of Node's test runner.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { endTheEndless } from './end-the-endless.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2);
// Some thousand processes run the same modules: what Node has made of one is kept for the next.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/tests');

const parts: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['checkers, linter, format', 'node', 'scripts/check.ts', '--all'],
  ['types', 'tsc', '-p', 'tsconfig.json'],
];

let failed: string[] = [];
if (wanted.length === 0) {
  for (const [name, ...command] of parts) {
    const started = performance.now();
    const passed = runCommand(command);
    if (!passed) failed.push(name);
    console.log(`${passed ? '✔' : '✖'} ${name} (${seconds(performance.now() - started)})`);
  }
}

const below = globSync('{src,test,scripts,viewer,examples,bench}/**/*.test.ts', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
})
  .filter((file) => wanted.length === 0 || wanted.some((path) => file.startsWith(path.replace(/^\.\//, ''))))
  .toSorted();
const withSlow = wanted.length > 0 || Boolean(process.env['CI']);
const files = below.filter((file) => withSlow || !file.endsWith('.slow.test.ts'));
if (files.length === 0) {
  console.error(`There is no test below ${wanted.join(' ') || 'this folder'}: nothing was shown.`);
  process.exit(1);
}
if (failed.length > 0)
  console.log(`\nFailed before the tests: ${failed.join(', ')}. The tests run all the same.\n`);
if (files.length < below.length)
  console.log(
    `${below.length - files.length} slow files are left out (kills, searches, every scenario and example): CI runs them, and so does \`CI=1 npm test\` or \`npm test -- <path>\`.`,
  );
// One more than processors: many tests wait for a process or a disk. Node by itself would leave a processor free.
const atOnce = `--test-concurrency=${availableParallelism() + 1}`;
const runner = spawn(
  process.execPath,
  ['--conditions=whetstone-source', '--test', atOnce, '--test-reporter=spec', ...files],
  { cwd: root, stdio: 'inherit', env: asFromAShell() },
);
const done = endTheEndless(runner.pid ?? 0, 15);
const [status] = await once(runner, 'exit');
done();
if (status !== 0) failed = [...failed, 'tests'];
process.exitCode = failed.length > 0 ? 1 : 0;

/** Commands are named as whoever started them must type them: in tests always as on the PATH. */
function asFromAShell(): NodeJS.ProcessEnv {
  const { npm_lifecycle_event: _event, npm_command: _command, ...rest } = process.env;
  return rest;
}

/** `node` is the one of node_modules: npm puts it first on the PATH. */
function runCommand([program = '', ...args]: readonly string[]): boolean {
  const settings = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' } as const;
  const child = spawnSync(program === 'node' ? process.execPath : program, args, settings);
  if (child.error) console.error(`${program}: ${child.error.message}`);
  return child.status === 0;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
