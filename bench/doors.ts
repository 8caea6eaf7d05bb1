/**
 * Steps a second over the doors of trainers, beside the servers that those protocols bring along: theirs in memory and
 * ungraded, ours graded and durable. Name a Python that has both (`pip install openenv-core ors-sdk`) to run theirs in turn:
 *
 * WHET_PYTHON=/path/to/python npm run bench -- doors
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { playOpenEnv, playOrs, type Play } from './doors-load.ts';
import { type Claim, median, round } from './harness.ts';
import { type ServerProcess, startProcess } from './http-driver.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const clients = [1, 8, 50] as const;

/** What their servers did when both were last run in turn on one machine of two cores. */
const seenOfTheirs = { OpenEnv: [1429, 2179, 2719], ORS: [590, 739, 532] } as const;
const wanted = { OpenEnv: [1, 1, 1], ORS: [1, 1, 2.5] } as const;

interface Door {
  readonly name: 'OpenEnv' | 'ORS';
  readonly play: Play;
  /** Their server, as a program for a Python that has it. */
  readonly program: string;
}

const doors: readonly Door[] = [
  { name: 'OpenEnv', play: playOpenEnv, program: 'openenv_echo.py' },
  { name: 'ORS', play: playOrs, program: 'ors_echo.py' },
];

export const claim: Claim = {
  name: 'doors',
  title: 'steps over the doors of trainers, graded and durable, beside servers that keep and grade nothing',
  async measure({ rounds }) {
    const folder = mkdtempSync(join(tmpdir(), 'whet-bench-doors-'));
    const python = process.env['WHET_PYTHON'];
    const args = ['serve', '--port', '0', '--data', join(folder, 'data.db'), '--log', 'none'];
    const ours = await startProcess([join(root, 'bin/whet.js'), ...args], root);
    const running: ServerProcess[] = [ours];
    const seen = new Map<string, number[]>();
    try {
      const contenders = doors.flatMap((door) => [
        { door, key: `${door.name} ours`, server: ours, isOurs: true },
      ]);
      if (python !== undefined)
        for (const door of doors) {
          const server = await startProcess([join(root, 'bench/doors', door.program)], root, python);
          running.push(server);
          contenders.push({ door, key: `${door.name} theirs`, server, isOurs: false });
        }
      // Theirs say their port before they listen; by then ours has run for a while.
      await new Promise((resolve) => setTimeout(resolve, python === undefined ? 0 : 3000));
      for (const { door, server, isOurs } of contenders)
        await door.play(server.port, { clients: 8, seconds: 8, isOurs });
      for (let turn = 0; turn < rounds; turn += 1)
        for (const { door, key, server, isOurs } of contenders)
          for (const count of clients) {
            const place = `${key} ${count}`;
            const perSecond = await door.play(server.port, { clients: count, seconds: 2, isOurs });
            seen.set(place, [...(seen.get(place) ?? []), perSecond]);
          }
    } finally {
      await Promise.all(running.map((server) => server.stop()));
      rmSync(folder, { recursive: true, force: true });
    }
    const rows = doors.flatMap(({ name }) =>
      clients.map((count, index) => {
        const here = median(seen.get(`${name} ours ${count}`) ?? []);
        const theirs = seen.get(`${name} theirs ${count}`);
        const other = theirs === undefined ? seenOfTheirs[name][index]! : median(theirs);
        return {
          door: name,
          clients: count,
          'whetstone, steps/s': Math.round(here),
          [python === undefined ? 'theirs when last run, steps/s' : 'theirs, steps/s']: Math.round(other),
          ratio: round(here / other),
        };
      }),
    );
    return {
      rows,
      limits: rows.map(({ door, clients: count, ratio }) => ({
        says: `${door}, ${count} ${count === 1 ? 'client' : 'clients'}: share of theirs`,
        measured: Number(ratio),
        atLeast: wanted[door][clients.indexOf(count)]!,
      })),
      notes: [
        'Each step says something to a person that has to understand it; it is graded by rules and committed with fdatasync before it is answered. Ten steps an episode; opening episodes is not counted.',
        'One client process drives all connections. Theirs are the echo environment of OpenEnv 0.10 on uvicorn and the server of the ORS SDK with one tool that answers at once.',
        ...(python === undefined
          ? [
              'Theirs were not run this time: their figures are those of the last run in turn on two quiet cores, so on another or a busy machine the ratio says little. Name a Python that has them with WHET_PYTHON.',
            ]
          : []),
      ],
    };
  },
};
