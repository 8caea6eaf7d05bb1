import { createConnection, type Socket } from 'node:net';
import { createInflate } from 'node:zlib';

import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Point } from '../../../base/message/action.ts';
import { Deadline, untilAborted } from '../deadline.ts';
import type { Region } from '../picture/picture.ts';
import { readBytes, rfbHandshake, type TakeBytes } from './rfb-handshake.ts';
import { drawCopy, drawRaw, drawZrle, rfbBroken, type RfbFrame } from './rfb-pixels.ts';

export interface VncAddress {
  readonly host: string;
  readonly port: number;
  readonly password: string | undefined;
}

const encodings = {
  raw: 0,
  copy: 1,
  zrle: 16,
  /** The screen has another size. */
  size: -223,
  /** Somebody else moved the pointer. */
  pointer: -232,
  /** The pointer's shape is told, and so not drawn into the picture. */
  cursor: -239,
} as const;
const openingSeconds = 15;
const mostPixels = 8192 * 8192;
const longestText = 1 << 24;

/** A connection to a display at an address, in the protocol of VNC (RFB 3.8): pointer and keys out, pixels in. */
export class RfbConnection {
  readonly place: string;
  readonly #socket: Socket;
  readonly #take: TakeBytes;
  readonly #loss = new AbortController();
  readonly #inflate = createInflate();
  #frame: RfbFrame = { width: 0, height: 0, data: new Uint8Array() };
  #pointer: Point = [0, 0];
  /** What it tells of the pointer may be older than where it was sent last, until it has answered. */
  #isPointerSent = false;
  #changes = 0;
  #waiting: (() => void)[] = [];

  private constructor(place: string, socket: Socket, take: TakeBytes) {
    this.place = place;
    this.#socket = socket;
    this.#take = take;
    // The reader of a broken stream reports it.
    this.#inflate.on('error', () => undefined);
  }

  /** Connects, and has the whole screen when it resolves. */
  static async open({ host, port, password }: VncAddress): Promise<RfbConnection> {
    const place = `${host}:${port}`;
    using deadline = new Deadline(openingSeconds);
    const socket = createConnection({ host, port, noDelay: true });
    socket.on('error', () => undefined);
    const connection = new RfbConnection(place, socket, readBytes(socket));
    try {
      await untilAborted(connection.#begin(password), deadline.signal);
      return connection;
    } catch (error) {
      connection.close();
      const why = error instanceof Error ? error.message : String(error);
      throw new WhetstoneError('computer_missing', `No display can be reached at ${place}: ${why}`, {
        cause: error,
      });
    }
  }

  get size(): { readonly width: number; readonly height: number } {
    return { width: this.#frame.width, height: this.#frame.height };
  }

  get frame(): RfbFrame {
    return this.#frame;
  }

  /** Where the pointer is, as far as the display has told. */
  get pointer(): Point {
    return this.#pointer;
  }

  /** Comes when the connection breaks. */
  get loss(): AbortSignal {
    return this.#loss.signal;
  }

  /** How often something on the screen has changed. */
  get changes(): number {
    return this.#changes;
  }

  movePointer(to: Point, buttons: number): void {
    const message = Buffer.from([5, buttons, 0, 0, 0, 0]);
    this.#pointer = [Math.round(to[0]), Math.round(to[1])];
    this.#isPointerSent = true;
    message.writeUInt16BE(this.#pointer[0], 2);
    message.writeUInt16BE(this.#pointer[1], 4);
    this.#send(message);
  }

  key(keysym: number, isDown: boolean): void {
    const message = Buffer.alloc(8);
    message.set([4, isDown ? 1 : 0]);
    message.writeUInt32BE(keysym, 4);
    this.#send(message);
  }

  /** Resolves when the display has answered to what was sent before: it is asked for a pixel. */
  async sync(): Promise<void> {
    this.loss.throwIfAborted();
    const answered = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#ask({ x: 0, y: 0, width: 1, height: 1 }, false);
    await untilAborted(answered, this.loss);
    this.#isPointerSent = false;
  }

  close(): void {
    this.#socket.destroy();
    this.#inflate.close();
  }

  #send(message: Buffer): void {
    this.loss.throwIfAborted();
    this.#socket.write(message);
  }

  async #begin(password: string | undefined): Promise<void> {
    const size = await rfbHandshake(this.#take, (bytes) => this.#socket.write(bytes), password);
    this.#resize(size);
    const format = Buffer.alloc(20);
    // 32 bits of which 24 are colours, red in the lowest byte: as a picture has them.
    format.set([0, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16]);
    this.#send(format);
    const wanted = [
      encodings.copy,
      encodings.zrle,
      encodings.raw,
      encodings.size,
      encodings.pointer,
      encodings.cursor,
    ];
    const list = Buffer.alloc(4 + wanted.length * 4);
    list.set([2, 0, 0, wanted.length]);
    for (const [index, encoding] of wanted.entries()) list.writeInt32BE(encoding, 4 + index * 4);
    this.#send(list);
    const shown = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#ask({ x: 0, y: 0, ...this.size }, false);
    void this.#listen();
    await untilAborted(shown, this.loss);
  }

  #ask({ x, y, width, height }: Region, isIncremental: boolean): void {
    const message = Buffer.alloc(10);
    message.set([3, isIncremental ? 1 : 0]);
    for (const [index, value] of [x, y, width, height].entries()) message.writeUInt16BE(value, 2 + index * 2);
    this.#send(message);
  }

  #resize({ width, height }: { readonly width: number; readonly height: number }): void {
    if (width === 0 || height === 0 || width * height > mostPixels)
      throw rfbBroken(`its screen is ${width} by ${height} pixels`);
    const data = new Uint8Array(width * height * 4);
    for (let at = 3; at < data.length; at += 4) data[at] = 255;
    this.#frame = { width, height, data };
  }

  async #listen(): Promise<void> {
    try {
      for (;;) await this.#message();
    } catch (error) {
      const why = error instanceof WhetstoneError ? error.message : `The connection to it has ended.`;
      const message = `The display at ${this.place} has been lost. ${why}`;
      this.#loss.abort(new WhetstoneError('computer_lost', message, { cause: error }));
      this.close();
    }
  }

