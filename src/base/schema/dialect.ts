import { WhetstoneError } from '../host/errors.ts';

/** The forms in which providers take JSON Schema. */
export const dialects = [
  'openai-strict',
  'anthropic-strict',
  'gemini-parameters',
  'gemini-json-schema',
  'openai',
  'anthropic',
  'bedrock',
  'mistral',
  'cohere',
  'ollama',
  'as-is',
] as const;

export type Dialect = (typeof dialects)[number];

export function readDialect(name: unknown): Dialect {
  const found = dialects.find((dialect) => dialect === name);
  if (found) return found;
  throw new WhetstoneError(
    'dialect_unknown',
    `There is no schema dialect "${String(name)}". Known: ${dialects.join(', ')}.`,
    { details: { name, known: dialects } },
  );
}
