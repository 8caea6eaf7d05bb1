import { modelNamed } from 'whetstone/wire';
import { mock } from 'whetstone/mock';

// A provider over real HTTP that answers from a script: the first request is refused, the second is answered.
await using provider = await mock([
  { fault: { status: 429, retryAfter: 0 } },
  { calls: [{ name: 'weather', arguments: { city: 'Oslo' } }] },
]);

const model = modelNamed('anthropic/claude-test', { baseUrl: provider.url });

for await (const event of model.stream({ messages: [{ role: 'user', content: 'Rain in Oslo?' }] })) {
  if (event.type === 'retry') console.log('asked again after', event.error.kind);
  if (event.type === 'call-end') console.log(event.call.name, event.call.arguments);
  if (event.type === 'finish') console.log(event.reply.finish.reason);
}
console.log('requests:', provider.asked.length);
