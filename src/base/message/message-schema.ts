import { WhetstoneError } from '../host/errors.ts';
import { show } from '../host/show.ts';
import type { JsonObject } from '../json/value.ts';
import { actionSchemas } from './action-schema.ts';

/** Counts up when a history that was valid would no longer be. */
export const messageSchemaVersion = 1;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const tokens = { type: 'number', minimum: 0 };
const object = { type: 'object' };
/** Anything, as long as it is JSON. */
const json = {};
const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });

function record(needed: JsonObject, optional: JsonObject = {}): JsonObject {
  return { type: 'object', properties: { ...needed, ...optional }, required: Object.keys(needed) };
}

function part(type: string, needed: JsonObject, optional: JsonObject = {}): JsonObject {
  return record({ type: { const: type }, ...needed }, { ...optional, providerData: ref('ProviderData') });
}

/** What a token needs to say of itself, and what it may. */
const tokenFields = [
  { token: text, logprob: { type: 'number' } },
  { id: tokens, bytes: listOf(tokens) },
] as const;

const textOrParts = (name: string): JsonObject => ({ anyOf: [text, listOf(ref(name))] });
const base64 = record({ kind: { const: 'base64' }, data: text, mediaType: text });
const address = record({ kind: { const: 'url' }, url: text }, { mediaType: text });
const written = record({ kind: { const: 'text' }, text });

const definitions: JsonObject = {
  Message: { anyOf: ['SystemMessage', 'UserMessage', 'AssistantMessage', 'ToolMessage'].map(ref) },
  SystemMessage: record(
    { role: { const: 'system' }, content: textOrParts('SystemPart') },
    { providerData: ref('ProviderData') },
  ),
  UserMessage: record(
    { role: { const: 'user' }, content: textOrParts('UserPart') },
    { providerData: ref('ProviderData') },
  ),
  AssistantMessage: record(
    { role: { const: 'assistant' }, content: listOf(ref('AssistantPart')) },
    { from: record({ api: text, model: text }), providerData: ref('ProviderData') },
  ),
  ToolMessage: record({ role: { const: 'tool' }, results: listOf(ref('Result')) }),

  SystemPart: { anyOf: ['TextPart', 'OtherPart'].map(ref) },
  UserPart: { anyOf: ['TextPart', 'ImagePart', 'DocumentPart', 'OtherPart'].map(ref) },
  ResultPart: { anyOf: ['TextPart', 'ImagePart', 'DocumentPart', 'OtherPart'].map(ref) },
  AssistantPart: {
    anyOf: [
      ...[
        'TextPart',
        'ImagePart',
        'ReasoningPart',
        'RefusalPart',
        'Call',
        'HostedResultPart',
        'OtherPart',
      ].map(ref),
      // An action is accepted wherever a call is.
      ref('Action'),
    ],
  },
  TextPart: part('text', { text }, { linkedToImage: flag }),
  ImagePart: part(
    'image',
    { source: { anyOf: [base64, address] } },
    { detail: { enum: ['auto', 'low', 'high', 'original'] } },
  ),
  DocumentPart: part('document', { source: { anyOf: [base64, address, written] } }, { title: text }),
  ReasoningPart: part('reasoning', { text }, { redacted: flag }),
  RefusalPart: part('refusal', { text }),
  HostedResultPart: part('hosted-result', { callId: text, name: text, content: json }, { isError: flag }),
  OtherPart: part('other', { api: text, raw: object }),

  Call: part(
    'call',
    {
      id: text,
      name: text,
      arguments: { type: ['string', 'object'] },
      kind: { enum: ['function', 'custom', 'computer'] },
      requiresLocalExecution: flag,
    },
    {
      couldBeStructuredOutput: flag,
      wireArguments: { type: ['string', 'object'] },
      wireId: text,
      idMadeUp: flag,
      actions: listOf(ref('Action')),
      safetyChecks: listOf(ref('SafetyCheck')),
      invalid: record({ reason: { enum: ['truncated', 'not-json', 'not-an-object'] }, message: text }),
    },
  ),
  Result: record(
    { callId: text, name: text, content: listOf(ref('ResultPart')) },
    {
      isError: flag,
      errorCode: text,
      artifact: json,
      startedAt: { type: 'number' },
      durationMs: tokens,
      truncated: record({ characters: tokens }),
      acknowledgedSafetyChecks: listOf(text),
      providerData: ref('ProviderData'),
    },
  ),
  ProviderData: { type: 'object', additionalProperties: object },

  Action: { anyOf: actionSchemas },
  SafetyCheck: record({ id: text }, { code: text, message: text }),
  Frame: {
    anyOf: [
      record({ kind: { enum: ['image', 'display'] }, width: tokens, height: tokens }),
      record({ kind: { const: 'grid' }, size: tokens }),
    ],
  },

  Usage: record(
    { input: tokens, output: tokens, total: tokens },
    { cachedRead: tokens, cachedWrite: tokens, reasoning: tokens, raw: json },
  ),
  Finish: record(
    { reason: { enum: ['stop', 'calls', 'length', 'filter', 'refusal', 'pause', 'error', 'other'] } },
    { raw: json },
  ),
  ModelError: record(
    {
      kind: {
        enum: [
          ...[
            'authentication',
            'permission',
            'rate_limit',
            'context_too_long',
            'content_refused',
            'overloaded',
          ],
          ...['invalid_request', 'network', 'timeout', 'aborted', 'server', 'other'],
        ],
      },
      message: text,
    },
    { status: { type: 'number' }, retryAfterMs: tokens, tool: text, field: text, raw: json },
  ),
  Reply: record(
    { message: ref('AssistantMessage'), finish: ref('Finish'), complete: flag },
    {
      usage: ref('Usage'),
      id: text,
      error: ref('ModelError'),
      tokens: ref('ReplyTokens'),
      reports: listOf(object),
      providerData: object,
    },
  ),
  ReplyTokens: record(
    {},
    {
      ids: listOf(tokens),
      promptIds: listOf(tokens),
      logprobs: listOf(record(tokenFields[0], { ...tokenFields[1], top: listOf(record(...tokenFields)) })),
      promptLogprobs: listOf(json),
    },
  ),
};

