import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Claim, median, round } from './harness.ts';
import { floorSource, startProcess } from './http-driver.ts';
import { type Load, playAlone, playMany, sampleAnswer } from './turn-load.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
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
