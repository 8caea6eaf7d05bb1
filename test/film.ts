import { crc32, deflateSync } from 'node:zlib';

import type { Action } from '../src/base/message/action.ts';
import { RecordWriter } from '../src/run/computer/record/record.ts';

const display = { width: 320, height: 200 };

/** What was typed, how it failed, and where. */
export interface FilmWords {
  readonly typed: string;
  readonly failure: string;
  readonly url: string;
}

const honest: FilmWords = {
  typed: 'hello\u202E there',
  failure: 'Nothing scrolls there.',
  url: 'https://shop.example/cart',
};

/** A recording of a session as `whet computer record` writes it: a button is looked at, found, clicked, and something typed. */
export async function keepFilm(folder: string, { typed, failure, url }: FilmWords = honest): Promise<void> {
  const writer = await RecordWriter.create(folder, { environment: 'browser', screen: display });
  const actions: readonly Action[] = [
    { type: 'screenshot' },
    { type: 'move', xy: [40, 60] },
    { type: 'left_mouse_click', xy: [160, 100] },
    { type: 'type', text: typed },
    { type: 'scroll', startXy: [160, 100], direction: 'down', magnitude: 3, unit: 'notch' },
  ];
  let cursor: readonly [number, number] = [0, 0];
  for (const [index, action] of actions.entries()) {
    if ('xy' in action) cursor = action.xy as readonly [number, number];
    await writer.write({
      action,
      ...(action.type === 'scroll' && {
        failure: { code: 'tool_failed', message: failure },
      }),
      texts: [],
      picture: await writer.keepPicture(screenWith(index)),
      display,
      cursor,
      url,
      events: [],
      at: 500 * index,
      ms: 40,
    });
  }
}

/** A page as somebody may draw it: a head, a button, a field with so many words in it. */
function screenWith(words: number): Buffer {
  const { width, height } = display;
  const rows = Buffer.alloc(height * (width + 1), 244);
  const paint = (grey: number, [x, y, wide, high]: readonly [number, number, number, number]): void => {
    for (let row = y; row < y + high; row++)
      rows.fill(grey, row * (width + 1) + 1 + x, row * (width + 1) + 1 + x + wide);
  };
  paint(70, [0, 0, width, 22]);
  paint(205, [20, 40, 70, 40]);
  paint(255, [110, 88, 120, 24]);
  for (let word = 0; word < words; word++) paint(90, [118 + 24 * word, 97, 18, 6]);
  for (let line = 0; line < 4; line++) paint(215, [110, 130 + 14 * line, 180 - 20 * line, 6]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8; // Bits a sample; one sample a pixel.
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0; // No filter.
  const signature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
