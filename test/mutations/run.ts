/**
 * `npm run mutations`: plants one fault after another in a copy of the sources and sees that the test which
 * guards the promise turns red. A promise whose fault stays unseen has no test. `npm run mutations -- cut-call`
 * runs those whose name holds the words.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
  let unseen = 0;
  for (const mutation of chosen) {
    const { seen, why } = tryMutation(mutation, root);
    if (!seen) unseen++;
    console.log(`${seen ? '✔' : '✖'} ${mutation.name}: ${mutation.promise}${seen ? '' : `\n    ${why}`}`);
  }
  console.log(`${chosen.length} faults planted, ${chosen.length - unseen} seen`);
  return unseen > 0 ? 1 : 0;
}

/** Those of all rooms: each file of `room/` exports its `mutations`. */
export async function allMutations(): Promise<readonly Mutation[]> {
  const files = globSync('room/*.ts', { cwd: import.meta.dirname }).toSorted();
  const rooms = files.map((file) => import(`./${file}`) as Promise<{ mutations: readonly Mutation[] }>);
  return (await Promise.all(rooms)).flatMap((room) => room.mutations);
}

/** Plants the fault in a copy and runs the one test file; seen when that fails by its own assertions. */
export function tryMutation(
  mutation: Mutation,
  tree: string,
): { readonly seen: boolean; readonly why: string } {
  const copy = mkdtempSync(join(tmpdir(), 'whet-mutation-'));
  try {
    for (const path of copied) {
      try {
        cpSync(join(tree, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
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
    const args = ['--conditions=whetstone-source', '--test', '--test-reporter=tap', mutation.test];
    const child = spawnSync(process.execPath, args, {
      cwd: copy,
      encoding: 'utf8',
      timeout: 120_000,
      env: { ...withoutTestContext(), WHET_ROUNDS: '1' },
    });
    const red = /^not ok .*$/m.test(child.stdout);
    const ran = /^# tests [1-9]/m.test(child.stdout);
    if (red && ran && !/SyntaxError/.test(child.stdout)) return { seen: true, why: '' };
    if (!ran)
      return {
        seen: false,
        why: `${mutation.test} ran no test:\n${child.stdout.slice(-400)}${child.stderr.slice(-400)}`,
      };
    return {
      seen: false,
      why: red ? 'the change broke the file instead of the promise' : `${mutation.test} stayed green`,
    };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** A test run inside a test run would report to its parent instead of to us. */
function withoutTestContext(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  return env;
}