  async #message(): Promise<void> {
    const [kind] = await this.#take(1);
    switch (kind) {
      case 0:
        return this.#update();
      case 1: {
        const head = await this.#take(5);
        await this.#take(head.readUInt16BE(3) * 6);
        return;
      }
      case 2:
        return;
      case 3: {
        // What is on its clipboard is nobody's business here.
        const length = (await this.#take(7)).readUInt32BE(3);
        if (length > longestText) throw rfbBroken(`a text of ${length} bytes`);
        await this.#take(length);
        return;
      }
      default:
        throw rfbBroken(`a message of the unknown kind ${kind}`);
    }
  }

  async #update(): Promise<void> {
    const count = (await this.#take(3)).readUInt16BE(1);
    let isAnswer = false;
    for (let each = 0; each < count; each++) {
      const head = await this.#take(12);
      const [x, y, width, height] = [0, 2, 4, 6].map((at) => head.readUInt16BE(at)) as FourNumbers;
      const rect = { x, y, width, height };
      const encoding = head.readInt32BE(8);
      await this.#rectangle(rect, encoding);
      if (encoding < 0) continue;
      isAnswer ||= x === 0 && y === 0 && width > 0 && height > 0;
      if (width * height > 1) this.#changes++;
    }
    if (isAnswer) for (const resolve of this.#waiting.splice(0)) resolve();
    this.#ask({ x: 0, y: 0, ...this.size }, true);
  }

  async #rectangle(rect: Region, encoding: number): Promise<void> {
    const { x, y, width, height } = rect;
    switch (encoding) {
      case encodings.size:
        this.#resize({ width, height });
        this.#changes++;
        this.#ask({ x: 0, y: 0, width, height }, false);
        return;
      case encodings.pointer:
        if (!this.#isPointerSent) this.#pointer = [x, y];
        return;
      case encodings.cursor:
        await this.#take(width * height * 4 + Math.ceil(width / 8) * height);
        return;
      default:
    }
    const frame = this.#frame;
    if (x + width > frame.width || y + height > frame.height)
      throw rfbBroken('a rectangle goes beyond its screen');
    switch (encoding) {
      case encodings.raw: {
        drawRaw(frame, rect, await this.#take(width * height * 4));
        return;
      }
      case encodings.copy: {
        const from = await this.#take(4);
        const source = { x: from.readUInt16BE(0), y: from.readUInt16BE(2) };
        if (source.x + width > frame.width || source.y + height > frame.height)
          throw rfbBroken('it copies from beyond its screen');
        drawCopy(frame, rect, source);
        return;
      }
      case encodings.zrle: {
        const length = (await this.#take(4)).readUInt32BE(0);
        const most = width * height * 4 + (1 << 16);
        if (length > most) throw rfbBroken(`a rectangle of ${length} bytes`);
        drawZrle(frame, rect, await this.#unpack(await this.#take(length), most));
        return;
      }
      default:
        throw rfbBroken(`a rectangle in the encoding ${encoding}, which was not asked for`);
    }
  }

  /** All rectangles of a connection are one stream. */
  async #unpack(bytes: Buffer, most: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let length = 0;
    const keep = (piece: Buffer): void => {
      length += piece.length;
      if (length <= most) pieces.push(piece);
      // No more of it is unpacked than a rectangle can have.
      else this.#inflate.destroy();
    };
    this.#inflate.on('data', keep);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#inflate.once('error', reject);
        this.#inflate.write(bytes, (error) => {
          this.#inflate.off('error', reject);
          if (error && length <= most) reject(error);
          else resolve();
        });
      });
    } finally {
      this.#inflate.off('data', keep);
    }
    if (length > most) throw rfbBroken('a rectangle holds more than its pixels');
    return Buffer.concat(pieces);
  }
}

type FourNumbers = [number, number, number, number];
