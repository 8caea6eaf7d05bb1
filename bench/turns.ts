import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Claim, median, quantile, round } from './harness.ts';
import { Connection, floorSource, startProcess, type ServerProcess } from './http-driver.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const task = { collection_slug: 'case-management', scenario_slug: 'lumbar-strain', score_turns: true };
const words = [
  'Hello, I am the case manager for your claim. Can you tell me how it happened?',
  'Thank you. When did it happen, and where were you at the time?',
  'Whom did you report it to, and have you seen a doctor about it?',
  'How bad is the pain right now, on a scale from 0 to 10? And did the doctor give you any work restrictions?',
  'Do you have any numbness or weakness in your legs? And have you ever had back problems before?',
  'What is your job, and how long have you had it?',
  'Is there anything else that I should know about the accident?',
  'Who else was there when it happened?',
  'What did your supervisor say to you afterwards?',
  'Thank you, that is all for now.',
];
/** Each message is one that was not sent before: what a server remembers of others' words is no help. */
const turnBody = (turn: number, count: number): string =>
  JSON.stringify({
    turn: turn + 1,
    messages: [
      { role: 'assistant', content: words[turn]?.replace(/[.?]$/, (end) => `, case ${count}${end}`) },
    ],
  });

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Of the server, for one turn, in microseconds. */
  readonly cpu: number;
}

async function openEpisodes(line: Connection, count: number): Promise<string[]> {
  const episodes: string[] = [];
  for (let left = count; left > 0; left -= 1) {
    const answer = await line.ask('POST', '/api/v1/episodes', JSON.stringify(task));
    episodes.push((JSON.parse(answer.body) as { episode_id: string }).episode_id);
  }
  return episodes;
}

let sent = 0;

async function playTurn(line: Connection, episode: string, turn: number): Promise<number> {
  const text = turnBody(turn, (sent += 1));
  const begun = performance.now();
  const { status, body } = await line.ask('POST', `/api/v1/episodes/${episode}/turns`, text);
  if (status !== 200) throw new Error(`${status}: ${body}`);
  return performance.now() - begun;
}

/** Plays episodes of ten turns on each connection for so long; only the turns are counted and timed. */
async function playMany(server: ServerProcess, floor: boolean): Promise<Load> {
  const [connections, seconds] = [50, 2];
  const times: number[] = [];
  const opened: string[][] = [];
  const lines = Array.from({ length: connections }, () => new Connection(server.port));
  // Opened beforehand, so that the clock runs over turns alone.
  for (const line of lines)
    opened.push(await openEpisodes(line, floor ? 0 : Math.ceil((seconds * 2500) / connections)));
  const cpu = server.cpu();
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(
    lines.map(async (line, index) => {
      for (let at = 0; performance.now() < until; at += 1) {
        const episode = floor ? 'ep' : opened[index]?.[at];
        if (episode === undefined) throw new Error('More turns were answered than episodes were opened for.');
        for (let turn = 0; turn < words.length; turn += 1) times.push(await playTurn(line, episode, turn));
      }
    }),
  );
  const took = (performance.now() - started) / 1000;
  for (const line of lines) line.close();
  return {
    perSecond: times.length / took,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpu: ((server.cpu() - cpu) * 1000) / times.length,
  };
}

/** 256 sessions × 10 calls from one client that waits for each answer: milliseconds for one call. */
async function playAlone(server: ServerProcess, floor: boolean): Promise<number> {
  const line = new Connection(server.port);
  const sessions = floor ? Array.from({ length: 256 }, () => 'ep') : await openEpisodes(line, 256);
  const times: number[] = [];
  for (let turn = 0; turn < words.length; turn += 1)
    for (const session of sessions) times.push(await playTurn(line, session, turn));
  line.close();
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

export const claim: Claim = {
  name: 'turns',
  title: 'a graded, durable turn over HTTP runs at a third of bare HTTP or more',
  async measure({ rounds }) {
    const folder = mkdtempSync(join(tmpdir(), 'whet-bench-turns-'));
    const whet = await startProcess(
      [join(root, 'bin/whet.js'), 'serve', '--port', '0', '--data', join(folder, 'data.db'), '--log', 'none'],
      root,
    );
    const sample = await sampleAnswer(whet.port);
    const bare = await startProcess(floorSource(sample), root);
    const durable = await startProcess(floorSource(sample, join(folder, 'log')), root);
    const contenders = [
      ['bare node:http', bare, true],
      ['node:http + grouped append + fdatasync', durable, true],
      ['whetstone', whet, false],
    ] as const;
    const seen = new Map<string, Load[]>();
    const alone = new Map<string, number[]>();
    try {
      for (let turn = 0; turn < Math.min(rounds, 5) + 1; turn += 1) {
        for (const [name, server, floor] of contenders) {
          const load = await playMany(server, floor);
          const one = await playAlone(server, floor);
          if (turn === 0) continue; // The first round only warms up.
          seen.set(name, [...(seen.get(name) ?? []), load]);
          alone.set(name, [...(alone.get(name) ?? []), one]);
        }
      }
    } finally {
      await Promise.all([whet.stop(), bare.stop(), durable.stop()]);
      rmSync(folder, { recursive: true, force: true });
    }
    const of = (name: string, pick: (load: Load) => number): number =>
      median((seen.get(name) ?? []).map(pick));
    const share = of('whetstone', (load) => load.perSecond) / of('bare node:http', (load) => load.perSecond);
    // As trainers do.
    const waits = (name: string): number => median(alone.get(name) ?? []);
    const latency = waits('whetstone') / waits('node:http + grouped append + fdatasync');
    return {
      rows: contenders.map(([name]) => ({
        server: name,
        'turns/s, 50 connections': Math.round(of(name, (load) => load.perSecond)),
        'p50, ms': round(of(name, (load) => load.p50)),
        'p99, ms': round(of(name, (load) => load.p99)),
        'processor, µs a turn': round(of(name, (load) => load.cpu)),
        'one client that waits, ms a call': round(waits(name)),
      })),
      limits: [
        { says: 'share of bare node:http at 50 connections', measured: round(share), atLeast: 1 / 3 },
        {
          says: 'p99 at 50 connections, ms',
          measured: round(of('whetstone', (load) => load.p99)),
          atMost: 15,
        },
        {
          says: '256 sessions × 10 calls, one client that waits, × the durable floor',
          measured: round(latency),
          atMost: 1.5,
        },
      ],
      notes: [
        'Every turn is played, graded by rules, committed with fdatasync and answered; ten turns an episode.',
        'The same client drives all three, over bare sockets in a process of its own: it takes about 15 µs of processor time a turn. The floors answer with as many bytes.',
      ],
    };
  },
};

async function sampleAnswer(port: number): Promise<string> {
  const line = new Connection(port);
  const created = await line.ask('POST', '/api/v1/episodes', JSON.stringify(task));
  const { episode_id } = JSON.parse(created.body) as { episode_id: string };
  const { body } = await line.ask('POST', `/api/v1/episodes/${episode_id}/turns`, turnBody(0, 0));
  line.close();
  return body;
}
