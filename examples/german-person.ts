import { mockModel } from 'whetstone/mock';
import { connect } from 'whetstone/client';
import { loadCatalog, modelHearing, SqliteStore, startServer } from 'whetstone/server';

// The scenario is German, and a model hears what is asked for. Scripted, so that it runs without a key.
const ears = mockModel([
  '{"asks": ["nummer"], "courtesies": ["greeting", "introduction"], "others": 0}',
  '{"asks": ["wartezeit", "nachbarn"], "courtesies": ["empathy"], "others": 0}',
  '{"asks": [], "courtesies": [], "others": 1}',
  '{"asks": [], "courtesies": ["farewell"], "others": 0}',
]);

await using store = new SqliteStore(':memory:');
const catalog = loadCatalog('examples/scenarios');
await using server = await startServer({ store, catalog, hearing: modelHearing(ears) });
const client = connect({ url: server.url });

const opened = await client.createEpisode({ collection_slug: 'kundendienst', scenario_slug: 'paket' });
const { episode_id } = opened;
console.log(opened.initial_observation.content);
for (const content of [
  'Guten Tag, Weber vom Kundendienst. Sagen Sie mir bitte Ihre Bestellnummer?',
  'Das tut mir leid. Wie lange warten Sie denn schon, und waren die Nachbarn zu Hause?',
  'Mögen Sie eigentlich Pferde?',
]) {
  const { observation } = await client.submitTurn(episode_id, { messages: [{ role: 'assistant', content }] });
  console.log(`> ${content}\n${observation.content}`);
}
await client.submitTurn(episode_id, {
  messages: [
    {
      role: 'assistant',
      content: 'Wir schicken Ihnen ein neues.',
      tool_calls: [{ type: 'decision', name: 'entscheidung', input: { value: 'ersetzen' } }],
    },
  ],
});
await client.endEpisode(episode_id);
console.log((await client.episode(episode_id)).grade);
