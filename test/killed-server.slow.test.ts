import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { seededRandom, type Random } from '../src/base/host/random.ts';
import { startPostgres } from '../src/grade/store/testing/postgres-server.ts';
import { rounds, seed } from './rounds.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whet-kill-'));
const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface ServerProcess {
  readonly url: string;
  readonly kill: () => Promise<void>;
  /** Ends it as a restart does: it finishes what it has begun. */
  readonly stop: () => Promise<void>;
}

/** `whet serve` as a process of its own, on any free port. */
async function serve(data: string): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    ['bin/whet.js', 'serve', '--port', '0', '--data', data, '--log', 'none'],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  running.add(child);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => resolve(JSON.parse(chunk.toString()).url));
    child.once('exit', () => reject(new Error(`The server did not start: ${words}`)));
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await gone;
    running.delete(child);
  };
  return { url, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}

const phrases = [
  'When did it happen?',
  'Where were you?',
  'Have you seen a doctor?',
  'How bad is the pain?',
  'Thank you.',
];

/** One client: it opens an episode and plays it turn by turn, and repeats what was not answered. */
class Player {
  readonly #random: Random;
  readonly #name: string;
  #episodes = 0;
  episode: string | undefined;
  /** The answers of each turn, without the id of the request. */
  answers: string[] = [];
  bodies: object[] = [];

  constructor(name: string, random: Random) {
    this.#name = name;
    this.#random = random;
  }

  /** One request, if it is answered; what was acknowledged is remembered. */
  async advance(url: string): Promise<void> {
    // The kill may have come between the last turn and the look at it.
    if (this.answers.at(-1)?.includes('"episode_complete":true')) await this.next(url);
    if (this.episode === undefined) {
      const opened = await post(`${url}/api/v1/episodes`, this.creation(), {
        'idempotency-key': `${this.#name} ${this.#episodes}`,
      });
      this.episode = JSON.parse(opened).episode_id;
      return;
    }
    const turn = this.answers.length + 1;
    // What was sent and not answered is sent again as it was.
    this.bodies[turn - 1] ??= {
      turn,
      messages: [
        { role: 'assistant', content: `${phrases[Math.floor(this.#random() * phrases.length)]} (${turn})` },
      ],
    };
    this.answers.push(
      await post(`${url}/api/v1/episodes/${this.episode}/turns`, this.bodies[turn - 1] ?? {}),
    );
  }

  creation(): object {
    return {
      collection_slug: 'case-management',
      scenario_slug: 'lumbar-strain',
      score_turns: true,
      config: { max_turns: 8 },
      group: this.#name,
    };
  }

  /** Everything that was acknowledged is there with the same bytes, nothing twice, and repeats are answered alike. */
  async check(url: string): Promise<void> {
    if (this.episode === undefined) return;
    const response = await fetch(`${url}/api/v1/episodes/${this.episode}`, { signal: patience() });
    if (response.status === 503) throw new Unavailable();
    const detail = await response.json();
    assert.ok(detail.turn_count === this.answers.length || detail.turn_count === this.answers.length + 1);
    assert.deepEqual(
      detail.turns.map((stored: { turn: number }) => stored.turn),
      Array.from({ length: detail.turn_count }, (_, index) => index + 1),
    );
    for (const [index, answer] of this.answers.entries()) {
      // When it was stored is told beside the answer, not in it.
      const { messages, at, ...outcome } = detail.turns[index];
      assert.ok(Date.parse(at) > 0);
      assert.deepEqual(outcome, JSON.parse(answer));
      assert.deepEqual(messages, (this.bodies[index] as { messages: object[] }).messages);
    }
    const last = this.answers.length - 1;
    if (last < 0) return;
    const again = await post(`${url}/api/v1/episodes/${this.episode}/turns`, this.bodies[last] ?? {});
    assert.equal(again, this.answers[last]);
  }

  async next(url: string): Promise<void> {
    await this.check(url);
    this.episode = undefined;
    this.#episodes += 1;
    this.answers = [];
    this.bodies = [];
  }
}

/** The answer without the id of its request; throws when there is none, or when it is not 200. */
async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: patience(),
  });
  const text = await response.text();
  if (response.status === 503) throw new Unavailable(text);
  assert.equal(response.status, 200, text);
  return text.replace(/,"request_id":"\w+"\}$/, '}');
}

class Unavailable extends Error {}

/** What takes longer than this never ends: it fails the test, which would otherwise wait for ever. */
const patience = (): AbortSignal => AbortSignal.timeout(120_000);

/**
 * Asks again where the store was away: on a busy machine Postgres may take longer than the server waits for it, and a 503
 * acknowledges nothing. A store that stays away is no excuse.
 */