/** What came of a part so far: what it is, and its text, which may be empty. */
const half = (needed: JsonObject, optional: JsonObject): JsonObject =>
  record(needed, { ...optional, slot: tokens, providerData: ref('ProviderData') });

const halves: JsonObject = {
  HalfMessage: record(
    { role: { const: 'assistant' }, content: listOf(ref('HalfPart')) },
    { from: record({ api: text, model: text }), providerData: ref('ProviderData') },
  ),
  HalfPart: { anyOf: ['HalfText', 'HalfCall', 'ImagePart', 'HostedResultPart', 'OtherPart'].map(ref) },
  HalfText: half({ type: { enum: ['text', 'reasoning', 'refusal'] }, text }, { redacted: flag }),
  HalfCall: half(
    { type: { const: 'call' }, argumentsText: text },
    {
      id: text,
      name: text,
      argumentsObject: object,
      kind: { enum: ['function', 'custom', 'computer'] },
      requiresLocalExecution: flag,
      couldBeStructuredOutput: flag,
      actions: listOf(ref('Action')),
      safetyChecks: listOf(ref('SafetyCheck')),
      ended: flag,
    },
  ),
};

const inSlot = { slot: tokens };
const events: JsonObject = {
  ModelEvent: {
    anyOf: [
      record({ type: { const: 'start' } }, { id: text, model: text }),
      record({ type: { enum: ['text', 'reasoning', 'refusal', 'call-delta'] }, ...inSlot, text }),
      record({
        type: { const: 'call-start' },
        ...inSlot,
        id: text,
        name: text,
        kind: { enum: ['function', 'custom', 'computer'] },
        requiresLocalExecution: flag,
      }),
      record({ type: { const: 'call-end' }, ...inSlot, call: ref('Call') }),
      record({ type: { const: 'part' }, ...inSlot, part: ref('AssistantPart') }),
      record({ type: { const: 'usage' }, usage: ref('Usage') }),
      record({ type: { const: 'retry' }, attempt: tokens, waitMs: tokens, error: ref('ModelError') }),
      record({ type: { const: 'error' }, error: ref('ModelError') }),
      record({ type: { const: 'finish' }, reply: ref('Reply') }),
    ],
  },
};

