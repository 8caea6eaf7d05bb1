/**
 * npm run bench                      which claims there are
 * npm run bench -- cold-start        measures one (or several): a table, and one JSON line for each
 * npm run bench -- all --write       keeps the JSON lines in bench/results, of which docs/benchmarks.md is made
 * npm run bench -- cold-start --rounds 15
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { type Claim, isKept, tableOf } from './harness.ts';
import type { StoredResult } from './write-page.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const notClaims = new Set([
  'doors-load.ts',
  'harness.ts',
  'http-driver.ts',
  'order-schema.ts',
  'run.ts',
  'turn-load.ts',
  'wire-recordings.ts',
  'write-page.ts',
]);

export function claimNames(): string[] {
  return readdirSync(here)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !notClaims.has(file))
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted();
}

if (import.meta.main) process.exit(await main()); // A peer may leave a timer running.

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false }, rounds: { type: 'string', default: '9' } },
  });
  const known = claimNames();
  const names = positionals.includes('all') ? known : positionals;
  const unknown = names.filter((name) => !known.includes(name));
  const rounds = Number(values.rounds);
  if (names.length === 0 || unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
    if (unknown.length > 0) console.error(`There is no claim named ${unknown.join(', ')}.`);
    console.error(`npm run bench -- <name>… [--rounds 9] [--write]\nClaims: ${known.join(', ')} (or all)`);
    return names.length === 0 && unknown.length === 0 ? 0 : 2;
  }
  for (const name of names) {
    const { claim } = (await import(`./${name}.ts`)) as { claim: Claim };
    if (!claim.alone && !installPeers()) return 1;
    await measure(claim, rounds, values.write);
  }
  if (values.write)
    spawnSync(process.execPath, ['scripts/write-docs.ts'], { cwd: `${here}..`, stdio: 'inherit' });
  return 0;
}

async function measure(claim: Claim, rounds: number, write: boolean): Promise<void> {
  const findings = await claim.measure({ rounds });
  const result: StoredResult = {
    claim: claim.name,
    title: claim.title,
    rounds,
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    ...findings,
  };
  console.log(`\n## ${claim.name}: ${claim.title}\n\n${tableOf(findings.rows)}\n`);
  for (const limit of findings.limits) {
    const bound = limit.atMost === undefined ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`;
    console.log(`${isKept(limit) ? '✔' : '✖'} ${limit.says}: ${limit.measured} (${bound})`);
  }
  for (const note of findings.notes ?? []) console.log(note);
  console.log(`\n${JSON.stringify(result)}`);
  if (!write) return;
  mkdirSync(`${here}results`, { recursive: true });
  writeFileSync(`${here}results/${claim.name}.json`, `${JSON.stringify(result, null, 2)}\n`);
}

/** The peers are a package of their own: installed by the first bench that is run, by nothing else. */
function installPeers(): boolean {
  const mark = `${here}node_modules/.whetstone-install`;
  const lock = createHash('sha256')
    .update(readFileSync(`${here}package-lock.json`))
    .digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return true;
  console.error('bench: installing the peers (once; about 360 MB) …');
  const options = [
    'ci',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const child = spawnSync('npm', options, {
    cwd: here,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (child.status !== 0) {
    console.error('bench: the peers could not be installed; npm’s own words are above.');
    return false;
  }
  writeFileSync(mark, lock);
  return true;
}