async function insist(work: () => Promise<void>): Promise<void> {
  for (let left = 20; ; left -= 1)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable) || left === 0) throw error;
    }
}

/** Plays with all players until so many requests were answered and something was killed. */
async function playUntil(
  players: readonly Player[],
  url: string,
  answered: number,
  kill: () => Promise<void>,
): Promise<void> {
  let left = answered;
  let unavailable = 0;
  let killing: Promise<void> | undefined;
  await Promise.all(
    players.map(async (player) => {
      while (killing === undefined) {
        try {
          await player.advance(url);
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          if (killing !== undefined) return;
          // The connection breaks only with the kill; the store may be slow before it too.
          if (!(error instanceof Unavailable)) throw error;
          unavailable += 1;
          assert.ok(unavailable < 20, 'The store was away before anything was killed.');
          continue;
        }
        left -= 1;
        if (left <= 0) killing ??= kill();
      }
    }),
  );
  await killing;
}

async function sqliteKills(kills: number, count: number): Promise<void> {
  const random = seededRandom(seed('killed server, sqlite'));
  const players = Array.from({ length: count }, (_, index) => new Player(`player ${index}`, random));
  const file = join(folder, 'killed.db');
  for (let round = 0; round < kills; round += 1) {
    const server = await serve(file);
    for (const player of players) await player.check(server.url);
    await playUntil(players, server.url, 1 + Math.floor(random() * 3 * count), server.kill);
  }
  const server = await serve(file);
  for (const player of players) {
    await player.check(server.url);
    // Every episode can go on.
    await player.advance(server.url);
  }
  await server.kill();
}

test('a server on SQLite that is killed at any moment loses nothing and does nothing twice', () =>
  sqliteKills(rounds(1), Math.min(100, rounds(10))));

test('servers on Postgres, and the database itself, are killed at any moment, and nothing is lost', async () => {
  const postgres = await startPostgres();
  after(() => postgres.remove());
  const url = await postgres.database('killed');
  const random = seededRandom(seed('killed server, postgres'));
  const players = Array.from(
    { length: Math.min(100, rounds(10)) },
    (_, index) => new Player(`player ${index}`, random),
  );
  let server = await serve(url);
  for (let round = 0; round < rounds(1); round += 1) {
    const answered = 1 + Math.floor(random() * 3 * players.length);
    if (random() < 0.5) {
      await playUntil(players, server.url, answered, server.kill);
      server = await serve(url);
    } else {
      await playUntil(players, server.url, answered, postgres.kill);
      await postgres.start();
      await untilReady(server.url);
    }
    for (const player of players) await insist(() => player.check(server.url));
  }
  for (const player of players) await insist(() => player.advance(server.url));
  await server.kill();
});

test('of three servers before one Postgres any may be killed or restarted under load, and nothing is lost', async () => {
  const postgres = await startPostgres();
  after(() => postgres.remove());
  const url = await postgres.database('three');
  const random = seededRandom(seed('three servers'));
  const servers = await Promise.all([serve(url), serve(url), serve(url)]);
  const players = Array.from({ length: 9 }, (_, index) => new Player(`client ${index}`, random));
  const anyOf = (): ServerProcess => servers[Math.floor(random() * servers.length)]!;
  for (let round = 0; round < Math.min(rounds(1), 6); round += 1) {
    const place = round % servers.length;
    const isKill = random() < 0.7;
    let left = 10 * players.length;
    const when = Math.ceil(random() * left);
    let ending: Promise<void> | undefined;
    const over = new AbortController();
    const tired = patience();
    const play = async (player: Player): Promise<void> => {
      // They play on while it is away, and for a while after.
      while (left > 0 || !over.signal.aborted) {
        try {
          // Each request to another server: none knows more of an episode than the database does.
          await player.advance(anyOf().url);
          left -= 1;
        } catch (error) {
          if (error instanceof assert.AssertionError || tired.aborted) throw error;
        }
        if (left <= when)
          ending ??= (isKill ? servers[place]!.kill() : servers[place]!.stop())
            .then(() => serve(url))
            .then((server) => {
              servers[place] = server;
            })
            .finally(() => over.abort());
      }
    };
    await Promise.all(players.map(play)).finally(() => {
      // What one of them found ends the others too.
      left = 0;
      over.abort();
    });
    await ending;
  }
  for (const player of players) for (const server of servers) await insist(() => player.check(server.url));
  assert.ok(players.some(({ answers }) => answers.length > 0));
  await Promise.all(servers.map((server) => server.stop()));
});

/** A pool finds its broken connections one by one. */
async function untilReady(url: string): Promise<void> {
  const signal = patience();
  for (let good = 0; good < 20;) good = (await fetch(`${url}/ready`, { signal })).ok ? good + 1 : 0;
}
