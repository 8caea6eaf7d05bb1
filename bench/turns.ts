import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Claim, median, quantile, round } from './harness.ts';
import { Connection, floorSource, startProcess } from './http-driver.ts';

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
const turnBody = (index: number): string =>
  JSON.stringify({
    turn: index + 1,
    messages: [{ role: 'assistant', content: words[index % words.length] }],
  });

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Plays episodes of ten turns on each connection for so long; only the turns are counted and timed. */
async function play(port: number, connections: number, seconds: number, floor: boolean): Promise<Load> {
  const times: number[] = [];
  const opened: string[][] = [];
  const lines = Array.from({ length: connections }, () => new Connection(port));
  // Opened beforehand, so that the clock runs over turns alone.
  for (const line of lines) {
    const episodes: string[] = [];
    for (let count = floor ? 0 : Math.ceil((seconds * 1500) / connections); count > 0; count -= 1) {
      const answer = await line.ask('POST', '/api/v1/episodes', JSON.stringify(task));
      episodes.push((JSON.parse(answer.body) as { episode_id: string }).episode_id);
    }
    opened.push(episodes);
  }
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(
    lines.map(async (line, index) => {
      for (let at = 0; performance.now() < until; at += 1) {
        const episode = floor ? 'ep' : opened[index]?.[at];
        if (episode === undefined) throw new Error('More turns were answered than episodes were opened for.');
        for (let turn = 0; turn < words.length; turn += 1) {
          const begun = performance.now();
          const { status, body } = await line.ask(
            'POST',
            `/api/v1/episodes/${episode}/turns`,
            turnBody(turn),
          );
          times.push(performance.now() - begun);
          if (status !== 200) throw new Error(`${status}: ${body}`);
        }
      }
    }),
  );
  const took = (performance.now() - started) / 1000;
  for (const line of lines) line.close();
  return { perSecond: times.length / took, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
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
    const alone = new Map<string, Load[]>();
    try {
      for (let turn = 0; turn < Math.min(rounds, 5) + 1; turn += 1) {
        for (const [name, server, floor] of contenders) {
          const load = await play(server.port, 50, 2, floor);
          const one = await play(server.port, 1, 0.5, floor);
          if (turn === 0) continue; // The first round only warms up.
          seen.set(name, [...(seen.get(name) ?? []), load]);
          alone.set(name, [...(alone.get(name) ?? []), one]);
        }
      }
    } finally {
      await Promise.all([whet.stop(), bare.stop(), durable.stop()]);
      rmSync(folder, { recursive: true, force: true });
    }
    const of = (name: string, pick: (load: Load) => number, from = seen): number =>
      median((from.get(name) ?? []).map(pick));
    const share = of('whetstone', (load) => load.perSecond) / of('bare node:http', (load) => load.perSecond);
    // One client that waits for each answer, as trainers do: what counts is the time of one turn.
    const latency =
      of('whetstone', (load) => load.p50, alone) /
      of('node:http + grouped append + fdatasync', (load) => load.p50, alone);
    return {
      rows: contenders.map(([name]) => ({
        server: name,
        'turns/s, 50 connections': Math.round(of(name, (load) => load.perSecond)),
        'p50, ms': round(of(name, (load) => load.p50)),
        'p99, ms': round(of(name, (load) => load.p99)),
        'one connection, p50, ms': round(of(name, (load) => load.p50, alone)),
      })),
      limits: [
        { says: 'share of bare node:http at 50 connections', measured: round(share), atLeast: 1 / 3 },
        {
          says: 'p99 at 50 connections, ms',
          measured: round(of('whetstone', (load) => load.p99)),
          atMost: 15,
        },
        { says: 'one client that waits, × the durable floor', measured: round(latency), atMost: 1.5 },
      ],
      notes: [
        'Every turn is played, graded by rules, committed with fdatasync and answered; ten turns an episode.',
      ],
    };
  },
};

async function sampleAnswer(port: number): Promise<string> {
  const line = new Connection(port);
  const created = await line.ask('POST', '/api/v1/episodes', JSON.stringify(task));
  const { episode_id } = JSON.parse(created.body) as { episode_id: string };
  const { body } = await line.ask('POST', `/api/v1/episodes/${episode_id}/turns`, turnBody(0));
  line.close();
  return body;
}
