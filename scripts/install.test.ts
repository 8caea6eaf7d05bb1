import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { missingPlatformPackages } from './complete-lock.ts';

const script = fileURLToPath(new URL('install.cjs', import.meta.url));
const { isInstalled, markName, wantedMark } = createRequire(import.meta.url)(script) as {
  isInstalled: (root: string, set: string) => boolean;
  markName: string;
  wantedMark: (root: string, set: string) => { lock: string };
};

/** A clone with a stand-in for npm, which notes its arguments and then does what `body` says. */
function clone(context: { after: (fn: () => void) => void }, body: string): string {
  const root = mkdtempSync(join(tmpdir(), 'whet-install-'));
  context.after(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ['scripts', 'runtime', 'viewer']) mkdirSync(join(root, folder));
  for (const file of ['package.json', 'package-lock.json', 'runtime/package.json', 'viewer/package.json']) {
    writeFileSync(join(root, file), '{}');
  }
  symlinkSync(script, join(root, 'scripts/install.cjs'));
  const npm = join(root, 'npm.cjs');
  writeFileSync(
    npm,
    `const fs = require('node:fs'); fs.appendFileSync('calls.txt', process.argv.slice(2).join(' ') + '\\n');
const made = () => { fs.mkdirSync('node_modules/.bin', { recursive: true }); fs.writeFileSync('node_modules/.bin/node', ''); };
${body}`,
  );
  chmodSync(npm, 0o755);
  return root;
}

function runInstall(root: string, set: string): { status: number | null; text: string } {
  const child = spawnSync(process.execPath, ['--preserve-symlinks-main', 'scripts/install.cjs', set], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, npm_execpath: join(root, 'npm.cjs'), npm_node_execpath: process.execPath },
  });
  return { status: child.status, text: child.stdout + child.stderr };
}

test('an install leaves its mark, a second one has nothing to do', (context) => {
  const root = clone(context, 'made();');
  assert.equal(runInstall(root, 'start').status, 0);
  assert.ok(isInstalled(root, 'start'));
  assert.deepEqual(runInstall(root, 'start'), { status: 0, text: '' });
});

test('the packages of a start do not satisfy a test, those of a test satisfy a start', (context) => {
  const root = clone(context, 'made();');
  runInstall(root, 'start');
  assert.ok(!isInstalled(root, 'all'));
  runInstall(root, 'all');
  assert.ok(isInstalled(root, 'all') && isInstalled(root, 'start'));
});

test('what `npm ci` brought by hand is taken as it is: the tools for tests are not removed by a start', (context) => {
  const root = clone(context, 'process.exit(1);');
  const packages = {
    'node_modules/hono': { version: '1.0.0' },
    'node_modules/knip': { version: '2.0.0', dev: true },
  };
  const bin = join(root, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, process.platform === 'win32' ? 'node.cmd' : 'node'), '');
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  const note = join(root, 'node_modules/.package-lock.json');
  writeFileSync(note, JSON.stringify({ packages }));
  assert.deepEqual(runInstall(root, 'start'), { status: 0, text: '' });
  assert.ok(isInstalled(root, 'all') && !existsSync(join(root, 'calls.txt')));
  // Another version of a package is not what the lock file says.
  rmSync(join(root, 'node_modules', markName));
  writeFileSync(
    note,
    JSON.stringify({ packages: { ...packages, 'node_modules/hono': { version: '0.9.0' } } }),
  );
  assert.equal(runInstall(root, 'start').status, 1);
});

test('a changed lock file asks for a new install, and so does an install that was cut off', (context) => {
  const root = clone(context, 'made();');
  runInstall(root, 'all');
  writeFileSync(join(root, 'package-lock.json'), '{"changed":true}');
  assert.ok(!isInstalled(root, 'all'));
  const mark = JSON.stringify(wantedMark(root, 'all'));
  writeFileSync(join(root, 'node_modules', markName), mark.slice(0, -10));
  assert.ok(!isInstalled(root, 'all'), 'half a mark is none');
  assert.equal(runInstall(root, 'all').status, 0);
  assert.ok(isInstalled(root, 'all'));
});

test('without a network it says so, and leaves no mark', (context) => {
  const root = clone(context, "console.error('npm error code ENOTFOUND'); process.exit(1);");
  const { status, text } = runInstall(root, 'start');
  assert.equal(status, 1);
  assert.match(text, /registry could not be reached/);
  assert.ok(!isInstalled(root, 'start'));
});

test('what an interrupted install left behind is removed, and the install done again', (context) => {
  const root = clone(
    context,
    "if (fs.existsSync('node_modules/left')) { console.error('npm error code ENOTEMPTY'); process.exit(1); } made();",
  );
  mkdirSync(join(root, 'node_modules/left'), { recursive: true });
  assert.equal(runInstall(root, 'all').status, 0);
  assert.ok(isInstalled(root, 'all'));
});

test('waits for an install that is still at work, and then has nothing to do', async (context) => {
  const root = clone(context, 'made();');
  mkdirSync(join(root, '.whetstone'));
  const other = spawn(process.execPath, ['-e', 'process.stdin.resume()', 'npm'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  context.after(() => other.kill());
  writeFileSync(join(root, '.whetstone/install.pid'), String(other.pid));
  const child = spawn(process.execPath, ['--preserve-symlinks-main', 'scripts/install.cjs', 'all'], {
    cwd: root,
  });
  let said = '';
  for await (const piece of child.stderr) {
    said += String(piece);
    if (!said.includes('waiting for it')) continue;
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
    writeFileSync(join(root, 'node_modules/.bin/node'), '');
    writeFileSync(join(root, 'node_modules', markName), JSON.stringify(wantedMark(root, 'all')));
    other.kill();
  }
  assert.doesNotMatch(said, /installing/);
  assert.ok(!existsSync(join(root, 'calls.txt')), 'npm was not called');
});

test('names the platform packages that a lock file lacks, beside the package that wants them', () => {
  const missing = missingPlatformPackages({
    'node_modules/a': {
      version: '1.0.0',
      dev: true,
      optionalDependencies: { '@a/linux-x64-musl': '1.0.0', '@a/here': '1.0.0' },
    },
    'node_modules/@a/here': { version: '1.0.0' },
    'node_modules/b/node_modules/a': {
      version: '2.0.0',
      optionalDependencies: { '@a/win32-arm64': '2.0.0' },
    },
  });
  assert.deepEqual(missing, {
    'node_modules/@a/linux-x64-musl': {
      version: '1.0.0',
      dev: true,
      optional: true,
      os: ['linux'],
      cpu: ['x64'],
      libc: ['musl'],
    },
    'node_modules/b/node_modules/@a/win32-arm64': {
      version: '2.0.0',
      optional: true,
      os: ['win32'],
      cpu: ['arm64'],
    },
  });
});
