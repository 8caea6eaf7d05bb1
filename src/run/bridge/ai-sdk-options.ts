import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import type { ProviderData } from '../../base/message/part.ts';
import { objectOf, omitUndefined } from '../../wire/json-fields.ts';

/** Who of the AI SDK's providers speaks an API, by the names under which they read their options; ours among them. */
interface Family {
  /** Under which our adapters read fields of their own. */
  readonly api: string;
  readonly names: readonly string[];
  /** Their options that are not a field of the body, or are elsewhere in it. */
  readonly words: Readonly<Record<string, Reading>>;
  /** Every other word becomes the body's: `serviceTier` is `service_tier`. Google's and Amazon's bodies say it as they do. */
  readonly snake: boolean;
}

/** What one of their options says: fields of the body, or what our own request has a word for. */
type Reading = (value: JsonValue) => { readonly body?: JsonObject; readonly request?: Partial<ModelRequest> };

const nothing: Reading = () => ({});
const field =
  (...path: readonly string[]): Reading =>
  (value) => ({
    body: path.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value) as JsonObject,
  });
const parallel: Reading = (value) => ({ request: { parallelCalls: value !== false } });
const tokens: Reading = (value) => ({
  request: value === false ? {} : { tokens: { logprobs: value === true ? true : Number(value) } },
});

/** Set by the AI SDK for itself, and never sent. */
const theirOwn = { structuredOutputs: nothing, strictJsonSchema: nothing, systemMessageMode: nothing };

const chatWords = {
  ...theirOwn,
  parallelToolCalls: parallel,
  logprobs: tokens,
  maxCompletionTokens: (value: JsonValue) => ({ request: { maxOutputTokens: Number(value) } }),
  textVerbosity: field('verbosity'),
};

const generation = (name: string): Reading => field('generationConfig', name);

const families: readonly Family[] = [
  {
    api: 'anthropic',
    names: ['anthropic', 'vertex', 'bedrock'],
    snake: true,
    words: {
      sendReasoning: nothing,
      structuredOutputMode: nothing,
      toolStreaming: nothing,
      anthropicBeta: nothing,
      disableParallelToolUse: (value) => ({ request: { parallelCalls: value !== true } }),
      effort: field('output_config', 'effort'),
      taskBudget: field('output_config', 'task_budget'),
    },
  },
  {
    api: 'openai-responses',
    names: ['openai', 'azure', 'openai-responses'],
    snake: true,
    words: {
      ...theirOwn,
      parallelToolCalls: parallel,
      logprobs: tokens,
      reasoningEffort: field('reasoning', 'effort'),
      reasoningSummary: field('reasoning', 'summary'),
      textVerbosity: field('text', 'verbosity'),
    },
  },
  {
    api: 'gemini',
    names: ['google', 'vertex', 'googleVertex', 'gemini'],
    snake: false,
    words: {
      ...theirOwn,
      streamFunctionCallArguments: nothing,
      retrievalConfig: field('toolConfig', 'retrievalConfig'),
      ...Object.fromEntries(
        ['thinkingConfig', 'responseModalities', 'audioTimestamp', 'mediaResolution', 'imageConfig'].map(
          (name) => [name, generation(name)],
        ),
      ),
    },
  },
  {
    api: 'bedrock-converse',
    names: ['bedrock', 'amazonBedrock', 'bedrock-converse'],
    snake: false,
    words: {
      reasoningConfig: (value) => ({
        body: { additionalModelRequestFields: { reasoning_config: snakeKeys(value) } },
      }),
      serviceTier: (value) => ({ body: { serviceTier: isJsonObject(value) ? value : { type: value } } }),
    },
  },
  { api: 'mistral', names: ['mistral'], snake: true, words: chatWords },
  { api: 'cohere', names: ['cohere'], snake: true, words: {} },
  { api: 'ollama', names: ['ollama'], snake: true, words: {} },
];

const sameBody: Readonly<Record<string, string>> = {
  'vertex-anthropic': 'anthropic',
  'bedrock-invoke-anthropic': 'anthropic',
  'vertex-gemini': 'gemini',
  'bedrock-invoke-nova': 'bedrock-converse',
};

function familyOf(api: string, provider: string): Family {
  const known = families.find((family) => family.api === (sameBody[api] ?? api));
  // Chat Completions has many hosts, each with options under its own name; OpenAI's are understood by most.
  return (
    known ?? { api, names: ['openai', 'openaiCompatible', provider, api], words: chatWords, snake: true }
  );
}

/**
 * The AI SDK's `providerOptions` of a request in our words and in the words of the body: what it calls
 * `reasoningEffort` is `reasoning_effort` there. Options of other providers are not for this model.
 */
export function readProviderOptions(
  given: JsonValue | undefined,
  model: { readonly api: string; readonly provider: string },
): Partial<ModelRequest> {
  const family = familyOf(model.api, model.provider);
  let body: JsonObject = {};
  let request: Partial<ModelRequest> = {};
  for (const [name, value] of optionsFor(given, family)) {
    const reading = Object.hasOwn(family.words, name) ? family.words[name] : undefined;
    const own = { [name]: value };
    const said: ReturnType<Reading> = reading?.(value) ?? {
      body: objectOf(family.snake ? snakeKeys(own) : own),
    };
    body = merge(body, said.body);
    request = { ...request, ...said.request };
  }
  return Object.keys(body).length === 0 ? request : { ...request, providerOptions: { [family.api]: body } };
}

function optionsFor(given: JsonValue | undefined, family: Family): readonly (readonly [string, JsonValue])[] {
  if (!isJsonObject(given)) return [];
  return [...new Set(family.names)].flatMap((name) => {
    const options = given[name];
    return isJsonObject(options) ? Object.entries(options) : [];
  });
}

/**
 * What a part carries for its provider. What we gave ourselves comes back as it went; of what a program says in the
 * AI SDK's words, the mark for a cache is understood.
 */
export function readPartOptions(given: JsonValue | undefined): ProviderData | undefined {
  if (!isJsonObject(given)) return undefined;
  const read = Object.entries(given).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
  return Object.fromEntries(
    read.map(([name, { cacheControl, ...fields }]) => [
      name,
      omitUndefined({ ...fields, cache_control: fields['cache_control'] ?? cacheControl }) as JsonObject,
    ]),
  );
}

/** Names in them are the caller's own. */
const namedByCaller = new Set(['metadata', 'logit_bias', 'labels', 'extra_body']);

function snakeKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(snakeKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const said = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      if (said === 'metadata' && isJsonObject(inner) && 'userId' in inner)
        return [said, snakeKeys(inner as JsonObject)];
      return [said, namedByCaller.has(said) ? (inner as JsonValue) : snakeKeys(inner as JsonValue)];
    }),
  );
}

function merge(into: JsonObject, more: JsonObject | undefined): JsonObject {
  const merged: Record<string, JsonValue> = { ...into };
  for (const [name, value] of Object.entries(more ?? {})) {
    const known = merged[name];
    merged[name] = isJsonObject(known) && isJsonObject(value) ? merge(known, value) : (value as JsonValue);
  }
  return merged;
}
