/** What real servers do seldom or never: a server of the test says it. `contract.test.ts` has the real ones. */
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { constants, createDeflate } from 'node:zlib';

import type { Action } from '../../../base/message/action.ts';
import { readPng } from '../../display/picture/png.ts';
import { ComputerSession } from '../session.ts';
import { openDesktop } from './desktop.ts';

const size = { width: 130, height: 70 };
type Rect = readonly [x: number, y: number, width: number, height: number, encoding: number, body: Buffer];

/** A server that lets everybody in, answers each request for a pixel with one, and sends what the test wants. */
class SmallServer implements AsyncDisposable {
  readonly server = createServer((socket) => void this.#serve(socket));
  readonly received: Buffer[] = [];
  greeting = 'RFB 003.008\n';
  security = Buffer.from([1, 1]);
  result = Buffer.alloc(4);
  updates: (readonly Rect[])[] = [];
  sockets: Socket[] = [];

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `vnc://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async #serve(socket: Socket): Promise<void> {
    this.sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(this.greeting);
    let stage = 0;
    socket.on('data', (bytes: Buffer) => {
      // Every message of the client comes by itself on a connection that sends at once; what is joined is told apart.
      if (stage === 0 && bytes.length >= 12) {
        stage = 1;
        socket.write(this.security);
      } else if (stage === 1) {
        stage = 2;
        socket.write(this.result);
      } else if (stage === 2) {
        stage = 3;
        const told = Buffer.alloc(25);
        told.writeUInt16BE(size.width, 0);
        told.writeUInt16BE(size.height, 2);
        told.writeUInt32BE(1, 20);
        socket.write(told);
      } else this.#messages(socket, bytes);
    });
  }

  #messages(socket: Socket, bytes: Buffer): void {
    const lengths: Readonly<Record<number, number>> = { 0: 20, 3: 10, 4: 8, 5: 6 };
    for (let at = 0; at < bytes.length;) {
      const kind = bytes[at]!;
      const length = kind === 2 ? 4 + bytes.readUInt16BE(at + 2) * 4 : lengths[kind]!;
      const message = bytes.subarray(at, at + length);
      at += length;
      if (kind === 4 || kind === 5) this.received.push(message);
      if (kind !== 3 || message[1] === 1) continue;
      const isWhole = message.readUInt16BE(6) > 1;
      if (isWhole) for (const update of this.updates) socket.write(updateOf(update));
      socket.write(updateOf([[0, 0, 1, 1, 0, pixel(1, 2, 3)]]));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function updateOf(rects: readonly Rect[]): Buffer {
  const head = Buffer.from([0, 0, 0, rects.length]);
  return Buffer.concat([
    head,
    ...rects.map(([x, y, width, height, encoding, body]) => {
      const rect = Buffer.alloc(12);
      for (const [index, value] of [x, y, width, height].entries()) rect.writeUInt16BE(value, index * 2);
      rect.writeInt32BE(encoding, 8);
      return Buffer.concat([rect, body]);
    }),
  ]);
}

function pixel(red: number, green: number, blue: number): Buffer {
  return Buffer.from([red, green, blue, 0]);
}

/** One stream over all rectangles, as the protocol has it. */
function packer(): (bytes: Buffer) => Promise<Buffer> {
  const deflate = createDeflate();
  return async (bytes) => {
    const pieces: Buffer[] = [];
    const keep = (piece: Buffer): void => void pieces.push(piece);
    deflate.on('data', keep);
    deflate.write(bytes);
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, resolve));
    deflate.off('data', keep);
    const body = Buffer.concat(pieces);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    return Buffer.concat([length, body]);
  };
}

const screenshot: Action = { type: 'screenshot' };

async function shown(updates: readonly (readonly Rect[])[]): Promise<(x: number, y: number) => number[]> {
  await using server = new SmallServer();
  server.updates = [...updates];
  await using computer = await openDesktop({ vnc: await server.listen() });
  const { picture, failure } = await new ComputerSession(computer).perform({
    actions: [screenshot],
    display: size,
  });
  assert.equal(failure?.message, undefined);
  const { data, width } = readPng(picture!);
  return (x, y) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
}

test('pixels arrive in each of their encodings: raw, copied, and every kind of tile', async () => {
  const pack = packer();
  const red = [250, 0, 0];
  const blue = [0, 0, 250];
  const green = [0, 250, 0];
  // 130 by 70 are six tiles, the last ones two wide and six high.
  const tiles = Buffer.from([
    ...[1, ...red],
    // Two colours by one bit each, of 64 rows.
    ...[2, ...red, ...blue, ...Array.from({ length: 64 * 8 }, (_, at) => (at % 8 === 0 ? 0b1000_0000 : 0))],
    // Pixels as they are, two by 64.
    ...[0, ...Array.from({ length: 128 }, (_, at) => (at % 2 === 0 ? green : blue)).flat()],
    // Runs: 64 by 6 are 384 = 1 + 255 + 128 of one colour and none of another.
    ...[128, ...green, 255, 128],
    // Runs from a palette: one blue pixel, then red ones.
    ...[130, ...red, ...blue, 1, 128, 255, 127],
    // Three colours by two bits: two wide, a byte a row.
    ...[3, ...red, ...green, ...blue, ...Array.from({ length: 6 }, () => 0b0110_0000)],
  ]);
  const at = await shown([
    [[0, 0, 130, 70, 16, await pack(tiles)]],
    // Over itself, one to the right and one down.
    [[127, 65, 2, 2, 0, Buffer.concat([pixel(9, 9, 9), pixel(8, 8, 8), pixel(7, 7, 7), pixel(6, 6, 6)])]],
    [[128, 66, 2, 2, 1, Buffer.from([0, 127, 0, 65])]],
    [[10, 10, 2, 1, 16, await pack(Buffer.from([1, 4, 5, 6]))]],
  ]);
  assert.deepEqual(
    [at(5, 5), at(64, 3), at(65, 3), at(128, 2), at(129, 2), at(3, 65), at(64, 64), at(65, 64), at(129, 64)],
    [red, blue, red, green, blue, green, blue, red, blue],
  );
  assert.deepEqual(
    [at(127, 65), at(128, 66), at(129, 66), at(128, 67), at(129, 67)].map(([first]) => first),
    [9, 9, 8, 7, 6],
  );
  assert.deepEqual([at(9, 10), at(10, 10), at(11, 10)], [red, [4, 5, 6], [4, 5, 6]]);
});

test('what is not the protocol ends the connection with what was wrong, and nothing of it is drawn', async () => {
  const pack = packer();
  const long = Buffer.alloc(4);
  long.writeUInt32BE(0xffff_ffff);
  const cases: readonly (readonly [rect: Rect, said: RegExp])[] = [
    [[100, 0, 31, 1, 0, Buffer.alloc(124)], /beyond its screen/],
    [[0, 0, 2, 2, 1, Buffer.from([0, 129, 0, 0])], /copies from beyond/],
    [[0, 0, 2, 2, 16, long], /4294967295 bytes/],
    [[0, 0, 64, 64, 16, await pack(Buffer.from([77]))], /kind 77/],
    [[0, 0, 64, 64, 16, await packer()(Buffer.from([0, 1, 2]))], /cut off/],
    [[0, 0, 2, 2, 16, await packer()(Buffer.from([128, 1, 2, 3, 9]))], /beyond its tile/],
    [[0, 0, 2, 2, 16, await packer()(Buffer.alloc(1_000_000))], /more than its pixels/],
    [[0, 0, 1, 1, 5, Buffer.alloc(0)], /encoding 5/],
    [[0, 0, 65_535, 65_535, -223, Buffer.alloc(0)], /65535 by 65535/],
  ];
  for (const [rect, said] of cases) {
    await using server = new SmallServer();
    server.updates = [[rect]];
    await assert.rejects(openDesktop({ vnc: await server.listen() }), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'computer_missing');
      assert.match(error.message, said);
      return true;
    });
  }
});

test('who lets nobody in, wants a password or speaks another language is told apart, and no password is told', async () => {
  const reason = Buffer.concat([Buffer.from([0, 0, 0, 4]), Buffer.from('full')]);
  const cases: readonly (readonly [change: (server: SmallServer) => void, said: RegExp])[] = [
    [(server) => (server.greeting = 'HTTP/1.1 400\n'), /not a VNC server|hung up/],
    [(server) => (server.greeting = 'RFB 003.003\n'), /3\.3/],
    [
      (server) => (server.security = Buffer.concat([Buffer.from([0]), reason])),
      /accepts no connections: full/,
    ],
    [(server) => (server.security = Buffer.from([1, 19])), /types 19/],
    [
      (server) => (server.result = Buffer.concat([Buffer.from([0, 0, 0, 1]), reason])),
      /refused the connection: full/,
    ],
  ];
  for (const [change, said] of cases) {
    await using server = new SmallServer();
    change(server);
    const address = (await server.listen()).replace('//', '//:secret@');
    await assert.rejects(openDesktop({ vnc: address }), (error: Error) => {
      assert.match(error.message, said);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
  }
  await using server = new SmallServer();
  server.security = Buffer.from([1, 2]);
  await assert.rejects(openDesktop({ vnc: await server.listen() }), /WHET_VNC_PASSWORD/);
  await assert.rejects(openDesktop({ vnc: 'http://:secret@host' }), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'computer_option_invalid');
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});

test('a connection that breaks fails the call, the next one connects again, and what was held is let go at the end', async () => {
  await using server = new SmallServer();
  const computer = await openDesktop({ vnc: await server.listen() });
  const session = new ComputerSession(computer, { timeout: 5 });
  const perform = (action: Action) => session.perform({ actions: [action], display: size });
  assert.equal((await perform({ type: 'move', xy: [5, 6] })).failure, undefined);
  const gone = new Promise((resolve) => computer.lost.addEventListener('abort', resolve));
  server.sockets[0]!.destroy();
  await gone;
  assert.equal((await perform({ type: 'move', xy: [7, 8] })).failure?.code, 'computer_lost');
  const again = await perform({ type: 'move', xy: [9, 10] });
  assert.equal(again.failure, undefined);
  assert.deepEqual(again.events, [{ type: 'restarted' }]);
  await perform({ type: 'key_down', key: 'Shift' });
  await perform({ type: 'left_mouse_down' });
  server.received.length = 0;
  await computer[Symbol.asyncDispose]();
  assert.deepEqual(
    server.received.map((message) => [...message]),
    [
      [4, 0, 0, 0, 0, 0, 0xff, 0xe1],
      [5, 0, 0, 9, 0, 10],
    ],
  );
});
