import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Claim, round } from './harness.ts';
import { floorSource, keepInFile, startProcess } from './http-driver.ts';
import { compete, rowsOf, sampleAnswer } from './turn-load.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const bare = 'bare node:http';
const durable = 'node:http + grouped append + fdatasync';

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
    const floor = (keep?: string) => startProcess(floorSource(sample, keep), root);
    const contenders = [
      { name: bare, server: await floor(), floor: true },
      { name: durable, server: await floor(keepInFile(join(folder, 'log'))), floor: true },
      { name: 'whetstone', server: whet, floor: false },
    ];
    const standings = await compete(contenders, rounds).finally(() =>
      rmSync(folder, { recursive: true, force: true }),
    );
    const of = (name: string) => standings.get(name)!;
    return {
      rows: rowsOf(standings),
      limits: [
        {
          says: 'share of bare node:http at 50 connections',
          measured: round(of('whetstone').perSecond / of(bare).perSecond),
          atLeast: 1 / 3,
        },
        { says: 'p99 at 50 connections, ms', measured: round(of('whetstone').p99), atMost: 15 },
        {
          // As trainers do.
          says: '256 sessions × 10 calls, one client that waits, × the durable floor',
          measured: round(of('whetstone').alone / of(durable).alone),
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
