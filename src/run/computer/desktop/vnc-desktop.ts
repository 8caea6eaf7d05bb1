import { readEnvironment } from '../../../base/host/environment.ts';
import { sleep, systemClock } from '../../../base/host/clock.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Point } from '../../../base/message/action.ts';
import type { Size } from '../../../base/message/frame.ts';
import { Deadline, untilAborted } from '../../display/deadline.ts';
import { paint, type Picture, pixelMark, type Region } from '../../display/picture/picture.ts';
import { keysymOf, keysymOfSign } from '../../display/keysyms.ts';
import { RfbConnection, type VncAddress } from '../../display/rfb/rfb-connection.ts';
import { pixelsPerNotch } from '../check-action.ts';
import { checkMaskRegions } from '../check-masks.ts';
import type { Button, Computer, ComputerEvent, Pace } from '../computer.ts';
import type { Glance } from '../effect.ts';

export interface VncOptions {
  /** Where it speaks the protocol of VNC: `vnc://HOST`, `vnc://HOST:PORT`, `vnc://:PASSWORD@HOST`. */
  readonly vnc: string;
  /** Painted over in every picture, in pixels of the screen. */
  readonly masks?: readonly Region[];
}

/** Connects to a display at an address. */
export async function openVncDesktop({ vnc, masks = [] }: VncOptions): Promise<Computer> {
  const address = readVncAddress(vnc);
  const desktop = new VncDesktop(address, await RfbConnection.open(address), masks);
  try {
    checkMaskRegions(masks, desktop.screen);
    return desktop;
  } catch (error) {
    await desktop[Symbol.asyncDispose]();
    throw error;
  }
}

const usualPort = 5900;

/** The address, whose password may be in the environment instead; it is in no message. */
function readVncAddress(text: string): VncAddress {
  const url = /^vnc:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (url === undefined || host === '' || !/^\/?$/.test(url.pathname))
    throw new WhetstoneError(
      'computer_option_invalid',
      'The address of a display is written vnc://HOST:PORT, such as vnc://127.0.0.1:5900.',
    );
  const password = url.password === '' ? readEnvironment('WHET_VNC_PASSWORD') : plain(url.password);
  return { host, port: url.port === '' ? usualPort : Number(url.port), password };
}

/** A sign that is written as %41, or a percent sign that is none. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The bits of a pointer event. Servers ignore the eighth, so back and forward do not exist. */
const bits: Readonly<Partial<Record<Button, number>>> = { left: 1, middle: 2, right: 4 };
const wheelBits = { up: 8, down: 16, left: 32, right: 64 } as const;
const settlingMs = 40;
const betweenMovesMs = 8;
const betweenNotchesMs = 2;
const betweenKeysMs = 2;
/** A server gives a sign that is on no key to a free one, and programs hear of it in their own time. */
const rareSignMs = 40;
const longestSettling = 3000;
const moment = 120;

/** A display that somebody else runs: it is left as it is found, but for what was done on it. */
class VncDesktop implements Computer {
  readonly environment = 'desktop';
  readonly pace: Pace = { notch: 5, character: 5, move: 12 };
  readonly #address: VncAddress;
  readonly #masks: readonly Region[];
  #connection: RfbConnection;
  #buttons = 0;
  /** What each key that is down was called when it was pressed. */
  readonly #down = new Map<string, number>();
  #events: ComputerEvent[] = [];
  #isLossTold = false;

  constructor(address: VncAddress, connection: RfbConnection, masks: readonly Region[]) {
    this.#address = address;
    this.#connection = connection;
    this.#masks = masks;
  }

  get screen(): Size {
    return this.#connection.size;
  }

  get lost(): AbortSignal {
    return this.#connection.loss;
  }

  async ready(signal: AbortSignal): Promise<void> {
    if (!this.lost.aborted) return;
    if (!this.#isLossTold) throw this.#lossOf();
    this.#connection = await untilAborted(RfbConnection.open(this.#address), signal);
    this.#isLossTold = false;
    this.#buttons = 0;
    this.#down.clear();
    this.#events.push({ type: 'restarted' });
  }

  #lossOf(): unknown {
    this.#isLossTold = true;
    return this.lost.reason;
  }

  async recover(): Promise<void> {
    if (this.lost.aborted) this.#isLossTold = true;
  }

