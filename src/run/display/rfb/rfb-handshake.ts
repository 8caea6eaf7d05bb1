import { createCipheriv } from 'node:crypto';
import type { Socket } from 'node:net';

import type { Size } from '../../../base/message/frame.ts';

/** Takes the next bytes from a connection, when they have come. */
export type TakeBytes = (count: number) => Promise<Buffer>;

/** Reads a socket as it is asked to, so that what nobody has asked for yet is not piled up. */
export function readBytes(socket: Socket): TakeBytes {
  const pieces: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return async (count) => {
    const taken: Buffer[] = [rest];
    let length = rest.length;
    while (length < count) {
      const next = await pieces.next();
      if (next.done === true) throw new Error('it has hung up.');
      taken.push(next.value);
      length += next.value.length;
    }
    const all = taken.length === 1 ? rest : Buffer.concat(taken, length);
    rest = all.subarray(count);
    return all.subarray(0, count);
  };
}

const security = { none: 1, password: 2 } as const;
const longestReason = 4096;

/** Agrees on version and access, and answers with the size of the screen. Nobody else is sent away. */
export async function rfbHandshake(
  take: TakeBytes,
  send: (bytes: Buffer) => void,
  password: string | undefined,
): Promise<Size> {
  const greeting = (await take(12)).toString('latin1');
  const [, major, minor] = /^RFB (\d{3})\.(\d{3})\n$/.exec(greeting) ?? [];
  if (major === undefined) throw new Error('What answers there is not a VNC server.');
  if (Number(major) < 3 || (Number(major) === 3 && Number(minor) < 8))
    throw new Error(
      `It speaks version ${Number(major)}.${Number(minor)} of RFB; the oldest version that can be read is 3.8.`,
    );
  send(Buffer.from('RFB 003.008\n'));
  const [count = 0] = await take(1);
  if (count === 0) throw new Error(`It accepts no connections: ${await reason(take)}`);
  const offered = [...(await take(count))];
  if (password !== undefined && offered.includes(security.password)) {
    send(Buffer.from([security.password]));
    send(answerTo(await take(16), password));
  } else if (offered.includes(security.none)) send(Buffer.from([security.none]));
  else if (offered.includes(security.password))
    throw new Error(
      'It wants a password: give it in the address (vnc://:PASSWORD@HOST) or in WHET_VNC_PASSWORD.',
    );
  else
    throw new Error(
      `It offers the security types ${offered.join(', ')}; only 1 (none) and 2 (a password) are known.`,
    );
  const result = (await take(4)).readUInt32BE(0);
  if (result !== 0) throw new Error(`It refused the connection: ${await reason(take)}`);
  send(Buffer.from([1]));
  const told = await take(24);
  const nameLength = told.readUInt32BE(20);
  if (nameLength > longestReason) throw new Error('Its name is too long.');
  await take(nameLength);
  return { width: told.readUInt16BE(0), height: told.readUInt16BE(2) };
}

async function reason(take: TakeBytes): Promise<string> {
  const length = (await take(4)).readUInt32BE(0);
  return (await take(Math.min(length, longestReason))).toString('utf8');
}

/** The challenge under DES, whose key is the first eight bytes of the password, the bits of each in reverse. */
function answerTo(challenge: Buffer, password: string): Buffer {
  const key = Buffer.alloc(8);
  key.set(Buffer.from(password, 'latin1').subarray(0, 8));
  for (const [index, byte] of key.entries())
    key[index] = Number.parseInt(byte.toString(2).padStart(8, '0').split('').toReversed().join(''), 2);
  // With the same key three times, triple DES is single DES, which is no longer offered by itself.
  const cipher = createCipheriv('des-ede3', Buffer.concat([key, key, key]), null);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(challenge), cipher.final()]);
}
