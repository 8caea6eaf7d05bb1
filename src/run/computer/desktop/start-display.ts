import { rmSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';

import { sleep, systemClock } from '../../../base/host/clock.ts';
import { readEnvironment } from '../../../base/host/environment.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Size } from '../../../base/message/frame.ts';
import { within } from '../../display/deadline.ts';
import { XConnection } from '../../display/x/x-connection.ts';
import { activeWindow, isManaged, visibleWindows, wakeManager } from '../../display/x/x-windows.ts';
import { Child, removeRemains } from './child.ts';

/** Small window managers, the first of them that is there is taken. */
const managers = [
  'openbox',
  'fluxbox',
  'icewm',
  'jwm',
  'matchbox-window-manager',
  'xfwm4',
  'metacity',
  'marco',
  'twm',
];
const startMs = 10_000;
const windowMs = 5000;
const focusMs = 3000;

/** A display of our own, with a window manager where one is installed. */
export async function startDisplay(size: Size, ends: AsyncDisposableStack): Promise<number> {
  const screen = `${size.width}x${size.height}x24`;
  const words = ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp', '-noreset', '-dpi', '96'];
  const server = await Child.start('Xvfb', words, { pipes: 1 }).catch((cause: unknown) => {
    const message =
      'A new display needs Xvfb, which is not installed: on Debian, apt-get install xvfb openbox.';
    throw new WhetstoneError('computer_missing', message, { cause });
  });
  const named = firstNumber(server.process.stdio[3] as Readable);
  ends.defer(async () => {
    await server[Symbol.asyncDispose]();
    const number = await within(named, 0);
    if (number !== undefined) await removeRemains(number, server.process.pid);
  });
  const display = await within(Promise.race([named, server.ended.then(() => undefined)]), startMs);
  if (display === undefined)
    throw new WhetstoneError('computer_missing', `Xvfb does not start with a screen of ${screen}.`);
  // Where this process ends at once the server is killed, and cannot remove its socket itself.
  const onExit = (): void => {
    if (!server.hasEnded) rmSync(`/tmp/.X11-unix/X${display}`, { force: true });
  };
  process.once('exit', onExit);
  ends.defer(() => void process.removeListener('exit', onExit));
  for (const manager of managers) {
    if (!(await isInstalled(manager))) continue;
    ends.use(await Child.start(manager, [], { display }));
    await untilManaged(display);
    break;
  }
  return display;
}

/** Starts a program, and waits until it shows a window. */
export async function startProgram(
  line: string,
  connection: XConnection,
  ends: AsyncDisposableStack,
): Promise<void> {
  const [program, ...words] = splitWords(line);
  if (program === undefined)
    throw new WhetstoneError('computer_option_invalid', 'The program to run has no name.');
  const before = await visibleWindows(connection);
  const active = await activeWindow(connection);
  const child = await Child.start(program, words, { display: connection.display });
  ends.use(child);
  const end = systemClock.monotonic() + windowMs;
  while (systemClock.monotonic() < end) {
    const now = await visibleWindows(connection);
    if ([...now].some((window) => !before.has(window))) {
      await untilFocused(connection, active);
      return;
    }
    if (child.hasEnded && child.process.exitCode !== 0)
      throw new WhetstoneError(
        'computer_missing',
        `The program "${line}" ended at once, with the exit code ${child.process.exitCode}.`,
      );
    await sleep(50);
    wakeManager(connection);
  }
}

/** A click before the window manager has given a new window its focus is lost. Not every window takes it. */
async function untilFocused(connection: XConnection, before: number): Promise<void> {
  if (!(await isManaged(connection))) return;
  const end = systemClock.monotonic() + focusMs;
  while (systemClock.monotonic() < end && (await activeWindow(connection)) === before) await sleep(20);
}

/** Words as a shell separates them: by spaces, but not inside quotes. */
function splitWords(line: string): readonly string[] {
  return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'/g,
      (_whole, one: string | undefined, other: string | undefined) => one ?? other ?? '',
    ),
  );
}

async function untilManaged(display: number): Promise<void> {
  const connection = await XConnection.open(display);
  try {
    const end = systemClock.monotonic() + 2000;
    while (systemClock.monotonic() < end && !(await isManaged(connection))) await sleep(20);
  } finally {
    connection.close();
  }
}

function firstNumber(stream: Readable): Promise<number> {
  return new Promise((resolve) => {
    let said = '';
    stream.on('data', (piece: Buffer) => {
      said += piece.toString();
      if (said.endsWith('\n')) resolve(Number(said));
    });
  });
}

async function isInstalled(program: string): Promise<boolean> {
  for (const folder of (readEnvironment('PATH') ?? '').split(delimiter))
    if (
      await access(join(folder, program)).then(
        () => true,
        () => false,
      )
    )
      return true;
  return false;
}