  async settle(signal: AbortSignal): Promise<void> {
    await untilAborted(this.#connection.sync(), signal);
    await sleep(settlingMs, { signal });
  }

  async cursor(signal: AbortSignal): Promise<Point> {
    await untilAborted(this.#connection.sync(), signal);
    return this.#connection.pointer;
  }

  async move(to: Point, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#connection.movePointer(to, this.#buttons);
    if (this.#buttons !== 0) await sleep(betweenMovesMs, { signal });
  }

  press(button: Button, _count: number, signal: AbortSignal): Promise<void> {
    return this.#turn(this.#buttons | bitOf(button), signal);
  }

  release(button: Button, _count: number, signal: AbortSignal): Promise<void> {
    return this.#turn(this.#buttons & ~bitOf(button), signal);
  }

  async #turn(buttons: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#buttons = buttons;
    this.#connection.movePointer(this.#connection.pointer, buttons);
  }

  /** As a display's wheel: notches and nothing between them. */
  async wheel(x: number, y: number, signal: AbortSignal): Promise<void> {
    for (const [distance, back, on] of [
      [y, wheelBits.up, wheelBits.down],
      [x, wheelBits.left, wheelBits.right],
    ] as const) {
      if (distance === 0) continue;
      const notches = Math.max(1, Math.round(Math.abs(distance) / pixelsPerNotch));
      for (let each = 0; each < notches; each++) {
        signal.throwIfAborted();
        const at = this.#connection.pointer;
        this.#connection.movePointer(at, this.#buttons | (distance < 0 ? back : on));
        this.#connection.movePointer(at, this.#buttons);
        await sleep(betweenNotchesMs, { signal });
      }
    }
  }

  async keyDown(key: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const keysym = keysymOf(this.#down.has('Shift') ? shifted(key) : key);
    if (keysym === undefined)
      throw new WhetstoneError('key_unknown', `There is no key ${JSON.stringify(key)} on a display.`);
    this.#down.set(key, keysym);
    this.#connection.key(keysym, true);
  }

  async keyUp(key: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const keysym = this.#down.get(key) ?? keysymOf(key);
    this.#down.delete(key);
    if (keysym !== undefined) this.#connection.key(keysym, false);
  }

  async write(text: string, signal: AbortSignal): Promise<void> {
    for (const sign of text) {
      signal.throwIfAborted();
      const keysym = keysymOfSign(sign);
      // As a person types it. A server that has to think of Shift itself may take Caps Lock.
      const needsShift = needingShift.has(sign);
      if (needsShift) this.#connection.key(shiftKeysym, true);
      this.#connection.key(keysym, true);
      this.#connection.key(keysym, false);
      if (needsShift) this.#connection.key(shiftKeysym, false);
      await sleep(keysym < 0x80 ? betweenKeysMs : rareSignMs, { signal });
    }
  }

  async look(signal: AbortSignal): Promise<Picture> {
    const end = systemClock.monotonic() + longestSettling;
    await untilAborted(this.#connection.sync(), signal);
    for (;;) {
      const before = this.#connection.changes;
      await sleep(moment, { signal });
      this.lost.throwIfAborted();
      if (this.#connection.changes !== before && systemClock.monotonic() < end) continue;
      const { width, height, data } = this.#connection.frame;
      return paint({ width, height, data: data.slice() }, this.#masks);
    }
  }

  async glance(signal: AbortSignal): Promise<Glance> {
    await untilAborted(this.#connection.sync(), signal);
    return { mark: pixelMark(this.#connection.frame, this.#masks) };
  }

  address(): string {
    return 'about:blank';
  }

  takeEvents(): readonly ComputerEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Releases what is still held, so that the next user finds nothing pressed. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.lost.aborted) {
      for (const keysym of this.#down.values()) this.#connection.key(keysym, false);
      if (this.#buttons !== 0) this.#connection.movePointer(this.#connection.pointer, 0);
      using grace = new Deadline(1);
      await untilAborted(this.#connection.sync(), grace.signal).catch(() => undefined);
    }
    this.#connection.close();
  }
}

function bitOf(button: Button): number {
  const bit = bits[button];
  if (bit !== undefined) return bit;
  throw new WhetstoneError(
    'action_unsupported',
    `A display over VNC has no "${button}" button. Its keys are there: alt+Left goes back in most browsers.`,
  );
}

const plainSigns = "abcdefghijklmnopqrstuvwxyz0123456789`-=[]\\;',./";
const shiftedSigns = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ)!@#$%^&*(~_+{}|:"<>?';
const needingShift = new Set(shiftedSigns);
const shiftKeysym = keysymOf('Shift')!;

/** With Shift held, a display is sent the sign that the key has with Shift; otherwise it would release Shift for it. */
function shifted(key: string): string {
  const at = key.length === 1 ? plainSigns.indexOf(key) : -1;
  return at >= 0 ? shiftedSigns[at]! : key;
}
