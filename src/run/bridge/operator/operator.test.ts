import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';

import { textOf } from '../../../base/message/message.ts';
import { operator, type Beginning, type OperatorStep } from './index.ts';

const episode: Beginning = {
  initial_observation: { content: 'Hello?' },
  tools: [
    { id: 'letter', type: 'artifact', name: 'Letter', mode: 'json_schema', json_schema: { type: 'object' } },
    { id: 'verdict', type: 'decision', name: 'Verdict', mode: 'options', options: ['yes', 'no'] },
    { id: 'look', type: 'function', name: 'Look', mode: 'json_schema' },
  ],
};

test('what is not an agent is agent_unfit', () => {
  for (const agent of [undefined, null, 'gpt', {}, { generate: 3 }])
    assert.throws(() => operator(agent as never), { code: 'agent_unfit' });
});

test('an agent’s own tool of an episode’s name is refused, never replaced', () => {
  const aiSdk = { tools: { verdict: {} }, generate: async () => ({}) };
  const openAI = { name: 'a', tools: [{ name: 'verdict' }], handoffs: [], clone: () => ({}) };
  for (const agent of [aiSdk, openAI])
    assert.throws(() => operator(agent)(episode), { code: 'tool_duplicate', message: /"verdict"/ });
});

test('a call of a tool that the episode does not have says which it has', async () => {
  const play = operator(async ({ call }) => call('verdit', {}))(episode);
  await assert.rejects(play.next(1, undefined), {
    code: 'tool_unknown',
    message: /"verdit".*letter, verdict, look/,
  });
});

test('without @openai/agents there is peer_missing, and a run of one’s own is in', async () => {
  const agent = { name: 'a', tools: [], handoffs: [], clone: () => ({ on: () => undefined }) };
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === '@openai/agents') throw new Error('Cannot find package');
      return next(specifier, context);
    },
  });
  try {
    await assert.rejects(operator(agent)(episode).next(1, undefined), {
      code: 'peer_missing',
      message: /npm install @openai\/agents/,
    });
  } finally {
    hooks.deregister();
  }
  const run = async () => ({
    history: [],
    newItems: [],
    rawResponses: [
      {
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi.' }] }],
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      },
    ],
  });
  assert.deepEqual(await operator(agent, { run })(episode).next(1, undefined), [
    { role: 'assistant', content: 'Hi.' },
  ]);
});

test('documents and decisions are received at once and go with the words; nothing at all ends the play', async () => {
  const steps: OperatorStep[] = [];
  let more = true;
  const play = operator(
    async ({ call, tools }) => {
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['letter', 'verdict', 'look'],
      );
      if (!more) return undefined;
      more = false;
      assert.equal(await call('letter', { to: 'you' }), 'Received.');
      assert.equal(await call('verdict', { value: 'yes' }), 'Received.');
      return 'Done.';
    },
    { onStep: (step) => steps.push(step) },
  )(episode);
  assert.deepEqual(await play.next(1, undefined), [
    {
      role: 'assistant',
      content: 'Done.',
      tool_calls: [
        { name: 'letter', input: { to: 'you' } },
        { name: 'verdict', input: { value: 'yes' } },
      ],
    },
  ]);
  assert.deepEqual(
    steps.map(({ message }) => textOf(message)),
    ['Done.'],
  );
  assert.equal(await play.next(2, { observation: { content: 'Thanks.' } }), undefined);
});

test('a function’s answer goes to the call that asked, by name and order', async () => {
  const heard: string[] = [];
  const play = operator(async ({ call }) => {
    // A library may look at each call before it runs it: they do not begin in the same instant.
    const soon = async (): Promise<string> => {
      for (let step = 0; step < 20; step++) await Promise.resolve();
      return call('look', { at: 2 });
    };
    heard.push(...(await Promise.all([call('letter', {}), call('look', { at: 1 }), soon()])));
    return 'I see.';
  })(episode);
  const [first] = (await play.next(1, undefined))!;
  assert.deepEqual(
    first?.tool_calls?.map(({ name }) => name),
    ['letter', 'look', 'look'],
  );
  const results = [
    { name: 'letter', output: 'filed' },
    { name: 'look', output: 'one' },
    { name: 'look', output: 'two' },
  ];
  const [second] = (await play.next(2, { observation: { content: 'And?' }, results }))!;
  assert.deepEqual(heard, ['Received.', 'one', 'two\n\nMeanwhile the person said: And?']);
  assert.deepEqual(second, { role: 'assistant', content: 'I see.' });
});
