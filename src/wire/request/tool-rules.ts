import type { Dialect } from '../../base/dialect/dialect.ts';
import type { NameRules } from '../../base/schema/name.ts';

/** What an API takes of tools. */
export interface ToolRules {
  readonly names: NameRules;
  /** The form of a schema that is not enforced. */
  readonly schema: Dialect;
  /** The form of a schema that the provider enforces; absent where it enforces none tool by tool. */
  readonly strict?: Dialect;
  /**
   * Whether a tool that says nothing of strictness is enforced where its schema fits as it is. Only OpenAI does so
   * at no cost: elsewhere it takes compile time, a share of small budgets, or a newer model.
   */
  readonly strictByItself: boolean;
  /** Tools that take free text; elsewhere they are written as a function with the one member `input`. */
  readonly freeText: boolean;
  /** A conversation must begin with the user. */
  readonly userFirst?: boolean;
}

const plain = { strictByItself: false, freeText: false } as const;
const openai = {
  names: 'openai',
  schema: 'openai',
  strict: 'openai-strict',
  strictByItself: true,
  freeText: true,
} as const;

/** By the name of the API. */
const rules: Readonly<Record<string, ToolRules>> = {
  'openai-chat': openai,
  'openai-responses': openai,
  anthropic: {
    ...plain,
    userFirst: true,
    names: 'anthropic',
    schema: 'anthropic',
    strict: 'anthropic-strict',
  },
  gemini: { ...plain, userFirst: true, names: 'gemini', schema: 'gemini-json-schema' },
  'gemini-interactions': { ...plain, names: 'gemini', schema: 'gemini-json-schema' },
  'bedrock-converse': {
    ...plain,
    userFirst: true,
    names: 'bedrock',
    schema: 'bedrock',
    strict: 'anthropic-strict',
  },
  mistral: { ...plain, names: 'mistral', schema: 'mistral', strict: 'openai-strict' },
  cohere: { ...plain, names: 'cohere', schema: 'cohere' },
  ollama: { ...plain, names: 'ollama', schema: 'ollama' },
};

export function toolRulesOf(api: string): ToolRules {
  return rules[api] ?? { ...plain, names: 'openai', schema: 'as-is' };
}
