import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  AIMessageChunk,
  coerceMessageLikeToMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import { DynamicStructuredTool, tool as theirTool } from '@langchain/core/tools';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { z } from 'zod';
import { z as zod3 } from 'zod-3';

import { checkHistory } from '../../../base/message/check-history.ts';
import type { Message } from '../../../base/message/message.ts';
import { mockModel } from '../../../wire/mock/model.ts';
import { run } from '../../loop/run.ts';
import { tool } from '../../tool/define-tool.ts';
import { toolOutput } from '../../tool/output.ts';
import {
  fromLangChainMessages,
  fromLangChainTools,
  langchainModel,
  toLangChainMessages,
  toLangChainTools,
} from './index.ts';

const classes = { DynamicStructuredTool, ToolMessage };

const weather = tool({
  name: 'weather',
  description: 'Weather of a city',
  input: z.object({ city: z.string() }),
  run: ({ city }) => toolOutput(`Rain in ${city}`, { artifact: { mm: 3 } }),
});

test('a tool of ours is a tool of theirs: a call of a graph gets a ToolMessage, whatever its arguments are', async () => {
  const [bridged] = toLangChainTools([weather], classes);
  assert.ok(bridged instanceof DynamicStructuredTool);
  const ask = (args: object) => bridged.invoke({ type: 'tool_call', id: 'a', name: 'weather', args });
  const good = (await ask({ city: 'Oslo' })) as ToolMessage;
  assert.ok(good instanceof ToolMessage);
  assert.deepEqual(
    [good.text, good.tool_call_id, good.status, good.artifact],
    ['Rain in Oslo', 'a', 'success', { mm: 3 }],
  );
  const bad = (await ask({ city: 5 })) as ToolMessage;
  assert.deepEqual([bad.status, bad.tool_call_id], ['error', 'a']);
  assert.match(bad.text, /city: expected a string, got 5/);
  assert.equal(await bridged.invoke({ city: 'Oslo' }), 'Rain in Oslo');
});

test('tools of theirs, with schemas of Zod 4, Zod 3 and JSON Schema, run as ours', async () => {
  const look = ({ id }: { id: number }) => `row ${id}`;
  const about = { name: 'look', description: 'Looks up' };
  const schema = { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] } as const;
  for (const theirs of [
    theirTool(look, { ...about, schema: z.object({ id: z.number() }) }),
    theirTool(look, { ...about, schema: zod3.object({ id: zod3.number() }) as never }),
    theirTool(look as never, { ...about, schema }),
    theirTool(({ id }: { id: number }) => [`row ${id}`, { id }], {
      ...about,
      schema: z.object({ id: z.number() }),
      responseFormat: 'content_and_artifact',
    }),
  ]) {
    const { calls } = await run({
      model: mockModel([
        { calls: [{ name: 'look', arguments: { id: 'x' } }] },
        { calls: [{ name: 'look', arguments: { id: 7 } }] },
        'Done.',
      ]),
      tools: fromLangChainTools([theirs]),
      prompt: 'Look.',
    });
    const [wrong, right] = calls;
    assert.equal(wrong?.result.errorCode, 'invalid_arguments');
    assert.match(JSON.stringify(wrong.result.content), /id: expected a number/);
    assert.match(JSON.stringify(right?.result.content), /row 7/);
  }
});

test('messages go to their classes and come back, also by way of what they store', () => {
  const history: readonly Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Rain?' }, picture] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        {
          ...{ type: 'call', id: 'a', name: 'weather', arguments: { city: 'Oslo' } },
          ...{ kind: 'function', requiresLocalExecution: true },
        },
      ],
    },
    {
      role: 'tool',
      results: [{ callId: 'a', name: 'weather', content: [{ type: 'text', text: 'Rain' }], isError: true }],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'It rains.' }] },
  ];
  const theirs = toLangChainMessages(history).map((message) => coerceMessageLikeToMessage(message as never));
  assert.deepEqual(
    theirs.map(({ constructor }) => constructor),
    [SystemMessage, HumanMessage, AIMessage, ToolMessage, AIMessage],
  );
  assert.deepEqual((theirs[2] as AIMessage).tool_calls?.[0]?.args, { city: 'Oslo' });
  assert.equal((theirs[3] as ToolMessage).status, 'error');
  const stored = JSON.parse(JSON.stringify(mapChatMessagesToStoredMessages(theirs))) as never;
  for (const back of [theirs, mapStoredMessagesToChatMessages(stored)])
    assert.deepEqual(fromLangChainMessages(back), history);
});

const picture = {
  type: 'image',
  source: { kind: 'base64', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
} as const;

test('chunks that their classes merged are one message of ours, and a call that broke off never runs', () => {
  const merged = [
    new AIMessageChunk({ content: 'I ' }),
    new AIMessageChunk({
      content: 'look.',
      tool_call_chunks: [{ index: 0, id: 'a', name: 'weather', args: '{"city"' }],
    }),
    new AIMessageChunk({ content: '', tool_call_chunks: [{ index: 0, args: ':"Oslo"}' }] }),
    new AIMessageChunk({
      content: '',
      tool_call_chunks: [{ index: 1, id: 'b', name: 'weather', args: '{"ci' }],
    }),
  ].reduce((all, chunk) => all.concat(chunk));
  const [message] = fromLangChainMessages([merged]);
  assert.equal(message?.role, 'assistant');
  const calls = message.content.flatMap((part) => (part.type === 'call' ? [part] : []));
  assert.deepEqual(calls[0]?.arguments, { city: 'Oslo' });
  for (const call of calls.slice(1)) assert.ok(call.invalid ?? Object.keys(call.arguments).length === 0);
});

test('a chat model of theirs plays a run of ours, and takes the history that it leaves', async () => {
  const asked: BaseMessage[][] = [];
  const replies = [
    [
      new AIMessageChunk({
        content: 'I look.',
        tool_call_chunks: [{ index: 0, id: 'a', name: 'weather', args: '{"ci' }],
      }),
      new AIMessageChunk({
        content: '',
        tool_call_chunks: [{ index: 0, args: 'ty":"Oslo"}' }],
        response_metadata: { finish_reason: 'tool_calls' },
        usage_metadata: { input_tokens: 3, output_tokens: 4, total_tokens: 7 } as never,
      }),
    ],
    [new AIMessageChunk({ content: 'Rain.', response_metadata: { finish_reason: 'stop' } })],
  ];
  class Scripted extends BaseChatModel {
    override _llmType(): string {
      return 'scripted';
    }
    override bindTools(): this {
      return this;
    }
    override _generate(): never {
      assert.fail('It was to stream.');
    }
    override async *_streamResponseChunks(messages: BaseMessage[]): AsyncGenerator<ChatGenerationChunk> {
      asked.push(messages);
      for (const message of replies[asked.length - 1] ?? [])
        yield new ChatGenerationChunk({ message, text: message.text });
    }
  }
  const model = langchainModel(new Scripted({}) as never);
  const outcome = await run({ model, tools: [weather], prompt: 'Rain in Oslo?' });
  assert.equal(outcome.text, 'Rain.');
  assert.deepEqual(outcome.calls[0]?.result.artifact, { mm: 3 });
  assert.equal(outcome.usage.total, 7);
  assert.deepEqual(checkHistory(outcome.messages), []);
  assert.deepEqual(
    asked[1]?.map((message) => message.getType()),
    ['human', 'ai', 'tool'],
  );
});
