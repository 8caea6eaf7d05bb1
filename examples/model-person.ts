import { connect } from 'whetstone/client';
import { mockModel } from 'whetstone/mock';
import { loadCatalog, modelVoice, SqliteStore, startServer } from 'whetstone/server';

// Scripted, so that it runs without a key; openai('gpt-…') or anthropic('claude-…') may take its place.
const actor = mockModel([
  'Hello. My legs are fine, by the way.', // told too early, so it is asked to say it again
  'Hello! Good to talk to somebody.',
  'That was the 29th of January, a Monday. I will not forget it.', // adds a "not": again
  'A Monday it was, the 29th of January.',
]);

await using store = new SqliteStore(':memory:');
const catalog = loadCatalog('scenarios');
await using server = await startServer({ store, catalog, voice: modelVoice(actor) });
const client = connect({ url: server.url });

const { episode_id } = await client.createEpisode({
  collection_slug: 'case-management',
  scenario_slug: 'lumbar-strain',
});
for (const content of ['Hello.', 'When did it happen?']) {
  const { observation } = await client.submitTurn(episode_id, { messages: [{ role: 'assistant', content }] });
  console.log(`${content}\n  ${observation.content}`);
}
await client.endEpisode(episode_id);

const { explain } = await client.episode(episode_id);
for (const { turn, refused = [] } of explain?.voices ?? [])
  for (const { said, why } of refused) console.log(`Turn ${turn} was not to say "${said}": ${why}`);
console.log(explain?.facts.filter(({ discovered }) => discovered).map(({ text }) => text));
