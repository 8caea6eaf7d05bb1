import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { textOf } from 'whetstone';
import { mockModel } from 'whetstone/mock';
import { openStore, storeConversations } from 'whetstone/server';

const file = join(mkdtempSync(join(tmpdir(), 'whet-chats-')), 'chats.db');

{
  await using store = await openStore(file);
  const chat = await storeConversations(store).open('customer-17', { owner: 'ann' });
  await chat.run({ model: mockModel(['Which one?']), prompt: 'Cancel my order.' });
}

// Another process, another day.
await using store = await openStore(file);
const chats = storeConversations(store);
for (const { id, title, messageCount } of await chats.list({ owner: 'ann' }))
  console.log(id, title, messageCount);

const chat = await chats.open('customer-17', { owner: 'ann' });
const { text } = await chat.run({ model: mockModel(['It is cancelled.']), prompt: 'Number 5.' });
console.log(text, chat.messages.map((message) => message.role).join(' '));

// What if the customer had said something else?
const fork = await chat.fork({ at: 2 });
await fork.run({ model: mockModel(['As you like.']), prompt: 'Never mind.' });
console.log(fork.messages.map((message) => (message.role === 'tool' ? '' : textOf(message))).join(' / '));
