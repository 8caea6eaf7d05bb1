import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { sleep } from '../../../base/host/clock.ts';
import type { Point } from '../../../base/message/action.ts';
import type { Arrival, ContractSubject } from '../contract.fixture.ts';
import { pixelsPerNotch } from '../check-action.ts';
import type { Button, Computer } from '../computer.ts';
import { Child, removeRemains } from './child.ts';

export interface XEvent {
  readonly kind: string;
  readonly button?: number;
  /** The name of the key, and its number. */
  readonly keysym?: string;
  readonly code?: number;
  readonly root: string;
  readonly state: number;
  /** In milliseconds of the display's clock. */
  readonly time: number;
}

/** Why tests that need these programs are left out here; false where they are all there. */
export function missing(packages: string, ...programs: readonly string[]): string | false {
  const areThere = programs.every((program) => {
    try {
      execFileSync('which', [program], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
  return areThere ? false : `this machine has no ${programs.join(' and ')}: apt-get install ${packages}`;
}

const last: Point = [241, 300];

/** A window from (50, 50) to (750, 550) that writes down each event it gets. */
export class XEvents implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'whet-xev-'));

  /** The program to start in the display. */
  get command(): readonly string[] {
    return ['sh', '-c', `exec stdbuf -oL xev -geometry 700x500+50+50 > ${this.#folder}/events`];
  }

  /** What the window got while some work was done. */
  async during(
    work: () => Promise<unknown>,
    move: (to: Point) => Promise<unknown>,
  ): Promise<readonly XEvent[]> {
    const before = this.#told().length;
    await work();
    // It prints in its own time: the pointer is moved until it has told of the last move.
    let text = '';
    for (let tries = 0; tries < 100 && !text.includes(`root:(${last.join(',')})`); tries++) {
      await move([240, 300 + tries]);
      await move(last);
      text = this.#told().slice(before);
    }
    return text.split('\n\n').map(readEvent);
  }

  /** Resolves when the window is there. */
  async shown(): Promise<void> {
    for (let tries = 0; tries < 200 && !this.#told().includes('Expose event'); tries++) await sleep(20);
  }

  #told(): string {
    const path = join(this.#folder, 'events');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}

function readEvent(block: string): XEvent {
  const button = /button (\d+)/.exec(block)?.[1];
  const [, code, keysym] = /keysym 0x(\w+), (\w+)/.exec(block) ?? [];
  return {
    kind: /^\n?(\w+) event/.exec(block)?.[1] ?? '',
    root: /root:\(([^)]*)\)/.exec(block)?.[1] ?? '',
    state: Number(/state (0x\w+)/.exec(block)?.[1] ?? 0),
    time: Number(/time (\d+)/.exec(block)?.[1] ?? 0),
    ...(button !== undefined && { button: Number(button) }),
    ...(keysym !== undefined && { keysym, code: Number.parseInt(code!, 16) }),
  };
}

/** A display without a window manager: nothing holds back a click, and every key reaches the window. */
export async function bareDisplay(
  { width, height }: { readonly width: number; readonly height: number },
  ends: AsyncDisposableStack,
): Promise<number> {
  const words = ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp', '-noreset'];
  const server = await Child.start('Xvfb', words, { pipes: 1 });
  const display = await displayOf(server);
  ends.defer(async () => {
    await server[Symbol.asyncDispose]();
    await removeRemains(display, server.process.pid);
  });
  return display;
}

/** The number that a display says it has. */
export function displayOf(server: Child): Promise<number> {
  const stream = server.process.stdio[3] as Readable;
  return new Promise((resolve, reject) => {
    stream.once('data', (said: Buffer) => resolve(Number(said.toString())));
    void server.ended.then(() => reject(new Error('The server ended at once.')));
  });
}

/** A display whose window tells what it gets, as the contract of computers asks for it. */
export function xSubject(computer: Computer, events: XEvents, ends: AsyncDisposable): ContractSubject {
  const { signal } = new AbortController();
  const during = (work: () => Promise<void>): Promise<readonly XEvent[]> =>
    events.during(work, async (to) => {
      await computer.move(to, signal);
      await computer.settle(signal);
    });
  return {
    computer,
    received: async (work) => (await during(work)).flatMap(arrival),
    typed: async (work) =>
      (await during(work))
        .filter(({ kind, keysym = '' }) => kind === 'KeyPress' && !/_[LR]$|_Shift$|_Lock$/.test(keysym))
        .map(({ code = 0 }) => signOf(code))
        .join(''),
    [Symbol.asyncDispose]: async () => {
      await computer[Symbol.asyncDispose]();
      await ends[Symbol.asyncDispose]();
    },
  };
}

const buttons: Readonly<Record<number, Button>> = {
  1: 'left',
  2: 'middle',
  3: 'right',
  8: 'back',
  9: 'forward',
};
const ways = ['up', 'down', 'left', 'right'] as const;

/** The bits of a state for what is held, in the order in which chords name them. */
const modifierBits = { Control: 4, Alt: 8, Shift: 1, Meta: 64 } as const;

function arrival({ kind, button = 0, root: at, state, keysym = '', time }: XEvent): readonly Arrival[] {
  const held = Object.entries(modifierBits)
    .flatMap(([name, bit]) => ((state & bit) === 0 ? [] : [name]))
    .join('+');
  switch (kind) {
    case 'ButtonPress':
    case 'ButtonRelease': {
      const way = ways[button - 4];
      if (way !== undefined)
        return kind === 'ButtonPress' ? [{ kind: 'wheel', way, held, pixels: pixelsPerNotch }] : [];
      return [{ kind: kind === 'ButtonPress' ? 'press' : 'release', button: buttons[button]!, at, held }];
    }
    case 'MotionNotify':
      return (state & 0x100) === 0 ? [] : [{ kind: 'drag', at }];
    case 'KeyPress':
    case 'KeyRelease':
      return [{ kind: kind === 'KeyPress' ? 'down' : 'up', key: keysym.replace(/_[LR]$/, ''), time }];
    default:
      return [];
  }
}

/** Some signs have a number from before there was Unicode. */
const older: Readonly<Record<number, string>> = { 0x20ac: '€', 0x06c9: 'и' };

function signOf(keysym: number): string {
  if (keysym > 0x0100_0000) return String.fromCodePoint(keysym - 0x0100_0000);
  return older[keysym] ?? (keysym < 0x100 ? String.fromCodePoint(keysym) : `[${keysym.toString(16)}]`);
}
