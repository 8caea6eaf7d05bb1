import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Claim, round } from './harness.ts';
import { floorSource, keepInFile, startProcess } from './http-driver.ts';
import { calls, compete, rowsOf, sampleAnswer, words, type Standing } from './turn-load.ts';

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
      { name: bare, server: await floor(), floor: true, work: words },
      { name: durable, server: await floor(keepInFile(join(folder, 'log'))), floor: true, work: words },
      { name: 'whetstone: words', server: whet, floor: false, work: words },
      { name: 'whetstone: calls', server: whet, floor: false, work: calls },
    ];
    const standings = await compete(contenders, rounds).finally(() =>
      rmSync(folder, { recursive: true, force: true }),
    );
    const of = (name: string) => standings.get(name)!;
    const limitsOf = (kind: string, ours: Standing) => [
      {
        says: `${kind}: share of bare node:http at 50 connections`,
        measured: round(ours.perSecond / of(bare).perSecond),
        atLeast: 1 / 3,
      },
      { says: `${kind}: p99 at 50 connections, ms`, measured: round(ours.p99), atMost: 15 },
      {
        // As trainers do.
        says: `${kind}: 256 sessions × 10 turns, one client that waits, × the durable floor`,
        measured: round(ours.alone / of(durable).alone),
        atMost: 1.5,
      },
    ];
    return {
      rows: rowsOf(standings),
      limits: [...limitsOf('words', of('whetstone: words')), ...limitsOf('calls', of('whetstone: calls'))],
      notes: [
        'Every turn is played, graded by rules, committed with fdatasync and answered; ten turns an episode. Words are questions to a person that has to understand them, calls are calls of a tool of the world.',
        'The same client drives all, over bare sockets in a process of its own: it takes about 15 µs of processor time a turn. The floors answer with as many bytes.',
      ],
    };
  },
};
