/** The contract of computers over an X display of our own, and over displays at an address: two real VNC servers. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { sleep } from '../../../base/host/clock.ts';
import { computerContract, contractMasks } from '../contract.fixture.ts';
import type { Computer } from '../computer.ts';
import { Child } from './child.ts';
import { openDesktop } from './desktop.ts';
import { startDisplay } from './start-display.ts';
import { displayOf, missing, xSubject, XEvents } from './x-events.fixture.ts';

const screen = { width: 900, height: 700 };

computerContract(
  'an X display of our own',
  async () => {
    const ends = new AsyncDisposableStack();
    const events = ends.use(new XEvents());
    const [program, , script] = events.command;
    const run = `${program} -c "${script}"`;
    return xSubject(await openDesktop({ screen, masks: contractMasks, run }), events, ends);
  },
  { skip: missing('xvfb openbox x11-utils', 'Xvfb', 'xev') },
);

computerContract(
  'a display at an address, served by TigerVNC',
  async () => {
    const ends = new AsyncDisposableStack();
    const port = await freePort();
    const words = ['-displayfd', '3', '-rfbport', String(port), '-localhost', '-SecurityTypes', 'None'];
    const more = ['-geometry', '900x700', '-depth', '24', '-nolisten', 'tcp'];
    const server = ends.use(await Child.start('Xtigervnc', [...words, ...more], { pipes: 1 }));
    const display = await displayOf(server);
    return xSubject(await openAt(`vnc://127.0.0.1:${port}`), await eventsIn(display, ends), ends);
  },
  { skip: missing('tigervnc-standalone-server x11-utils', 'Xtigervnc', 'xev'), hasSideButtons: false },
);

computerContract(
  'a display at an address, served by x11vnc behind a password',
  async () => {
    const ends = new AsyncDisposableStack();
    const port = await freePort();
    const display = await startDisplay(screen, ends);
    const words = ['-display', `:${display}`, '-rfbport', String(port), '-localhost', '-forever', '-quiet'];
    ends.use(await Child.start('x11vnc', [...words, '-passwd', 'pass@word'], { display }));
    const computer = await openAt(`vnc://:pass%40word@127.0.0.1:${port}`);
    return xSubject(computer, await eventsIn(display, ends), ends);
  },
  {
    skip: missing('xvfb openbox x11vnc x11-utils', 'Xvfb', 'x11vnc', 'xev'),
    hasSideButtons: false,
    // It has a wheel that turns one way only.
    hasSideways: false,
  },
);

/** A server needs a moment before it listens. */
async function openAt(vnc: string): Promise<Computer> {
  for (let tries = 0; ; tries++)
    try {
      return await openDesktop({ vnc, masks: contractMasks });
    } catch (error) {
      if (tries >= 100) throw error;
      await sleep(50);
    }
}

async function eventsIn(display: number, ends: AsyncDisposableStack): Promise<XEvents> {
  const events = ends.use(new XEvents());
  const [program, ...words] = events.command;
  ends.use(await Child.start(program!, words, { display }));
  await events.shown();
  return events;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
