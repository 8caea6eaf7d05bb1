import { WhetstoneError } from '../base/host/errors.ts';
import { show } from '../base/host/show.ts';
import { isJsonObject } from '../base/json/value.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';
import type { Call } from '../base/message/call.ts';
import type { ImageLimits } from '../base/message/frame.ts';
import type { ToolSpec } from '../base/message/model.ts';
import type { AssistantMessage } from '../base/message/message.ts';
import type { Result } from '../base/message/result.ts';
import type { Adapter } from './adapter.ts';
import { adapterOf } from './catalog.ts';
import { listOf, objectOf, objectsOf, textOf } from './json-fields.ts';

type Family = 'anthropic' | 'openai-responses' | 'gemini' | 'gemini-interactions';

/** Which APIs carry the same blocks for a computer. */
const families: Readonly<Record<string, Family>> = {
  anthropic: 'anthropic',
  'vertex-anthropic': 'anthropic',
  'bedrock-invoke-anthropic': 'anthropic',
  'openai-responses': 'openai-responses',
  gemini: 'gemini',
  'vertex-gemini': 'gemini',
  'gemini-interactions': 'gemini-interactions',
};

/** The APIs whose models use computers by tools of the API's own. */
export const computerApis: readonly string[] = Object.keys(families);

/** The tools that a request may declare, newest last, and which family has them. */
const tools: Readonly<Record<string, Family>> = {
  computer_20241022: 'anthropic',
  computer_20250124: 'anthropic',
  computer_20251124: 'anthropic',
  computer_toolset_20260801: 'anthropic',
  browser_toolset_20260801: 'anthropic',
  computer_use_preview: 'openai-responses',
  computer: 'openai-responses',
};

/** The blocks in which one API's models ask for actions on a computer, and are answered. */
export class ComputerBlocks {
  readonly #family: Family;
  readonly #adapter: Adapter;
  readonly #tool: string | undefined;

  /** `tool` is the version that the request would declare; absent: the block says it. */
  constructor(api: string, tool?: string) {
    // An API that does not exist is said to be none, before it is said to have no such tool.
    adapterOf(api);
    const family = Object.hasOwn(families, api) ? families[api] : undefined;
    if (family === undefined)
      throw new WhetstoneError(
        'computer_option_invalid',
        `The models of "${api}" have no tool for a computer. Those that have: ${computerApis.join(', ')}.`,
      );
    const known = Object.keys(tools).filter((each) => tools[each] === family);
    if (tool !== undefined && !known.includes(tool))
      throw new WhetstoneError(
        'computer_option_invalid',
        `"${tool}" is not a computer tool of ${api}. Known: ${known.join(', ') || 'none, it needs no name'}.`,
      );
    this.#family = family;
    this.#adapter = adapterOf(family);
    this.#tool = tool;
  }

  /** An answer to every call ends with a picture: OpenAI takes nothing else, and Gemini expects one. */
  get wantsPicture(): boolean {
    return this.#family !== 'anthropic';
  }

