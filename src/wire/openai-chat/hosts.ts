/**
 * What distinguishes one host of Chat Completions from another. OpenAI itself is the first row; a compatible host
 * says only where it differs.
 */
export interface ChatHost {
  readonly name: string;
  /** The name of the API in events, records and `providerData`; another than `openai-chat` only for a dialect of its own. */
  readonly api: string;
  readonly baseUrl: string;
  readonly keyVariable?: string;
  readonly maxTokens: 'max_completion_tokens' | 'max_tokens';
  readonly seed: 'seed' | 'random_seed';
  readonly requiredChoice: string;
  readonly namedChoice: boolean;
  readonly allowedChoice: boolean;
  readonly parallelFlag: boolean;
  readonly strict: boolean;
  /** Tools that do not ask for strictness get it where their schema fits as it is. */
  readonly strictByItself: boolean;
  readonly customTools: boolean;
  /** Refuses call ids that other hosts of its API give, or that were made up for a call that broke off. */
  readonly strictIds: boolean;
  readonly output: boolean;
  /** How a document is said in a message. */
  readonly documents: 'file' | 'document_url';
  /** How effort is asked for; absent: not at all. */
  readonly reasoning?: 'reasoning_effort' | 'reasoning';
  /** How reasoning goes back: under the field it came in, as a chunk of the content, or not at all. */
  readonly echoReasoning: 'field' | 'chunk' | false;
  /** Tells how likely tokens are, where it is asked. */
  readonly logprobs: boolean;
  /** Tells the ids of tokens, and how likely those of the prompt are. */
  readonly tokenIds: boolean;
  /** Streams carry usage only when `stream_options` asks for it. */
  readonly usageOnRequest: boolean;
}

const openai: ChatHost = {
  name: 'openai',
  api: 'openai-chat',
  baseUrl: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI_API_KEY',
  maxTokens: 'max_completion_tokens',
  seed: 'seed',
  requiredChoice: 'required',
  namedChoice: true,
  allowedChoice: true,
  parallelFlag: true,
  strict: true,
  strictByItself: true,
  customTools: true,
  strictIds: true,
  output: true,
  documents: 'file',
  reasoning: 'reasoning_effort',
  echoReasoning: false,
  logprobs: true,
  tokenIds: false,
  usageOnRequest: true,
};

const compatible: Omit<ChatHost, 'name' | 'baseUrl'> = {
  ...openai,
  maxTokens: 'max_tokens',
  allowedChoice: false,
  strict: false,
  strictByItself: false,
  customTools: false,
  strictIds: false,
  echoReasoning: 'field',
};

export const hosts = {
  openai,
  groq: host('groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY', {
    maxTokens: 'max_completion_tokens',
  }),
  xai: host('xai', 'https://api.x.ai/v1', 'XAI_API_KEY'),
  deepseek: host('deepseek', 'https://api.deepseek.com', 'DEEPSEEK_API_KEY', {
    strict: true,
    parallelFlag: false,
    output: false,
  }),
  openrouter: host('openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY', {
    strict: true,
    reasoning: 'reasoning',
  }),
  together: host('together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  fireworks: host('fireworks', 'https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'),
  azure: host('azure', '', 'AZURE_OPENAI_API_KEY', {
    strict: true,
    strictByItself: true,
    maxTokens: 'max_completion_tokens',
  }),
  alibaba: host('alibaba', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY'),
  huggingface: host('huggingface', 'https://router.huggingface.co/v1', 'HF_TOKEN'),
  mistral: host('mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY', {
    api: 'mistral',
    strictIds: true,
    requiredChoice: 'any',
    strict: true,
    seed: 'random_seed',
    documents: 'document_url',
    echoReasoning: 'chunk',
    logprobs: false,
    usageOnRequest: false,
  }),
  vllm: host('vllm', 'http://localhost:8000/v1', undefined, { tokenIds: true }),
  'llama.cpp': host('llama.cpp', 'http://localhost:8080/v1', undefined),
  /** Any other server; its base URL must be said. */
  compatible: host('compatible', '', undefined, { tokenIds: true }),
  lmstudio: host('lmstudio', 'http://localhost:1234/v1', undefined),
} as const satisfies Record<string, ChatHost>;

function host(
  name: string,
  baseUrl: string,
  keyVariable: string | undefined,
  differences: Partial<ChatHost> = {},
): ChatHost {
  const { keyVariable: _openaiKey, ...shared } = compatible;
  return { ...shared, name, baseUrl, ...(keyVariable === undefined ? {} : { keyVariable }), ...differences };
}
