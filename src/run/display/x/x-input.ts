import type { Point } from '../../../base/message/action.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { opcode, padded, type XConnection } from './x-connection.ts';

const events = { keyPress: 2, keyRelease: 3, buttonPress: 4, buttonRelease: 5, motion: 6 } as const;
const fakeInput = 2;

/** The pointer and the keys of a display, moved by its XTEST extension as if by hand. */
export class XInput {
  readonly #connection: XConnection;
  readonly #extension: number;

  private constructor(connection: XConnection, extension: number) {
    this.#connection = connection;
    this.#extension = extension;
  }

  static async open(connection: XConnection): Promise<XInput> {
    const name = Buffer.from('XTEST');
    const request = Buffer.alloc(8 + padded(name.length));
    request.set([opcode.queryExtension, 0, 0, 0, name.length], 0);
    request.set(name, 8);
    const reply = await connection.ask(request);
    if (reply[8] === 1) return new XInput(connection, reply[9]!);
    throw new WhetstoneError(
      'computer_missing',
      `The display :${connection.display} has no XTEST extension, so its keys cannot be pressed.`,
    );
  }

  key(keycode: number, isDown: boolean): void {
    this.#fake(isDown ? events.keyPress : events.keyRelease, keycode, [0, 0]);
  }

  button(button: number, isDown: boolean): void {
    this.#fake(isDown ? events.buttonPress : events.buttonRelease, button, [0, 0]);
  }

  move(to: Point): void {
    this.#fake(events.motion, 0, to);
  }

  /** Where the pointer is, no matter who moved it there. */
  async pointer(): Promise<Point> {
    const request = Buffer.alloc(8);
    request.writeUInt8(opcode.queryPointer, 0);
    request.writeUInt32LE(this.#connection.setup.root, 4);
    const reply = await this.#connection.ask(request);
    return [reply.readInt16LE(16), reply.readInt16LE(18)];
  }

  #fake(type: number, detail: number, [x, y]: Point): void {
    const request = Buffer.alloc(36);
    request.set([this.#extension, fakeInput, 0, 0, type, detail], 0);
    request.writeUInt32LE(type === events.motion ? this.#connection.setup.root : 0, 12);
    request.writeInt16LE(Math.round(x), 24);
    request.writeInt16LE(Math.round(y), 26);
    this.#connection.send(request);
  }
}
