import type { Picture } from '../picture/picture.ts';
import { opcode, padded, type XConnection } from './x-connection.ts';

/** The whole screen as it is now. */
export async function readScreen(connection: XConnection): Promise<Picture> {
  const { root, width, height, pixelBytes } = connection.setup;
  const request = Buffer.alloc(20);
  request.set([opcode.getImage, 2], 0);
  request.writeUInt32LE(root, 4);
  request.writeUInt16LE(width, 12);
  request.writeUInt16LE(height, 14);
  request.writeUInt32LE(0xffff_ffff, 16);
  const reply = await connection.ask(request);
  const data = new Uint8Array(width * height * 4);
  const line = padded(width * pixelBytes);
  for (let y = 0, out = 0; y < height; y++) {
    for (let x = 0, from = 32 + y * line; x < width; x++, from += pixelBytes, out += 4) {
      data[out] = reply[from + 2]!;
      data[out + 1] = reply[from + 1]!;
      data[out + 2] = reply[from]!;
      data[out + 3] = 255;
    }
  }
  return { width, height, data };
}

/** The windows on the screen that can be seen. */
export async function visibleWindows(connection: XConnection): Promise<ReadonlySet<number>> {
  const reply = await connection.ask(ofWindow(opcode.queryTree, connection.setup.root));
  const count = reply.readUInt16LE(16);
  const visible = new Set<number>();
  for (let each = 0; each < count; each++) {
    const window = reply.readUInt32LE(32 + each * 4);
    // It may close while it is looked at.
    const state = await connection.ask(ofWindow(opcode.getWindowAttributes, window)).catch(() => undefined);
    if (state?.[26] === 2) visible.add(window);
  }
  return visible;
}

/** Whether a window manager is at work: each says so by a property of the root window. */
export async function isManaged(connection: XConnection): Promise<boolean> {
  return (await rootProperty(connection, '_NET_SUPPORTING_WM_CHECK')) !== 0;
}

/** The window that has the focus, as the window manager says; 0 where there is none. */
export function activeWindow(connection: XConnection): Promise<number> {
  return rootProperty(connection, '_NET_ACTIVE_WINDOW');
}

/**
 * Sends the window manager an event of no meaning: nothing is added to a property of the root window. Openbox now and
 * then leaves a new window unmapped until the next event comes.
 */
export function wakeManager(connection: XConnection): void {
  const request = Buffer.alloc(24);
  request.set([opcode.changeProperty, append, 0, 0], 0);
  request.writeUInt32LE(connection.setup.root, 4);
  request.writeUInt32LE(cutBuffer7, 8);
  request.writeUInt32LE(string, 12);
  request.writeUInt8(8, 16);
  connection.send(request);
}

const append = 2;
/** Atoms that every display has. */
const cutBuffer7 = 16;
const string = 31;

/** The first number of a property of the root window; 0 where it is not set. */
async function rootProperty(connection: XConnection, property: string): Promise<number> {
  const name = Buffer.from(property);
  const request = Buffer.alloc(8 + padded(name.length));
  request.set([opcode.internAtom, 0, 0, 0, name.length], 0);
  request.set(name, 8);
  const atom = (await connection.ask(request)).readUInt32LE(8);
  const ask = Buffer.alloc(24);
  ask.writeUInt8(opcode.getProperty, 0);
  ask.writeUInt32LE(connection.setup.root, 4);
  ask.writeUInt32LE(atom, 8);
  ask.writeUInt32LE(1, 20);
  const reply = await connection.ask(ask);
  return reply.readUInt32LE(16) === 0 ? 0 : reply.readUInt32LE(32);
}

function ofWindow(request: number, window: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt8(request, 0);
  bytes.writeUInt32LE(window, 4);
  return bytes;
}
