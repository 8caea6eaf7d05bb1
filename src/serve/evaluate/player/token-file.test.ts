import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { assistantMessage } from '../../../base/message/message.ts';
import type { Model, ModelRequest, Reply } from '../../../base/message/model.ts';
import { readTokenLines } from '../../../eval/exchange/token-lines.ts';
import { TokenFile } from './token-file.ts';

const room = mkdtempSync(join(tmpdir(), 'whet-tokens-'));
after(() => rmSync(room, { recursive: true }));

const reply = (told: Pick<Reply, 'tokens' | 'by'>): Reply => ({
  message: assistantMessage([{ type: 'text', text: 'Hello' }]),
  finish: { reason: 'stop' },
  complete: true,
  ...told,
});

test('the tokens that a provider tells are read back by episode and reply; what it does not tell is counted', async () => {
  const replies = [
    reply({
      tokens: { ids: [5, 6], promptIds: [1, 2, 3], logprobs: [{ token: 'Hel', logprob: -0.5 }] },
      by: 'policy-7',
    }),
    reply({}),
    reply({ tokens: { ids: [9] } }),
  ];
  const asked: ModelRequest[] = [];
  const model: Model = {
    name: 'm',
    api: 'mock',
    capabilities: { images: false, tools: true, parallelCalls: true, strict: false },
    generate: () => Promise.reject(new Error('It is only streamed.')),
    async *stream(request) {
      asked.push(request);
      yield { type: 'finish', reply: replies.shift()! };
    },
  };
  const file = join(room, 'tokens.jsonl');
  const tokens = new TokenFile(file);
  const first = tokens.follow(model, 'ep_a');
  for (const playing of [first, first, tokens.follow(model, 'ep_b')])
    for await (const _ of playing.stream({ messages: [] }));
  assert.deepEqual(asked[0]?.tokens, { ids: true, logprobs: true });
  assert.deepEqual([tokens.told, tokens.untold], [2, 1]);
  assert.deepEqual(
    [...(await readTokenLines(file))],
    [
      [
        'ep_a',
        [{ reply: 0, promptIds: [1, 2, 3], ids: [5, 6], logprobs: [-0.5], policyVersion: 'policy-7' }],
      ],
      ['ep_b', [{ reply: 0, ids: [9] }]],
    ],
  );
});

test('a line that holds no tokens is named', async () => {
  const file = join(room, 'other.jsonl');
  for (const line of ['{"messages": []}', '{"episode_id": "ep_', '[]']) {
    writeFileSync(file, `\n${line}\n`);
    await assert.rejects(readTokenLines(file), {
      code: 'log_unreadable',
      message: /^Line 2 of .*other\.jsonl/,
    });
  }
});