  /** A block as the call that it is. Throws where it is none of this API. */
  read(block: JsonValue): Call {
    const fault = isJsonObject(block) ? faultOf(block, this.#family) : 'it is not an object';
    if (fault !== undefined || !isJsonObject(block))
      throw new WhetstoneError(
        'computer_call_unreadable',
        `This is not a computer call in the format of ${this.#adapter.api}: ${fault}. It is ${show(block)}.`,
      );
    const reply = this.#adapter.readReply(bodyOf(block, this.#family), {
      tools: this.#adapter.writeRequest({ messages: [], tools: [hosted(this.#family)] }, { model: 'model' })
        .tools,
      makeId: () => madeUpId,
    });
    const call = reply.message.content.find((part): part is Call => part.type === 'call');
    if (call?.kind === 'computer') return call;
    throw new WhetstoneError(
      'computer_call_unreadable',
      `This is not a call of the computer tool: ${show(block)}.`,
    );
  }

  /** The answer to a call, as the API takes it. */
  write(call: Call, result: Result): JsonValue {
    const message: AssistantMessage = {
      role: 'assistant',
      content: [call],
      from: { api: this.#adapter.api, model: 'model' },
    };
    const { body } = this.#adapter.writeRequest(
      {
        messages: [{ role: 'user', content: 'Go on.' }, message, { role: 'tool', results: [result] }],
        tools: [hosted(this.#family)],
      },
      { model: 'model' },
    );
    return answerIn(body, this.#family, result);
  }

  /** What is said of a call that was not performed, because one before it in its turn failed. */
  notExecuted(call: Call): string {
    const isPage = call.providerData?.['anthropic']?.['toolset_name'] === 'browser';
    return `Not executed: an earlier ${isPage ? '' : 'computer '}action in this turn failed.`;
  }

  /** How large the pictures may be that the provider takes without making them smaller itself. */
  limits(call: Call | undefined): ImageLimits {
    if (this.#family === 'openai-responses') return { pixels: 10_240_000 };
    if (this.#family !== 'anthropic') return {};
    const toolset = call?.providerData?.['anthropic']?.['toolset_name'];
    const isToolset =
      this.#tool === undefined ? textOf(toolset) !== undefined : this.#tool.includes('toolset');
    return isToolset
      ? { longEdge: 2576, patches: { side: 28, count: 4784 } }
      : { longEdge: 1568, pixels: 1_150_000 };
  }
}

/** Given to a call of Gemini that has no id, and not written back. */
const madeUpId = 'call_without_id';

function hosted(family: Family): ToolSpec {
  const entries: Readonly<Record<Family, JsonObject>> = {
    anthropic: { type: 'computer_20251124', name: 'computer' },
    'openai-responses': { type: 'computer' },
    gemini: { computerUse: { environment: 'ENVIRONMENT_BROWSER' } },
    'gemini-interactions': { type: 'computer_use', environment: 'browser' },
  };
  return { kind: 'hosted', name: 'computer', api: family, entry: entries[family] };
}

/** Why a block is not a call of this API; what is wrong inside its action is told when it is performed. */
function faultOf(block: JsonObject, family: Family): string | undefined {
  const { type } = block;
  switch (family) {
    case 'anthropic': {
      if (type !== 'tool_use') return `its type is not "tool_use"`;
      if (!isFilled(block['id']) || !isFilled(block['name'])) return 'it must have an id and a name';
      if (!isJsonObject(block['input'])) return 'its input must be an object';
      const toolset = block['toolset_name'] ?? undefined;
      if (toolset === undefined)
        return isFilled(block['input']['action'])
          ? undefined
          : 'it has no toolset_name, and its input no action';
      return toolset === 'computer' || toolset === 'browser'
        ? undefined
        : 'its toolset_name is neither "computer" nor "browser"';
    }
    case 'openai-responses':
      if (type !== 'computer_call') return `its type is not "computer_call"`;
      if (!isFilled(block['call_id'])) return 'it must have a call_id';
      if (block['actions'] === undefined || block['actions'] === null)
        return isJsonObject(block['action']) ? undefined : 'it must have an action, or a list of actions';
      return Array.isArray(block['actions']) &&
        block['actions'].length > 0 &&
        block['actions'].every(isJsonObject)
        ? undefined
        : 'its actions must be a list of at least one action';
    case 'gemini': {
      const call = block['functionCall'];
      if (!isJsonObject(call)) return 'it has no functionCall';
      if (!isFilled(call['name'])) return 'its functionCall must have a name';
      return call['args'] === undefined || isJsonObject(call['args'])
        ? undefined
        : 'its args must be an object';
    }
    case 'gemini-interactions':
      if (type !== 'function_call') return `its type is not "function_call"`;
      if (!isFilled(block['id']) || !isFilled(block['name'])) return 'it must have an id and a name';
      return block['arguments'] === undefined || isJsonObject(block['arguments'])
        ? undefined
        : 'its arguments must be an object';
  }
}

/** A reply that holds the block and nothing else. */
function bodyOf(block: JsonObject, family: Family): JsonObject {
  switch (family) {
    case 'anthropic':
      return { content: [block], stop_reason: 'tool_use' };
    case 'openai-responses': {
      const { actions, ...rest } = block;
      return { output: [actions === null ? rest : block], status: 'completed' };
    }
    case 'gemini':
      return { candidates: [{ content: { role: 'model', parts: [block] }, finishReason: 'STOP' }] };
    case 'gemini-interactions':
      return { steps: [block], outputs: [block], status: 'requires_action' };
  }
}

/** The answer out of a request that ends with it. */
function answerIn(body: JsonObject, family: Family, result: Result): JsonValue {
  switch (family) {
    case 'anthropic':
      return listOf(objectsOf(body['messages']).at(-1)?.['content'])[0] ?? null;
    case 'openai-responses': {
      const output = objectsOf(body['input']).find(({ type }) => type === 'computer_call_output') ?? null;
      if (result.isError !== true) return output;
      const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
      return [output, { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }];
    }
    case 'gemini':
      return listOf(objectsOf(body['contents']).at(-1)?.['parts'])[0] ?? null;
    case 'gemini-interactions': {
      const step = objectOf(objectsOf(body['input']).at(-1));
      const told = step['result'];
      return typeof told === 'string' ? { ...step, result: [{ type: 'text', text: told }] } : step;
    }
  }
}

function isFilled(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
