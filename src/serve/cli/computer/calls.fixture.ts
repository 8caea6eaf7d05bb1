/** Calls in the words of each API, and a page that answers them as the command does. */
import assert from 'node:assert/strict';

import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { PageRig, Received } from '../../../run/computer/browser/page.fixture.ts';
import { readPng } from '../../../run/display/picture/png.ts';
import { ComputerBlocks } from '../../../wire/computer-block.ts';
import { answerLine, type LineAnswer } from './answer-line.ts';
import { displaySize } from './options.ts';

export interface Asking {
  readonly api?: string;
  readonly tool?: string;
  readonly display?: { readonly width: number; readonly height: number };
  readonly acknowledge?: boolean;
}

export const claude = (action: string, input: JsonObject = {}): JsonObject => ({
  type: 'tool_use',
  id: 'toolu_1',
  name: 'computer',
  input: { action, ...input },
});
export const member = (name: string, input: JsonObject = {}, toolset_name = 'computer'): JsonObject => ({
  type: 'tool_use',
  id: 'toolu_2',
  name,
  toolset_name,
  input,
});
export const gpt = (...actions: readonly JsonObject[]): JsonObject => ({
  type: 'computer_call',
  id: 'cu_2',
  call_id: 'call_2',
  actions,
  status: 'completed',
});
export const gemini = (name: string, args: JsonObject = {}, id?: string): JsonObject => ({
  functionCall: { name, args, ...(id !== undefined && { id }) },
});
export const openai: Asking = { api: 'openai-responses' };
export const google: Asking = { api: 'gemini' };

export interface Answering {
  /** Answers a line as the command does. */
  readonly line: (call: JsonValue, asking?: Asking) => Promise<LineAnswer>;
  /** Done, or the test fails with what was wrong. */
  readonly done: (call: JsonValue, asking?: Asking) => Promise<LineAnswer>;
  /** What the page received of some kinds meanwhile. */
  readonly received: (
    kinds: readonly string[],
    ...calls: readonly (readonly [JsonValue, Asking?])[]
  ) => Promise<readonly Received[]>;
  readonly refused: (call: JsonValue, code: string, asking?: Asking) => Promise<LineAnswer>;
}

export function answering(rig: () => PageRig): Answering {
  const line: Answering['line'] = (call, { api = 'anthropic', tool, display, acknowledge = false } = {}) => {
    const { computer, session } = rig();
    const blocks = new ComputerBlocks(api, tool);
    return answerLine(typeof call === 'string' ? call : JSON.stringify(call), {
      blocks,
      performer: session,
      display: displaySize({ api, ...(display && { display }) }, computer.screen, blocks),
      acknowledge,
      signal: new AbortController().signal,
    });
  };
  const done: Answering['done'] = async (call, asking) => {
    const answer = await line(call, asking);
    assert.equal(answer.error, undefined);
    assert.equal(answer.ok, true);
    return answer;
  };
  return {
    line,
    done,
    async received(kinds, ...calls) {
      await rig().received();
      for (const [call, asking] of calls) await done(call, asking);
      return rig().received(...kinds);
    },
    async refused(call, code, asking) {
      const answer = await line(call, asking);
      assert.equal(answer.ok, false, JSON.stringify(call));
      assert.equal(answer.error?.code, code, String(answer.error?.message));
      return answer;
    },
  };
}

export const textOf = ({ result }: LineAnswer): string => {
  const content = (result as { readonly content?: readonly { readonly text?: string }[] }).content ?? [];
  return content.map(({ text }) => text ?? '').join('');
};
export const pictureOf = (answer: LineAnswer): ReturnType<typeof readPng> => {
  const found = /iVBORw0KGgo[\w+/=]+/.exec(JSON.stringify(answer.result))?.[0];
  assert.ok(found, 'there is no picture');
  return readPng(Buffer.from(found, 'base64'));
};
