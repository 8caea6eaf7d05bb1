import { WhetstoneError } from '../base/host/errors.ts';
import { nearestNames } from '../base/schema/check/nearest-names.ts';
import type { Adapter } from './adapter.ts';
import { adapter as anthropic } from './anthropic/adapter.ts';
import { adapter as bedrockConverse } from './bedrock-converse/adapter.ts';
import { bedrockInvoke, unwrapNamed, unwrapTyped } from './bedrock-invoke.ts';
import { adapter as cohere } from './cohere/adapter.ts';
import { adapter as gemini, vertexAdapter as vertexGemini } from './gemini/adapter.ts';
import { adapter as geminiInteractions } from './gemini-interactions/adapter.ts';
import { adapter as ollama } from './ollama/adapter.ts';
import { chatAdapter } from './openai-chat/adapter.ts';
import { hosts } from './openai-chat/hosts.ts';
import { adapter as openaiResponses } from './openai-responses/adapter.ts';
import { vertexAnthropic } from './vertex-anthropic.ts';

/** Every API that Whetstone speaks, by the name it has in events, records and on the command line. */
const adapters: Readonly<Record<string, Adapter>> = {
  anthropic,
  'bedrock-converse': bedrockConverse,
  'bedrock-invoke-anthropic': bedrockInvoke(anthropic, bedrockConverse.access, {
    api: 'bedrock-invoke-anthropic',
    fields: { anthropic_version: 'bedrock-2023-05-31' },
    unwrap: unwrapTyped,
  }),
  'bedrock-invoke-nova': bedrockInvoke(bedrockConverse, bedrockConverse.access, {
    api: 'bedrock-invoke-nova',
    fields: { schemaVersion: 'messages-v1' },
    unwrap: unwrapNamed,
  }),
  cohere,
  gemini,
  'gemini-interactions': geminiInteractions,
  mistral: chatAdapter(hosts.mistral),
  ollama,
  'openai-chat': chatAdapter(hosts.openai),
  'openai-chat-compat': chatAdapter(hosts.compatible),
  'openai-responses': openaiResponses,
  'vertex-anthropic': vertexAnthropic(anthropic),
  'vertex-gemini': vertexGemini,
};

/** Which adapter serves `provider/model`. */
const providers: Readonly<Record<string, Adapter>> = {
  anthropic,
  bedrock: bedrockConverse,
  cohere,
  google: gemini,
  gemini,
  ollama,
  'openai-responses': openaiResponses,
  'gemini-interactions': geminiInteractions,
  vertex: vertexGemini,
  'vertex-anthropic': vertexAnthropic(anthropic),
  ...Object.fromEntries(Object.values(hosts).map((host) => [host.name, chatAdapter(host)])),
};

export const apiNames: readonly string[] = Object.keys(adapters);

/** The adapter of an API by its name. */
export function adapterOf(api: string): Adapter {
  const found = Object.hasOwn(adapters, api) ? adapters[api] : undefined;
  if (found !== undefined) return found;
  throw new WhetstoneError(
    'api_unknown',
    `There is no API "${api}".${meant(api, apiNames)} Known: ${apiNames.join(', ')}.`,
    {
      details: { api },
    },
  );
}

/** Splits `openai/gpt-…` and finds who serves it; a model's own name may hold slashes. */
export function placeModel(name: string): {
  readonly provider: string;
  readonly model: string;
  readonly adapter: Adapter;
} {
  if (typeof (name as unknown) !== 'string')
    throw new WhetstoneError(
      'model_unplaced',
      `The name of a model is ${String(name)}. Write provider/model, for example openai/gpt-5; is the variable set that it comes from?`,
      { details: { name } },
    );
  const slash = name.indexOf('/');
  const provider = slash < 0 ? '' : name.slice(0, slash);
  const adapter = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (adapter !== undefined && slash < name.length - 1)
    return { provider, model: name.slice(slash + 1), adapter };
  throw new WhetstoneError('model_unplaced', whyUnplaced(name, provider, adapter !== undefined), {
    details: { name },
  });
}

function whyUnplaced(name: string, provider: string, isKnown: boolean): string {
  if (isKnown)
    return `"${name}" names no model of ${provider}. Write it behind the slash: ${provider}/MODEL.`;
  const known = Object.keys(providers);
  const hint = provider === '' ? likelyProvider(name) : meant(provider, known);
  return `Who serves the model "${name}"?${hint} Write provider/model, for example openai/gpt-5. Providers: ${known.join(', ')}.`;
}

/** Families of models whose maker is known by their names. */
const makers: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt|o\d|chatgpt|codex)/, 'openai'],
  [/^claude/, 'anthropic'],
  [/^gemini/, 'google'],
  [/^(?:mistral|ministral|codestral|magistral|devstral)/, 'mistral'],
  [/^command/, 'cohere'],
  [/^grok/, 'xai'],
  [/^deepseek/, 'deepseek'],
];

function likelyProvider(model: string): string {
  const maker = makers.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1];
  return maker === undefined ? '' : ` Did you mean "${maker}/${model}"?`;
}

function meant(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known);
  return near.length === 0 ? '' : ` Did you mean ${near.map((each) => `"${each}"`).join(' or ')}?`;
}
