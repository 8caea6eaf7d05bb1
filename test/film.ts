import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

import type { Action } from '../src/base/message/action.ts';
import { openLog } from '../src/eval/exchange/formats.ts';
import type { Catalog } from '../src/grade/scenario/load/catalog.ts';
import { SqliteStore } from '../src/grade/store/sqlite/sqlite-store.ts';
import { RecordWriter } from '../src/run/computer/record/record.ts';
import { type RunningServer, startServer } from '../src/serve/server/server.ts';
import { LogShelf } from '../src/serve/server/view/shelf.ts';

const display = { width: 320, height: 200 };

/** What `whet view` shows of such a recording, at this address. */
export async function showFilm(
  folder: string,
  { catalog, page }: { readonly catalog: Catalog; readonly page: string },
): Promise<RunningServer & AsyncDisposable> {
  const session = join(folder, 'shopping');
  await keepFilm(session);
  const store = new SqliteStore(join(folder, 'film.db'));
  const log = await openLog(join(session, 'record.jsonl'));
  const shelf = new LogShelf(store, [{ kind: 'log', log }]);
  await shelf.fill();
  const server = await startServer({ store, catalog, page, open: true, view: { title: 'shopping', shelf } });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server.close();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** A recording of a session as `whet computer record` writes it: a button is looked at, found, clicked, and something typed. */
async function keepFilm(folder: string): Promise<void> {
  const writer = await RecordWriter.create(folder, { environment: 'browser', screen: display });
  const actions: readonly Action[] = [
    { type: 'screenshot' },
    { type: 'move', xy: [40, 60] },
    { type: 'left_mouse_click', xy: [160, 100] },
    { type: 'type', text: 'hello\u202E there' },
    { type: 'scroll', startXy: [160, 100], direction: 'down', magnitude: 3, unit: 'notch' },
  ];
  let cursor: readonly [number, number] = [0, 0];
  for (const [index, action] of actions.entries()) {
    if ('xy' in action) cursor = action.xy as readonly [number, number];
    await writer.write({
      action,
      ...(action.type === 'scroll' && {
        failure: { code: 'tool_failed', message: 'Nothing scrolls there.' },
      }),
      texts: [],
      picture: await writer.keepPicture(plainPicture(40 * index)),
      display,
      cursor,
      url: 'https://shop.example/cart',
      events: [],
      at: 500 * index,
      ms: 40,
    });
  }
}

/** A picture of one grey. */
function plainPicture(grey: number): Buffer {
  const { width, height } = display;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8; // Bits a sample; one sample a pixel.
  const rows = Buffer.alloc(height * (width + 1), grey);
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
