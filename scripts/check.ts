/**
 * `npm run check`: the rules that a script can keep, over the whole tree, in a second or two. Without `--all`
 * only those that hold for half a change too. A checker that has read nothing has shown nothing: it fails.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { cycles } from './checks/cycles.ts';
import { dependencies } from './checks/dependencies.ts';
import { doors } from './checks/doors.ts';
import { errors } from './checks/errors.ts';
import { generated } from './checks/generated.ts';
import { houseMap } from './checks/house-map.ts';
import { importOrder } from './checks/import-order.ts';
import { links } from './checks/links.ts';
import { names } from './checks/names.ts';
import { portable } from './checks/portable.ts';
import { tests } from './checks/tests.ts';
import { type Check, Tree } from './checks/tree.ts';

/** What holds for any change, at any moment. */
export const codeChecks: readonly Check[] = [importOrder, cycles, doors, names, links, tests];

/** What holds when a change is whole: lists, maps and written pages that follow the code. */
export const pageChecks: readonly Check[] = [errors, generated, houseMap, dependencies, portable];

/** The faults of one checker; reading nothing is one. */
export function faultsOf(check: Check, tree: Tree): readonly string[] {
  const { read, faults } = check.run(tree);
  return read === 0 ? ['it found nothing to read, and so has shown nothing.', ...faults] : faults;
}

if (import.meta.main) {
  const started = performance.now();
  const tree = new Tree(fileURLToPath(new URL('..', import.meta.url)));
  const checks = process.argv.includes('--all') ? [...codeChecks, ...pageChecks] : codeChecks;
  let count = 0;
  for (const check of checks) {
    for (const fault of faultsOf(check, tree)) {
      count++;
      console.error(`✖ ${check.name}: ${fault}`);
    }
  }
  const spent = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${checks.length} checkers, ${tree.files.length} files, ${count} faults (${spent} s)`);
  const tools = [lint(tree.root), formatted(tree.root)];
  process.exitCode = count > 0 || tools.includes(false) ? 1 : 0;
}

/** With types: floating promises, forgotten cases. */
function lint(cwd: string): boolean {
  return runTool('oxlint/bin/oxlint', ['--quiet'], cwd);
}

/** Says which files `npm run format` would change. */
function formatted(cwd: string): boolean {
  return runTool('oxfmt/bin/oxfmt', ['--check'], cwd);
}

/** Silent when all is well. */
function runTool(path: string, args: readonly string[], cwd: string): boolean {
  const program = fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));
  const child = spawnSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8' });
  if (child.status !== 0) console.error(`${path.split('/')[0]}:\n${child.stdout}${child.stderr}`);
  return child.status === 0;
}
