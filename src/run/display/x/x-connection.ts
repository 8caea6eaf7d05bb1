import { createConnection, type Socket } from 'node:net';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { readCookie } from './x-authority.ts';

/** What a display says of itself when one connects. */
export interface XSetup {
  readonly root: number;
  readonly width: number;
  readonly height: number;
  readonly firstKeycode: number;
  readonly lastKeycode: number;
  /** Bytes of a pixel of the root window. */
  readonly pixelBytes: number;
}

interface Waiting {
  readonly resolve: (reply: Buffer) => void;
  readonly reject: (error: Error) => void;
  readonly sequence: number;
}

/** A connection to an X display: requests out, replies in, in the protocol of X11. Events are passed over. */
export class XConnection {
  readonly display: number;
  #socket: Socket;
  #rest: Buffer = Buffer.alloc(0);
  #sequence = 0;
  #waiting: Waiting[] = [];
  #setup: XSetup | undefined;
  #lost: Error | undefined;
  readonly #loss = new AbortController();

  private constructor(display: number, socket: Socket) {
    this.display = display;
    this.#socket = socket;
  }

  /** Connects to the display `:N` of this machine. */
  static async open(display: number): Promise<XConnection> {
    const path = `/tmp/.X11-unix/X${display}`;
    const socket = await connect(path)
      .catch(() => connect(`\0${path}`))
      .catch((cause: Error) => {
        throw new WhetstoneError('computer_missing', `There is no display :${display} on this machine.`, {
          cause,
        });
      });
    const connection = new XConnection(display, socket);
    await connection.#begin();
    return connection;
  }

  get setup(): XSetup {
    return this.#setup!;
  }

  /** Why the display cannot be used any more; undefined while it can. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** Comes when the display dies. */
  get loss(): AbortSignal {
    return this.#loss.signal;
  }

  /** Sends a request that has no reply. Its length is filled in. */
  send(request: Buffer): void {
    if (this.#lost !== undefined) throw this.#lost;
    request.writeUInt16LE(request.length / 4, 2);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#socket.write(request);
  }

  /** Sends a request and answers with its reply. */
  ask(request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.send(request);
      this.#waiting.push({ resolve, reject, sequence: this.#sequence });
    });
  }

  /** Resolves when everything that was sent has been done. */
  async sync(): Promise<void> {
    await this.ask(Buffer.from([opcode.getInputFocus, 0, 0, 0]));
  }

  close(): void {
    this.#lost ??= lostError(this.display);
    this.#socket.destroy();
  }

  async #begin(): Promise<void> {
    const cookie = await readCookie(this.display);
    const name = Buffer.from(cookie === undefined ? '' : 'MIT-MAGIC-COOKIE-1');
    const data = cookie ?? Buffer.alloc(0);
    const hello = Buffer.alloc(12 + padded(name.length) + padded(data.length));
    hello.writeUInt8(0x6c, 0);
    hello.writeUInt16LE(11, 2);
    hello.writeUInt16LE(name.length, 6);
    hello.writeUInt16LE(data.length, 8);
    hello.set(name, 12);
    hello.set(data, 12 + padded(name.length));
    await new Promise<void>((resolve, reject) => {
      const end = (): void => this.#end(reject);
      this.#socket.on('error', end);
      this.#socket.on('close', end);
      this.#socket.on('data', (piece: Buffer) => {
        this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
        if (this.#setup !== undefined) return this.#read();
        if (this.#rest.length < 8) return;
        const length = 8 + this.#rest.readUInt16LE(6) * 4;
        if (this.#rest.length < length) return;
        const answer = this.#rest.subarray(0, length);
        this.#rest = this.#rest.subarray(length);
        if (answer[0] === 1) {
          this.#setup = readSetup(answer);
          resolve();
        } else {
          const why = answer.toString('latin1', 8, 8 + answer[1]!).trim();
          reject(
            new WhetstoneError(
              'computer_missing',
              `The display :${this.display} refused the connection: ${why}`,
            ),
          );
          this.#socket.destroy();
        }
      });
      this.#socket.write(hello);
    });
  }

  #end(reject: (error: Error) => void): void {
    this.#lost ??= lostError(this.display);
    this.#loss.abort(this.#lost);
    reject(this.#lost);
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#lost);
  }

  /** Replies come in the order of their requests; an error is in the place of one, or of nothing. */
  #read(): void {
    while (this.#rest.length >= 32) {
      const kind = this.#rest[0]!;
      const length = 32 + (kind === 1 ? this.#rest.readUInt32LE(4) * 4 : 0);
      if (this.#rest.length < length) return;
      const message = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      if (kind > 1) continue;
      const sequence = message.readUInt16LE(2);
      if (this.#waiting[0]?.sequence !== sequence) continue;
      const { resolve, reject } = this.#waiting.shift()!;
      if (kind === 1) resolve(message);
      else
        reject(new WhetstoneError('computer_lost', `The display refused a request (X error ${message[1]}).`));
    }
  }
}

/** The requests that are used, by the names that the protocol gives them. */
export const opcode = {
  changeProperty: 18,
  getWindowAttributes: 3,
  getGeometry: 14,
  queryTree: 15,
  internAtom: 16,
  getProperty: 20,
  queryPointer: 38,
  getInputFocus: 43,
  getImage: 73,
  queryExtension: 98,
  changeKeyboardMapping: 100,
  getKeyboardMapping: 101,
} as const;

/** Everything in the protocol is counted in fours. */
export function padded(length: number): number {
  return (length + 3) & ~3;
}

function lostError(display: number): WhetstoneError {
  return new WhetstoneError('computer_lost', `The display :${display} has died.`);
}

function connect(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.removeListener('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

function readSetup(answer: Buffer): XSetup {
  const vendor = answer.readUInt16LE(24);
  const formats = answer[29]!;
  const firstFormat = 40 + padded(vendor);
  const screen = firstFormat + formats * 8;
  const depth = answer[screen + 38]!;
  let pixelBytes = 4;
  for (let each = 0; each < formats; each++)
    if (answer[firstFormat + each * 8] === depth) pixelBytes = answer[firstFormat + each * 8 + 1]! / 8;
  return {
    root: answer.readUInt32LE(screen),
    width: answer.readUInt16LE(screen + 20),
    height: answer.readUInt16LE(screen + 22),
    firstKeycode: answer[34]!,
    lastKeycode: answer[35]!,
    pixelBytes,
  };
}
