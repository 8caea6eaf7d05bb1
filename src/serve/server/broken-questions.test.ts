import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { loadCatalog } from '../../grade/scenario/load/catalog.ts';
import { bundledCatalog, say, testServer } from './testing/test-server.ts';

const room = mkdtempSync(join(tmpdir(), 'whet-broken-questions-'));
after(() => rmSync(room, { recursive: true, force: true }));
const shelf = join(room, 'customer-support');
mkdirSync(shelf);
for (const name of ['collection.yaml', 'cancel-order', 'charged-twice'])
  cpSync(join(bundledCatalog.directory, 'customer-support', name), join(shelf, name), { recursive: true });

const opening = (scenario: string) => ({ collection_slug: 'customer-support', scenario_slug: scenario });
const asked = { messages: [say('Why do you want to cancel it?')] };

test('questions with a fault are told to the log, their scenario is refused, and the others are played', async () => {
  const first = await testServer({ catalog: loadCatalog(room) });
  const { episode_id: begun } = (await first.post('/api/v1/episodes', opening('cancel-order'))).body;

  // The file is broken when the next server starts on the same store.
  writeFileSync(join(shelf, 'cancel-order/questions.yaml'), 'reason:\n  asked: Why?\n');
  const lines: string[] = [];
  const server = await testServer({
    store: first.store,
    catalog: loadCatalog(room),
    log: (level, event, line) =>
      void (event === 'scenario_fault' && lines.push(JSON.stringify({ level, ...line }))),
  });
  const refused = [
    await server.post('/api/v1/episodes', opening('cancel-order')),
    await server.post(`/api/v1/episodes/${begun}/turns`, asked),
    await server.post('/api/v1/evaluate', { ...opening('cancel-order'), ...asked }),
    await server.post('/openenv/reset', { collection: 'customer-support', scenario: 'cancel-order' }),
  ];
  for (const [index, { status, text }] of refused.entries()) {
    assert.equal(status, 404, text);
    assert.match(text, /This scenario cannot be played: it has a fault/);
    assert.doesNotMatch(text, /questions\.yaml/);
    assert.match(
      lines[index] ?? '',
      /"level":"warn".*"scenario":"cancel-order".*cancel-order\/questions\.yaml:2:\d+: reason\.asked: expected a list/,
    );
  }
  assert.match((await server.get('/metrics')).text, /^whet_faults_total\{who="scenario"\} 4$/m);

  const { episode_id } = (await server.post('/api/v1/episodes', opening('charged-twice'))).body;
  assert.equal((await server.post(`/api/v1/episodes/${episode_id}/turns`, asked)).status, 200);
  assert.equal((await server.send('DELETE', `/api/v1/episodes/${begun}`)).status, 200);
});
