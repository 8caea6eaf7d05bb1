/**
 * `npm run mutations`: plants one fault after another in copies of the sources, one copy a core, and sees that the test which
 * guards the promise turns red. A promise whose fault stays unseen has no test. `npm run mutations -- cut-call`
 * runs those whose name holds the words.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Mutation } from './mutation.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copied = [
  'src',
  'test',
  'scripts',
  'scenarios',
  'bin',
  'docs',
  'package.json',
  'tsconfig.json',
  'README.md',
];

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const chosen = (await allMutations()).filter(({ name }) => words.every((word) => name.includes(word)));
  if (chosen.length === 0) {
    console.error('There is no such mutation, so nothing was shown.');
    return 2;
  }
  const waiting = chosen.values();
  let unseen = 0;
  const plantInTurn = async () => {
    using copy = copyOf(root);
    for (const mutation of waiting) {
      const { seen, why } = await tryMutation(mutation, copy.tree);
      if (!seen) unseen++;
      console.log(`${seen ? '✔' : '✖'} ${mutation.name}: ${mutation.promise}${seen ? '' : `\n    ${why}`}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, plantInTurn));
  console.log(`${chosen.length} faults planted, ${chosen.length - unseen} seen`);
  return unseen > 0 ? 1 : 0;
}

/** Those of all rooms: each file of `room/` exports its `mutations`. */
export async function allMutations(): Promise<readonly Mutation[]> {
  const files = globSync('room/*.ts', { cwd: import.meta.dirname }).toSorted();
  const rooms = files.map((file) => import(`./${file}`) as Promise<{ mutations: readonly Mutation[] }>);
  return (await Promise.all(rooms)).flatMap((room) => room.mutations);
}

/** A copy of what the tests need, to plant faults in; it goes when its user is done. */
export function copyOf(tree: string): Disposable & { readonly tree: string } {
  const copy = mkdtempSync(join(tmpdir(), 'whet-mutation-'));
  for (const path of copied)
    if (existsSync(join(tree, path)))
      cpSync(join(tree, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return { tree: copy, [Symbol.dispose]: () => rmSync(copy, { recursive: true, force: true }) };
}

/** Plants the fault in a copy, runs the one test file, and takes it out again; seen when that fails by its own assertions. */
export async function tryMutation(
  mutation: Mutation,
  copy: string,
): Promise<{ readonly seen: boolean; readonly why: string }> {
  const file = join(copy, mutation.file);
  const source = readFileSync(file, 'utf8');
  const parts = source.split(mutation.find);
  if (parts.length !== 2) {
    return {
      seen: false,
      why: `“${mutation.find}” stands ${parts.length - 1} times in ${mutation.file}, not once`,
    };
  }
  writeFileSync(file, parts.join(mutation.replace));
  try {
    const { stdout, stderr } = await runTest(mutation.test, copy);
    const red = /^not ok .*$/m.test(stdout);
    const ran = /^# tests [1-9]/m.test(stdout);
    if (red && ran && !/SyntaxError/.test(stdout)) return { seen: true, why: '' };
    if (!ran)
      return {
        seen: false,
        why: `${mutation.test} ran no test:\n${stdout.slice(-400)}${stderr.slice(-400)}`,
      };
    return {
      seen: false,
      why: red ? 'the change broke the file instead of the promise' : `${mutation.test} stayed green`,
    };
  } finally {
    writeFileSync(file, source);
  }
}

function runTest(test: string, cwd: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const stop = join(root, 'test/mutations/stop-at-first-failure.ts');
  const args = ['--conditions=whetstone-source', '--import', stop, '--test-reporter=tap', test];
  const kept = join(root, 'node_modules/.cache/tests');
  const env = { NODE_COMPILE_CACHE: kept, ...withoutTestContext(), WHET_ROUNDS: '1' };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd, env, timeout: 120_000, maxBuffer: 64 * 2 ** 20 },
      (_, stdout, stderr) => resolve({ stdout, stderr }),
    );
  });
}

/** A test run inside a test run would report to its parent instead of to us. */
function withoutTestContext(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  return env;
}