const providerOptions = { providerOptions: { type: 'object', additionalProperties: object } };
const schema = { type: ['object', 'boolean'] };
const asked: JsonObject = {
  ToolSpec: {
    anyOf: [
      record(
        { kind: { const: 'function' }, name: text, input: schema },
        { description: text, strict: flag, ...providerOptions },
      ),
      record(
        { kind: { const: 'custom' }, name: text },
        {
          description: text,
          format: record({ syntax: { enum: ['lark', 'regex'] }, definition: text }),
          ...providerOptions,
        },
      ),
      record({ kind: { const: 'hosted' }, name: text, api: text, entry: object }),
    ],
  },
  ToolChoice: {
    anyOf: [
      { enum: ['auto', 'none', 'required'] },
      record({ name: text }),
      record({ allowed: listOf(text), mode: { enum: ['auto', 'required'] } }),
    ],
  },
  ModelRequest: record(
    { messages: listOf(ref('Message')) },
    {
      tools: listOf(ref('ToolSpec')),
      toolChoice: ref('ToolChoice'),
      parallelCalls: flag,
      maxOutputTokens: tokens,
      temperature: { type: 'number' },
      topP: { type: 'number' },
      seed: { type: 'number' },
      stop: listOf(text),
      output: record({ name: text, schema }),
      reasoning: record({}, { effort: { enum: ['none', 'low', 'medium', 'high'] }, budgetTokens: tokens }),
      tokens: record(
        {},
        { ids: flag, logprobs: { type: ['boolean', 'number'], minimum: 0 }, promptLogprobs: tokens },
      ),
      ...providerOptions,
    },
  ),
};

const allDefinitions: JsonObject = { ...definitions, ...asked, ...halves, ...events };

/** All words in one document. */
export const wordsDocument: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `urn:whetstone:words:${messageSchemaVersion}`,
  title: 'The words that every stage speaks',
  $defs: allDefinitions,
};

/** The JSON Schema of one word (`Message`, `Call`, `Result`, `Action`, `Usage`, `Reply`, …), complete in itself. */
export function wordSchema(name: keyof typeof words): JsonObject {
  if (typeof name !== 'string' || !Object.hasOwn(words, name))
    throw new WhetstoneError(
      'message_invalid',
      `There is no word ${show(name)}. Known: ${Object.keys(words).join(', ')}.`,
      { details: { name } },
    );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:whetstone:${name}:${messageSchemaVersion}`,
    title: words[name],
    $ref: `#/$defs/${name}`,
    $defs: allDefinitions,
  };
}

/** What has a schema of its own, and what it is. */
export const words = {
  Message: 'A message of a history',
  Call: 'What a model asks for',
  Result: 'What a model gets for a call',
  Action: 'One action on a computer',
  ModelRequest: 'What is asked of a model',
  ToolSpec: 'What a model is told of a tool',
  Usage: 'Tokens of one reply',
  Finish: 'Why a reply ended',
  Reply: 'One whole reply of a model',
  ModelEvent: 'What happens while a reply arrives',
  HalfMessage: 'A reply of which more may come',
} as const;

/** The JSON Schema of a message. */
export const messageSchema: JsonObject = wordSchema('Message');
