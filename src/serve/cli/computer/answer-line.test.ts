import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../../base/json/value.ts';
import type { CallOutcome, CallPerformer, CallRequest } from '../../../run/computer/session.ts';
import { ComputerBlocks } from '../../../wire/computer-block.ts';
import { answerLine, type LineOptions } from './answer-line.ts';

/** Does nothing, and fails where it is told to press the key F9. */
class Nobody implements CallPerformer {
  readonly asked: CallRequest[] = [];

  async perform(request: CallRequest): Promise<CallOutcome> {
    this.asked.push(request);
    const at = request.actions.findIndex(
      (action) => action.type === 'keypress' && action.keys.includes('F9'),
    );
    return {
      texts: [],
      url: 'http://page/',
      events: [],
      picture: Buffer.from('picture'),
      ...(at >= 0 && { failure: { code: 'computer_lost', message: 'It broke.', at } }),
    };
  }
}

function options(api: string, more: Partial<LineOptions> = {}): LineOptions {
  return {
    blocks: new ComputerBlocks(api),
    performer: new Nobody(),
    display: () => ({ width: 4, height: 3 }),
    acknowledge: false,
    signal: new AbortController().signal,
    ...more,
  };
}

const press = (id: string, key: string): JsonObject => ({
  type: 'tool_use',
  id,
  name: 'key',
  toolset_name: 'computer',
  input: { text: key },
});

test('the calls of a turn run in order and stop at the first that fails; the others are answered so', async () => {
  const line = JSON.stringify([press('a', 'a'), press('b', 'F9'), press('c', 'c')]);
  const answer = await answerLine(line, options('anthropic'));
  assert.equal(answer.ok, false);
  assert.deepEqual(answer.error, { code: 'computer_lost', message: 'It broke.', at: 1 });
  const told = (answer.result as readonly JsonObject[]).map(({ tool_use_id, is_error, content }) => [
    tool_use_id,
    is_error,
    ((content as readonly JsonObject[])[0] as { text?: string }).text,
  ]);
  assert.deepEqual(told.slice(1), [
    ['b', true, 'It broke.'],
    ['c', true, 'Not executed: an earlier computer action in this turn failed.'],
  ]);
  assert.deepEqual(answer.actions[0], { type: 'keypress', keys: ['a'] });
});

test('a call that asks for consent is done only with it, and is acknowledged then', async () => {
  const openai = JSON.stringify({
    type: 'computer_call',
    call_id: 'a',
    action: { type: 'wait' },
    pending_safety_checks: [{ id: 'cu_sc_1', code: 'malicious_instructions', message: 'Is this meant?' }],
  });
  const careful = options('openai-responses');
  const refused = await answerLine(openai, careful);
  assert.equal(refused.error?.code, 'safety_unacknowledged');
  assert.match(refused.error.message, /Is this meant\?/);
  assert.ok(!JSON.stringify(refused.result).includes('acknowledged_safety_checks'));
  assert.ok((careful.performer as Nobody).asked.every(({ actions }) => actions.length === 0));
  const agreed = await answerLine(openai, options('openai-responses', { acknowledge: true }));
  assert.deepEqual((agreed.result as JsonObject)['acknowledged_safety_checks'], [
    { id: 'cu_sc_1', code: 'malicious_instructions', message: 'Is this meant?' },
  ]);
  const gemini = JSON.stringify({
    functionCall: {
      name: 'take_screenshot',
      args: { safety_decision: { decision: 'require_confirmation', explanation: 'It buys.' } },
    },
  });
  assert.match((await answerLine(gemini, options('gemini'))).error?.message ?? '', /It buys\./);
  const { result } = await answerLine(gemini, options('gemini', { acknowledge: true }));
  const response = ((result as JsonObject)['functionResponse'] as JsonObject)['response'];
  assert.deepEqual(response, { url: 'http://page/', safety_acknowledgement: 'true' });
});

test('a line that is not a call is answered, and with no result', async () => {
  for (const line of ['', 'click', '[]', '{}', '[{"functionCall":{"name":"click"}}, 5]']) {
    const answer = await answerLine(line, options('gemini'));
    assert.deepEqual(
      [answer.ok, answer.result, answer.error?.code],
      [false, null, 'computer_call_unreadable'],
      line,
    );
  }
});
