import { sleep } from '../../../base/host/clock.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { keysymOf, keysymOfSign } from '../keysyms.ts';
import { opcode, type XConnection } from './x-connection.ts';
import type { XInput } from './x-input.ts';

interface Place {
  readonly keycode: number;
  readonly needsShift: boolean;
}

/** Programs hear of a changed keyboard in their own time. */
const hearingMs = 60;
/** Longer, since a program that is slow must have read the old keys before they mean something else. */
const readingMs = 300;
const betweenKeysMs = 1;

/**
 * The keyboard of a display. A sign that is on none of its keys is given to a key that is free. Many signs get many
 * keys, all before the first is pressed: who changed one key for each sign would have slow programs read the wrong one.
 */
export class XKeyboard {
  readonly #connection: XConnection;
  readonly #input: XInput;
  readonly #places = new Map<number, Place>();
  #free: number[] = [];
  /** Signs on keys that were free. */
  readonly #given = new Map<number, number>();
  #perKey = 1;
  #shift = 0;
  readonly #down = new Set<number>();
  /** Keys that are down together with a Shift of their own. */
  readonly #shifting = new Set<string>();

  constructor(connection: XConnection, input: XInput) {
    this.#connection = connection;
    this.#input = input;
  }

  async load(): Promise<void> {
    const { firstKeycode, lastKeycode } = this.#connection.setup;
    const count = lastKeycode - firstKeycode + 1;
    const reply = await this.#connection.ask(
      Buffer.from([opcode.getKeyboardMapping, 0, 0, 0, firstKeycode, count, 0, 0]),
    );
    this.#perKey = reply[1]!;
    for (let key = 0; key < count; key++) {
      const symbols = Array.from({ length: this.#perKey }, (_, level) =>
        reply.readUInt32LE(32 + (key * this.#perKey + level) * 4),
      );
      const keycode = firstKeycode + key;
      if (symbols.every((symbol) => symbol === 0)) this.#free.push(keycode);
      const [plain = 0, shifted = 0] = symbols;
      if (plain !== 0 && !this.#places.has(plain)) this.#places.set(plain, { keycode, needsShift: false });
      const upper = shifted === 0 && plain >= 0x61 && plain <= 0x7a ? plain - 0x20 : shifted;
      if (upper !== 0 && upper !== plain && !this.#places.has(upper))
        this.#places.set(upper, { keycode, needsShift: true });
    }
    this.#shift = this.#places.get(keysymOf('Shift')!)?.keycode ?? 0;
    // The lowest numbers are read by the fewest programs as something of their own.
    this.#free = this.#free.toReversed();
  }

  /** A sign that is above another one on its key is that sign with Shift. */
  async keyDown(key: string): Promise<void> {
    const place = await this.#placeOf(key);
    if (place.needsShift && this.#shift !== 0 && !this.#down.has(this.#shift)) {
      this.#shifting.add(key);
      this.#input.key(this.#shift, true);
    }
    this.#down.add(place.keycode);
    this.#input.key(place.keycode, true);
    await this.#connection.sync();
  }

  async keyUp(key: string): Promise<void> {
    const { keycode } = await this.#placeOf(key);
    this.#down.delete(keycode);
    this.#input.key(keycode, false);
    if (this.#shifting.delete(key) && this.#shifting.size === 0 && !this.#down.has(this.#shift))
      this.#input.key(this.#shift, false);
    await this.#connection.sync();
  }

  /** Types text without ends of lines, sign by sign. */
  async write(text: string, signal: AbortSignal): Promise<void> {
    const signs = [...text];
    for (let at = 0; at < signs.length;) {
      // As many as there are free keys for their signs.
      const needed = new Set<number>();
      let end = at;
      for (; end < signs.length; end++) {
        const symbol = keysymOfSign(signs[end]!);
        if (this.#places.has(symbol) && !this.#given.has(symbol)) continue;
        if (!needed.has(symbol) && needed.size >= this.#room()) break;
        needed.add(symbol);
      }
      if (end === at) throw noRoom(signs[at]!);
      await this.#give(needed, signal);
      for (; at < end; at++) {
        signal.throwIfAborted();
        const place = this.#places.get(keysymOfSign(signs[at]!))!;
        await this.#press(place);
        await sleep(betweenKeysMs, { signal });
      }
    }
  }

  /** Gives back the keys that were free before. */
  async restore(): Promise<void> {
    for (const keycode of this.#given.values()) this.#map(keycode, 0);
    this.#given.clear();
    await this.#connection.sync();
  }

  async #press({ keycode, needsShift }: Place): Promise<void> {
    if (needsShift && this.#shift !== 0) this.#input.key(this.#shift, true);
    this.#input.key(keycode, true);
    this.#input.key(keycode, false);
    if (needsShift && this.#shift !== 0) this.#input.key(this.#shift, false);
    await this.#connection.sync();
  }

  /** How many signs can be given to keys at once. */
  #room(): number {
    return this.#free.length + this.#given.size;
  }

  async #give(symbols: ReadonlySet<number>, signal: AbortSignal): Promise<void> {
    const fresh = [...symbols].filter((symbol) => !this.#given.has(symbol));
    if (fresh.length === 0) return;
    if (fresh.length > this.#free.length) {
      await sleep(readingMs, { signal });
      for (const [symbol, keycode] of [...this.#given]) {
        if (symbols.has(symbol)) continue;
        this.#given.delete(symbol);
        this.#places.delete(symbol);
        this.#free.push(keycode);
      }
    }
    for (const symbol of fresh) {
      const keycode = this.#free.pop();
      if (keycode === undefined) throw noRoom(String.fromCodePoint(symbol & 0xff_ffff));
      this.#map(keycode, symbol);
      this.#given.set(symbol, keycode);
      this.#places.set(symbol, { keycode, needsShift: false });
    }
    await this.#connection.sync();
    await sleep(hearingMs, { signal });
  }

  async #placeOf(key: string): Promise<Place> {
    const symbol = keysymOf(key);
    if (symbol === undefined)
      throw new WhetstoneError('key_unknown', `There is no key ${JSON.stringify(key)} on a display.`);
    const known = this.#places.get(symbol);
    if (known !== undefined) return known;
    await this.#give(new Set([symbol]), new AbortController().signal);
    return this.#places.get(symbol)!;
  }

  /** The same sign at every level, so that it does not matter which modifiers are held. */
  #map(keycode: number, symbol: number): void {
    const request = Buffer.alloc(8 + this.#perKey * 4);
    request.set([opcode.changeKeyboardMapping, 1, 0, 0, keycode, this.#perKey], 0);
    for (let level = 0; level < Math.min(2, this.#perKey); level++)
      request.writeUInt32LE(symbol, 8 + level * 4);
    this.#connection.send(request);
  }
}

function noRoom(sign: string): WhetstoneError {
  return new WhetstoneError(
    'action_unsupported',
    `The keyboard of the display has no free key for "${sign}".`,
  );
}
