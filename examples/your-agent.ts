import { ToolLoopAgent } from 'ai';
import { toAiSdk } from 'whetstone/ai-sdk';
import { connect, playEpisode } from 'whetstone/client';
import { mockModel } from 'whetstone/mock';
import { operator } from 'whetstone/operator';
import { loadCatalog, SqliteStore, startServer } from 'whetstone/server';

await using store = new SqliteStore(':memory:');
const catalog = loadCatalog(new URL('../scenarios', import.meta.url).pathname);
await using server = await startServer({ store, catalog, open: true });

// Your agent as it is. Its model answers from a script here, so that this needs no key.
const agent = new ToolLoopAgent({
  instructions: 'You are a case manager.',
  model: toAiSdk(
    mockModel([
      'I am sorry to hear about your back. Can you tell me how it happened?',
      'When did it happen, and where were you at the time?',
      { calls: [{ name: 'claim_status', arguments: { value: 'approved' } }] },
      'Thank you. I have made my decision.',
    ]),
  ),
});

const episode = await playEpisode(
  connect({ url: server.url }),
  { collection_slug: 'case-management', scenario_slug: 'lumbar-strain' },
  { player: operator(agent, { onStep: ({ message }) => console.log(message.content) }) },
);
console.log('reward', episode.grade?.reward, 'after', episode.turn_count, 'turns:', episode.terminal_reason);
