import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { call, scriptedModel } from '../../../test/scripted-model.ts';
import { textOf } from '../../base/message/message.ts';
import { tool } from '../../run/tool/define-tool.ts';
import { exportStore, importInto } from './export.ts';
import { openStore } from './open-store.ts';
import { startPostgres } from './testing/postgres-server.ts';
import { storeConversations } from './store-conversations.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-chats-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const postgres = await startPostgres();
after(() => postgres.remove());

const places = {
  sqlite: join(folder, 'chats.db'),
  postgres: await postgres.database('chats'),
};

for (const [kind, place] of Object.entries(places)) {
  describe(`conversations in ${kind}`, () => {
    test('each run goes on from what was said before, in another life too', async () => {
      {
        await using store = await openStore(place);
        const chat = await storeConversations(store).open('lasting');
        const model = scriptedModel(['Hello.'], ['Seventeen.']);
        await chat.run({ model, prompt: ' Who\nare \u0000you? ', system: 'Be short.' });
        const events: string[] = [];
        for await (const event of chat.run({ model, prompt: 'Which invoice?' })) events.push(event.type);
        assert.deepEqual([events.at(0), events.at(-1)], ['run-start', 'finish']);
      }
      await using store = await openStore(place);
      const saved: number[] = [];
      const { conversations: rows } = store;
      const save = rows.save.bind(rows);
      rows.save = (record, change) => (saved.push(change.messages.length), save(record, change));
      const chat = await storeConversations(store).open('lasting');
      assert.equal(chat.record.title, 'Who are you?');
      const model = scriptedModel(['Yes.']);
      await chat.run({ model, prompt: 'Sure?', system: 'Be long.' });
      const [asked] = model.asked;
      assert.deepEqual(
        asked?.messages.map((message) => message.role),
        ['system', 'user', 'assistant', 'user', 'assistant', 'user'],
      );
      assert.deepEqual(asked?.messages[0], { role: 'system', content: 'Be long.' });
      assert.deepEqual(saved, [2], 'what was there is not written again');
      assert.deepEqual(await store.runs.scan('conversation:lasting', 1), [], 'no journal is left');
      const again = await storeConversations(store).open('lasting');
      assert.deepEqual(again.messages, chat.messages);
      assert.deepEqual([again.record.messageCount, again.record.stop], [6, 'done']);
    });

    test('an answer that was interrupted goes on, and whoever had it before does nothing more', async (t) => {
      await using first = await openStore(place);
      await using second = await openStore(place);
      const { promise, resolve } = Promise.withResolvers<void>();
      t.after(() => resolve());
      const begun = Promise.withResolvers<void>();
      let paid = 0;
      const slow = tool({
        name: 'pay',
        description: 'Pays',
        run: async () => {
          paid += 1;
          begun.resolve();
          await promise;
          return 'paid';
        },
      });
      const dead = (await storeConversations(first).open('cut')).run({
        model: scriptedModel([call('1', 'pay')], [call('2', 'pay')]),
        tools: [slow],
        prompt: 'Pay.',
      });
      const death = assert.rejects(async () => void (await dead), { code: 'conversation_conflict' });
      await begun.promise;
      // The tool may run before the reply around its call is written down; whoever takes over then meets a live run.
      while (
        !(await first.runs.read('conversation:cut:0')).some((entry) => entry.includes('"type":"reply"'))
      );
      const chat = await storeConversations(second).open('cut');
      assert.equal(chat.isInterrupted, true);
      assert.deepEqual(
        chat.messages.map(({ role }) => role),
        ['user', 'assistant', 'tool'],
      );
      const model = scriptedModel(['I shall look first.']);
      const { text, calls } = await chat.run({ model, tools: [slow], prompt: 'Pay.' });
      assert.deepEqual(
        [text, calls.map(({ result }) => result.errorCode)],
        ['I shall look first.', ['interrupted']],
      );
      assert.equal(model.asked[0]?.messages.length, 3, 'the same words are not said twice');
      resolve();
      await death;
      assert.equal(paid, 1);
      assert.equal((await storeConversations(first).open('cut')).isInterrupted, false);
    });

    test('other words after an interruption stand behind what was left of it', async (t) => {
      await using first = await openStore(place);
      await using second = await openStore(place);
      const held = Promise.withResolvers<void>();
      t.after(() => held.resolve());
      const begun = Promise.withResolvers<void>();
      const stuck = scriptedModel([call('1', 'look')], [{ wait: () => (begun.resolve(), held.promise) }]);
      const look = tool({ name: 'look', description: 'Looks', run: () => 'seen' });
      const old = (await storeConversations(first).open('words')).run({
        model: stuck,
        tools: [look],
        prompt: 'Look.',
      });
      const death = assert.rejects(async () => void (await old));
      await begun.promise;
      const chat = await storeConversations(second).open('words');
      const model = scriptedModel(['Fine.']);
      await chat.run({ model, tools: [look], prompt: 'Never mind.' });
      assert.deepEqual(
        model.asked[0]?.messages.map(({ role }) => role),
        ['user', 'assistant', 'tool', 'user'],
      );
      held.resolve();
      await death;
      assert.equal((await storeConversations(second).open('words')).messages.length, 5);
    });

    test('what waits for a person is approved in another life, with its token', async () => {
      let sent = 0;
      const send = tool({ name: 'send', description: 'Sends', approval: 'always', run: () => (sent += 1) });
      const options = { tools: [send], approvalKey: 'secret' };
      let approvals;
      {
        await using store = await openStore(place);
        const chat = await storeConversations(store).open('waits');
        const { waiting } = await chat.run({
          ...options,
          model: scriptedModel([call('1', 'send')]),
          prompt: 'Send.',
        });
        approvals = waiting.approvals.map((request) => ({ ...request, decision: 'approve' as const }));
      }
      await using store = await openStore(place);
      const chats = storeConversations(store);
      assert.equal((await chats.open('waits')).record.stop, 'waiting');
      const model = scriptedModel(['Sent.']);
      const { text } = await (await chats.open('waits')).run({ ...options, model, approvals });
      assert.deepEqual([text, sent], ['Sent.', 1]);
    });

    test('a model that fails loses nothing: asked again without words, it goes on', async () => {
      await using store = await openStore(place);
      const chat = await storeConversations(store).open('fails');
      const look = tool({ name: 'look', description: 'Looks', run: () => 'seen' });
      const model = scriptedModel([call('1', 'look')], [{ throws: new Error('overloaded') }], ['Well.']);
      await assert.rejects(async () => void (await chat.run({ model, tools: [look], prompt: 'Look.' })));
      const { text } = await chat.run({ model, tools: [look] });
      assert.equal(text, 'Well.');
      assert.deepEqual(
        model.asked.at(-1)?.messages.map(({ role }) => role),
        ['user', 'assistant', 'tool'],
      );
    });

    test('they are listed by owner, newest first, renamed, forked and removed', async () => {
      await using store = await openStore(place);
      const chats = storeConversations(store);
      const said = async (id: string, owner: string, at: number) => {
        const chat = await chats.open(id, { owner });
        const clock = { now: () => at, monotonic: () => at, after: () => () => undefined };
        return (await chat.run({ model: scriptedModel(['Yes.']), prompt: `I am ${id}`, clock }), chat);
      };
      const one = await said('list-1', 'ann', 10);
      await said('list-2', 'ann', 30);
      await said('list-3', 'bob', 20);
      const ids = async (query: object) => (await chats.list({ owner: 'ann', ...query })).map(({ id }) => id);
      assert.deepEqual(await ids({}), ['list-2', 'list-1']);
      assert.deepEqual(await ids({ limit: 1 }), ['list-2']);
      assert.deepEqual(await ids({ before: { id: 'list-2', updatedAt: 30 } }), ['list-1']);
      await assert.rejects(chats.open('list-3', { owner: 'ann' }), { code: 'conversation_unknown' });
      assert.equal(await chats.rename('list-1', 'Named', 'bob'), false);
      assert.equal(await chats.rename('list-1', 'Named', 'ann'), true);
      await one.run({ model: scriptedModel(['Still.']), prompt: 'More' });
      assert.equal((await chats.open('list-1', { owner: 'ann' })).record.title, 'Named');

      const fork = await one.fork({ id: 'list-fork', at: 2 });
      const model = scriptedModel(['Otherwise.']);
      await fork.run({ model, prompt: 'Or else?' });
      assert.equal(model.asked[0]?.messages.length, 3);
      assert.deepEqual([one.messages.length, fork.messages.length, fork.record.forkOf], [4, 4, 'list-1']);
      await assert.rejects(one.fork({ at: 5 }), { code: 'run_option_invalid' });
      await assert.rejects(one.fork({ id: 'list-2' }), { code: 'conversation_conflict' });

      assert.equal(await chats.remove('list-1', 'bob'), false);
      assert.equal(await chats.remove('list-1', 'ann'), true);
      assert.equal((await chats.open('list-1', { owner: 'ann' })).messages.length, 0);
      assert.equal(fork.messages.length, 4, 'a fork stays');
    });

    test('two that answer at once, or one that comes late, are told', async () => {
      await using store = await openStore(place);
      const chats = storeConversations(store);
      const chat = await chats.open('twice');
      const late = await chats.open('twice');
      const model = scriptedModel(['One.'], ['Two.']);
      const both = await Promise.allSettled([
        chat.run({ model, prompt: 'a' }),
        late.run({ model, prompt: 'b' }),
      ]);
      assert.deepEqual(
        both.map(({ status }) => status),
        ['fulfilled', 'rejected'],
      );
      await assert.rejects(async () => void (await late.run({ model, prompt: 'b' })), {
        code: 'conversation_conflict',
      });
      assert.equal(model.asked.length, 1);
      assert.throws(() => late.run({ model }), { code: 'run_option_invalid' });
    });

    test('an export takes them along', async () => {
      await using store = await openStore(place);
      const lines: string[] = [];
      for await (const line of exportStore(store)) lines.push(JSON.stringify(line));
      await using other = await openStore(join(folder, `imported-${kind}.db`));
      const feed = async function* (): AsyncGenerator<string> {
        yield* lines;
      };
      assert.ok((await importInto(other, feed())).conversations > 3);
      const { messages, record } = await storeConversations(store).open('lasting');
      const there = await storeConversations(other).open('lasting');
      assert.deepEqual([there.messages, there.record], [messages, record]);
      assert.equal(textOf(there.messages[1]!), 'Hello.');
    });
  });
}
