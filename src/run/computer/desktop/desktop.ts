import { sleep, systemClock } from '../../../base/host/clock.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Point } from '../../../base/message/action.ts';
import type { Size } from '../../../base/message/frame.ts';
import { untilAborted } from '../../display/deadline.ts';
import { paint, type Picture, pixelMark, type Region } from '../../display/picture/picture.ts';
import { XConnection } from '../../display/x/x-connection.ts';
import { XInput } from '../../display/x/x-input.ts';
import { XKeyboard } from '../../display/x/x-keyboard.ts';
import { readScreen } from '../../display/x/x-windows.ts';
import { pixelsPerNotch } from '../check-action.ts';
import { checkMaskRegions } from '../check-masks.ts';
import type { Button, Computer, Pace } from '../computer.ts';
import type { Glance } from '../effect.ts';
import { startDisplay, startProgram } from './start-display.ts';
import { openVncDesktop, type VncOptions } from './vnc-desktop.ts';

export type DesktopOptions = DisplayOptions | VncOptions;

/** An X display of this machine. */
export interface DisplayOptions {
  /** The number of a display that is there, and is left as it is; absent: a new one, ended with the session. */
  readonly display?: number;
  /** How large a new display is; 1280x800 unless told. */
  readonly screen?: Size;
  /** A program and its arguments, started in the display and ended with the session. */
  readonly run?: string;
  /** Painted over in every picture, in pixels of the screen. */
  readonly masks?: readonly Region[];
  readonly vnc?: undefined;
}

/** Connects to an X display of this machine or to any display that speaks VNC, or starts one. */
export async function openDesktop(options: DesktopOptions = {}): Promise<Computer> {
  if (options.vnc !== undefined) return openVncDesktop(options);
  await using ends = new AsyncDisposableStack();
  const size = options.screen ?? { width: 1280, height: 800 };
  const display = options.display ?? (await startDisplay(size, ends));
  const connection = await XConnection.open(display);
  ends.defer(() => connection.close());
  checkMaskRegions(options.masks ?? [], connection.setup);
  if (options.run !== undefined) await startProgram(options.run, connection, ends);
  const input = await XInput.open(connection);
  const keyboard = new XKeyboard(connection, input);
  await keyboard.load();
  ends.defer(() => (connection.lost === undefined ? keyboard.restore() : undefined));
  return new DesktopComputer(connection, input, keyboard, { masks: options.masks ?? [], ends: ends.move() });
}

const buttons: Readonly<Record<Button, number>> = { left: 1, middle: 2, right: 3, back: 8, forward: 9 };
const wheel = { up: 4, down: 5, left: 6, right: 7 } as const;
/** A window manager and a program need a moment each to see what was done. */
const settlingMs = 40;
const betweenMovesMs = 8;
/** A window manager holds a click back to give its window the focus first: keys that came at once would overtake it. */
const afterClickMs = 12;
const betweenNotchesMs = 2;
const longestSettling = 3000;
const moment = 100;

class DesktopComputer implements Computer {
  readonly environment = 'desktop';
  readonly pace: Pace = { notch: 5, character: 4, move: 12 };
  readonly screen: Size;
  readonly lost: AbortSignal;
  readonly #connection: XConnection;
  readonly #input: XInput;
  readonly #keyboard: XKeyboard;
  readonly #masks: readonly Region[];
  readonly #ends: AsyncDisposableStack;
  #pressed = 0;

  constructor(
    connection: XConnection,
    input: XInput,
    keyboard: XKeyboard,
    { masks, ends }: { readonly masks: readonly Region[]; readonly ends: AsyncDisposableStack },
  ) {
    this.lost = connection.loss;
    this.#connection = connection;
    this.#input = input;
    this.#keyboard = keyboard;
    this.#masks = masks;
    this.#ends = ends;
    this.screen = { width: connection.setup.width, height: connection.setup.height };
  }

  async ready(): Promise<void> {
    const { lost } = this.#connection;
    if (lost !== undefined) throw new WhetstoneError('computer_lost', lost.message);
  }

  async recover(): Promise<void> {
    // Everything that was sent has arrived: a display keeps nothing for later.
  }

  async settle(signal: AbortSignal): Promise<void> {
    await untilAborted(this.#connection.sync(), signal);
    await sleep(settlingMs, { signal });
  }

  cursor(signal: AbortSignal): Promise<Point> {
    return untilAborted(this.#input.pointer(), signal);
  }

  async move(to: Point, signal: AbortSignal): Promise<void> {
    this.#input.move(to);
    await untilAborted(this.#connection.sync(), signal);
    if (this.#pressed > 0) await sleep(betweenMovesMs, { signal });
  }

  async press(button: Button, _count: number, signal: AbortSignal): Promise<void> {
    this.#input.button(buttons[button], true);
    this.#pressed++;
    await this.#clicked(signal);
  }

  async release(button: Button, _count: number, signal: AbortSignal): Promise<void> {
    this.#input.button(buttons[button], false);
    this.#pressed = Math.max(0, this.#pressed - 1);
    await this.#clicked(signal);
  }

  async #clicked(signal: AbortSignal): Promise<void> {
    await untilAborted(this.#connection.sync(), signal);
    await sleep(afterClickMs, { signal });
  }

  /** A wheel has notches and nothing between them: what is less than one is one. */
  async wheel(x: number, y: number, signal: AbortSignal): Promise<void> {
    for (const [distance, back, on] of [
      [y, wheel.up, wheel.down],
      [x, wheel.left, wheel.right],
    ] as const) {
      if (distance === 0) continue;
      const notches = Math.max(1, Math.round(Math.abs(distance) / pixelsPerNotch));
      for (let each = 0; each < notches; each++) {
        signal.throwIfAborted();
        this.#input.button(distance < 0 ? back : on, true);
        this.#input.button(distance < 0 ? back : on, false);
        await untilAborted(this.#connection.sync(), signal);
        await sleep(betweenNotchesMs, { signal });
      }
    }
  }

  keyDown(key: string, signal: AbortSignal): Promise<void> {
    return untilAborted(this.#keyboard.keyDown(key), signal);
  }

  keyUp(key: string, signal: AbortSignal): Promise<void> {
    return untilAborted(this.#keyboard.keyUp(key), signal);
  }

  write(text: string, signal: AbortSignal): Promise<void> {
    return untilAborted(this.#keyboard.write(text, signal), signal);
  }

  async look(signal: AbortSignal): Promise<Picture> {
    const end = systemClock.monotonic() + longestSettling;
    let before = await untilAborted(readScreen(this.#connection), signal);
    for (;;) {
      await sleep(moment, { signal });
      const now = await untilAborted(readScreen(this.#connection), signal);
      const isQuiet = Buffer.compare(before.data, now.data) === 0;
      if (isQuiet || systemClock.monotonic() >= end) return paint(now, this.#masks);
      before = now;
    }
  }

  async glance(signal: AbortSignal): Promise<Glance> {
    return { mark: pixelMark(await untilAborted(readScreen(this.#connection), signal), this.#masks) };
  }

  address(): string {
    return 'about:blank';
  }

  takeEvents(): readonly [] {
    return [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ends.disposeAsync().catch(() => undefined);
  }
}
