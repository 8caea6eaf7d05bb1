import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { openLog } from '../../../eval/exchange/formats.ts';
import { SqliteStore } from '../../../grade/store/sqlite/sqlite-store.ts';
import { RecordWriter } from '../../../run/computer/record/record.ts';
import { connect } from '../../client/client.ts';
import { startServer } from '../server.ts';
import { bundledCatalog } from '../testing/test-server.ts';
import { LogShelf } from './shelf.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-recording-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const secret = join(folder, 'secret.png');
writeFileSync(secret, 'nobody may read this');

const display = { width: 320, height: 200 };
const bytes = Buffer.from('89504e470d0a1a0a', 'hex');

async function shown(paths: readonly string[]) {
  const store = new SqliteStore(join(folder, `${paths.length}-${performance.now()}.db`));
  const logs = await Promise.all(paths.map((path) => openLog(path)));
  const shelf = new LogShelf(
    store,
    logs.map((log) => ({ kind: 'log', log })),
  );
  await shelf.fill();
  const server = await startServer({
    store,
    catalog: bundledCatalog,
    open: true,
    view: { title: 'logs', shelf },
  });
  after(async () => {
    await server.close();
    await store[Symbol.asyncDispose]();
  });
  return { client: connect({ url: server.url }), url: server.url };
}

test('a recording is an episode: each step a turn with its action, its picture and where the pointer was', async () => {
  const session = join(folder, 'session');
  const writer = await RecordWriter.create(session, { environment: 'browser', screen: display });
  const step = { texts: [], display, url: 'about:blank', events: [], ms: 10 };
  await writer.write({
    ...step,
    action: { type: 'left_mouse_click', xy: [4, 5] },
    picture: await writer.keepPicture(bytes),
    cursor: [4, 5],
    at: 0,
  });
  // What somebody else wrote into it names no file of this machine.
  await writer.write({
    ...step,
    action: { type: 'screenshot' },
    picture: '../../secret.png',
    cursor: [4, 5],
    at: 90,
  });
  const { client, url } = await shown([join(session, 'record.jsonl')]);
  const { episodes } = await client.episodes();
  const [{ episode_id: id, scenario_slug: name, duration_ms: duration } = assert.fail()] = episodes;
  assert.deepEqual([name, duration], ['session', 100]);
  const { turns, log } = await client.episode(id, { turns: 60 });
  assert.deepEqual(log?.frames, [{ turn: 1, result: 0 }]);
  assert.deepEqual(turns[0]?.messages[0]?.tool_calls?.[0]?.actions, [
    { type: 'left_mouse_click', xy: [4, 5] },
  ]);
  assert.deepEqual(turns[0]?.results?.[0]?.cursor, [4, 5]);
  const { href = '' } = turns[0]?.results?.[0]?.images?.[0] ?? {};
  const answer = await fetch(`${url}${href}`);
  assert.equal(answer.headers.get('content-type'), 'image/png');
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), readFileSync(join(session, picturesOf(session))));
  assert.equal((await fetch(`${url}${href.replace(/0$/, '1')}`)).status, 404);
  assert.equal(turns[1]?.results?.[0]?.images, undefined);
  const whole = await client.episode(id);
  assert.equal(
    whole.turns[0]?.results?.[0]?.images?.[0]?.href,
    `data:image/png;base64,${bytes.toString('base64')}`,
  );
});

test('a log of others shows its screens as well, in the words of its tool', async () => {
  const log = join(folder, 'chat.jsonl');
  const call = {
    id: 'c1',
    function: { name: 'computer', arguments: '{"action":"left_click","coordinate":[7,8]}' },
  };
  const picture = `data:image/png;base64,${bytes.toString('base64')}`;
  const messages = [
    { role: 'user', content: 'Buy it.' },
    { role: 'assistant', content: '', tool_calls: [call] },
    {
      role: 'tool',
      tool_call_id: 'c1',
      content: [
        { type: 'text', text: 'clicked' },
        { type: 'image_url', image_url: { url: picture } },
        { type: 'image_url', image_url: { url: 'https://elsewhere.example/seen.png' } },
        { type: 'image_url', image_url: { url: 'data:image/svg+xml;base64,PHN2Zy8+' } },
      ],
    },
  ];
  writeFileSync(log, `${JSON.stringify({ messages })}\n`);
  const { client } = await shown([log]);
  const [{ episode_id: id } = assert.fail()] = (await client.episodes()).episodes;
  const { turns } = await client.episode(id);
  const [made] = turns[0]?.messages.flatMap((message) => message.tool_calls ?? []) ?? [];
  assert.deepEqual(made?.actions, [{ type: 'left_mouse_click', xy: [7, 8] }]);
  const [result] = turns[0]?.results ?? [];
  assert.deepEqual(result?.images, [{ media_type: 'image/png', href: picture }]);
  assert.equal(result?.output, 'clicked\n[image]\n[image]', 'what would be asked for elsewhere is not');
});

function picturesOf(session: string): string {
  const [line] = readFileSync(join(session, 'record.jsonl'), 'utf8').split('\n').slice(1);
  return join('pictures', (JSON.parse(line!) as { picture: string }).picture);
}
