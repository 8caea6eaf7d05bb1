import type { Model } from '../base/message/model.ts';
import { placeModel } from './catalog.ts';
import type { ModelOptions } from './transport/connection.ts';
import { providerModel } from './model.ts';

export { adapterOf, apiNames } from './catalog.ts';
export type {
  Access,
  Adapter,
  Chunk,
  ReadContext,
  RequestReport,
  StreamReader,
  StreamWriter,
  WriteOptions,
} from './adapter.ts';
export type { Timeouts } from './transport/http.ts';
export type { ModelOptions } from './transport/connection.ts';
export type { RetryOptions } from './transport/retry.ts';

/**
 * A model by its whole name, `provider/model`.
 * @example const model = modelNamed('openai/gpt-5');
 */
export function modelNamed(name: string, options: ModelOptions = {}): Model {
  const { provider, model, adapter } = placeModel(name);
  return providerModel(adapter, provider, model, options);
}

const from =
  (provider: string) =>
  (model: string, options: ModelOptions = {}): Model =>
    // A variable that is not set would be asked for as the model "undefined".
    modelNamed(`${provider}/${(model as string | undefined) ?? ''}`, options);

export const anthropic = from('anthropic');
export const azure = from('azure');
export const bedrock = from('bedrock');
export const cohere = from('cohere');
export const deepseek = from('deepseek');
export const fireworks = from('fireworks');
export const google = from('google');
export const groq = from('groq');
export const lmstudio = from('lmstudio');
export const mistral = from('mistral');
export const ollama = from('ollama');
export const openai = from('openai');
export const openrouter = from('openrouter');
export const together = from('together');
export const vertex = from('vertex');
export const vllm = from('vllm');
export const xai = from('xai');
