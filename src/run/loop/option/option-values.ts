import { show } from '../../../base/host/show.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { Price } from '../price.ts';
import type { RunOptions } from './options.ts';

/** What an option may be: a test of it, and the words for what passes. */
interface Expected {
  readonly fits: (value: unknown) => boolean;
  readonly words: string;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isList = (value: unknown): boolean => Array.isArray(value);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const has =
  (...methods: readonly string[]) =>
  (value: unknown): boolean =>
    isObject(value) &&
    methods.every((method) => typeof (value as Readonly<Record<string, unknown>>)[method] === 'function');

const isMilliseconds = (value: unknown): boolean =>
  typeof value === 'number' && value > 0 && Number.isFinite(value);

const text: Expected = { fits: isText, words: 'a text' };
const filled: Expected = {
  fits: (value) => isText(value) && value !== '',
  words: 'a text that is not empty; is the variable that it comes from set?',
};
const flag: Expected = { fits: (value) => typeof value === 'boolean', words: 'true or false' };
const list: Expected = { fits: isList, words: 'a list' };
const object: Expected = { fits: (value) => isObject(value) && !isList(value), words: 'an object' };
const fun: Expected = { fits: (value) => typeof value === 'function', words: 'a function' };

function number(least: number, whole = false): Expected {
  const words = `a ${whole ? 'whole ' : ''}number${Number.isFinite(least) ? ` from ${least} on` : ''}`;
  return {
    fits: (value) =>
      typeof value === 'number' &&
      value >= least &&
      (whole ? Number.isInteger(value) : Number.isFinite(value)),
    words,
  };
}

function oneOf(...words: readonly string[]): Expected {
  return {
    fits: (value) => words.includes(value as string),
    words: words.map((word) => JSON.stringify(word)).join(' or '),
  };
}

const expected: { readonly [Name in keyof RunOptions]?: Expected } = {
  system: text,
  prompt: {
    fits: (value) => isText(value) || (Array.isArray(value) && value.every(isPart)),
    words: 'a text, or a list of parts such as { type: "text", text }',
  },
  injected: object,
  toolChoice: {
    fits: isChoice,
    words: '"auto", "none", "required", { name } or { allowed: [names], mode: "auto" or "required" }',
  },
  limits: object,
  atLimit: oneOf('stop', 'answer'),
  signal: { fits: has('addEventListener'), words: 'an AbortSignal' },
  replyRetries: number(0, true),
  repair: flag,
  coerce: flag,
  editable: {
    fits: (value) => typeof value === 'boolean' || isList(value),
    words: 'true, false or a list of names',
  },
  approve: fun,
  approvalTimeout: {
    fits: (value) =>
      isMilliseconds(value) ||
      (isObject(value) &&
        isMilliseconds((value as { after?: unknown }).after) &&
        ['reject', 'wait'].includes((value as { then?: string }).then ?? '')),
    words: 'milliseconds above 0, or { after: milliseconds, then: "reject" or "wait" }',
  },
  approvalRules: list,
  approvalMemory: { fits: has('rules', 'add'), words: 'a memory, such as approvalFiles({ project }) makes' },
  approvals: list,
  answers: list,
  prepareStep: {
    fits: (value) => [value].flat().every((each) => typeof each === 'function'),
    words: 'a function of what is known before a step, or a list of such functions',
  },
  cache: oneOf('auto'),
  journal: { fits: has('read', 'append'), words: 'a journal, such as fileJournal(folder) makes' },
  runId: filled,
  output: {
    fits: (value) => isObject(value) || typeof value === 'function',
    words: 'a schema, or { schema }',
  },
  prices: {
    fits: (value) => isObject(value) && Object.values(value as object).every(isPrice),
    words: 'a price for each model: { "openai/gpt-…": { input: 1.25, output: 10 } }, per million tokens',
  },
  on: {
    fits: (value) => typeof value === 'function' || (isObject(value) && !isList(value)),
    words: 'a function of events, or an object with event, beforeCall, afterCall or beforeReply',
  },
  clock: { fits: has('now', 'after'), words: 'a clock with now() and after()' },
  maxOutputTokens: number(1, true),
  temperature: number(0),
  topP: number(0),
  seed: number(-Infinity, true),
  stop: { fits: (value) => Array.isArray(value) && value.every(isText), words: 'a list of texts' },
  reasoning: object,
  tokens: object,
  providerOptions: object,
  parallelCalls: flag,
};

/** The first option whose value means nothing, in words; undefined where all mean something. */
export function wrongValue(options: RunOptions): string | undefined {
  for (const [name, { fits, words }] of Object.entries(expected)) {
    const value: unknown = options[name as keyof RunOptions];
    if (value === undefined || fits(value)) continue;
    return `The option \`${name}\` of a run is ${show(value)}; expected ${words}.`;
  }
  return undefined;
}

function isPart(value: unknown): boolean {
  const { type } = (value ?? {}) as { readonly type?: unknown };
  return type === 'text' || type === 'image' || type === 'document' || type === 'other';
}

function isPrice(value: unknown): boolean {
  const { input, output, cachedRead = 0, cachedWrite = 0, longer } = (value ?? {}) as Partial<Price>;
  const costs = [input, output, cachedRead, cachedWrite].every((cost) => Number.isFinite(cost) && cost! >= 0);
  return costs && (longer === undefined || (Number.isFinite(longer.than) && isPrice(longer)));
}

function isChoice(value: unknown): boolean {
  if (typeof value === 'string') return value === 'auto' || value === 'none' || value === 'required';
  if (!isJsonObject(value as JsonValue)) return false;
  const { name, allowed, mode } = value as Readonly<Record<string, unknown>>;
  if (isText(name)) return true;
  return Array.isArray(allowed) && allowed.every(isText) && (mode === 'auto' || mode === 'required');
}
