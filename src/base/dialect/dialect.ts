import { WhetstoneError } from '../host/errors.ts';
import { show } from '../host/show.ts';

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

const known: ReadonlySet<unknown> = new Set(dialects);

export function readDialect(name: unknown): Dialect {
  if (known.has(name)) return name as Dialect;
  throw new WhetstoneError(
    'dialect_unknown',
    `There is no schema dialect ${show(name)}. Known: ${dialects.join(', ')}.`,
    { details: { name, known: dialects } },
  );
}

/** What a dialect can say. A schema is rewritten from its form with these; the loose dialects keep it as it is. */
export interface Features {
  /** Every object is closed with `additionalProperties: false`. */
  readonly closed: boolean;
  /** Every member is required; an optional one accepts null instead. */
  readonly allRequired: boolean;
  /** `$ref`: with cycles, without, with cycles that pass an optional member, or not at all. */
  readonly references: 'cyclic' | 'acyclic' | 'optional-cyclic' | 'none';
  /** `additionalProperties` may hold a schema. */
  readonly records: boolean;
  readonly tuples: boolean;
  /** A value of which nothing is said: kept as `{}`, written as JSON text, or a reason to decline. */
  readonly free: 'keep' | 'text' | 'decline';
  readonly typeLists: boolean;
  /** How null is allowed in addition to one type. */
  readonly nullable: 'type' | 'flag';
  /** Which values an enum may list. */
  readonly enums: 'scalars' | 'strings and numbers' | 'strings';
  readonly keep: Readonly<Record<'number' | 'string' | 'list' | 'object', readonly string[]>>;
  readonly formats: readonly string[] | 'all';
  readonly patterns: 'simple' | 'all' | 'none';
  /** `minItems` says at most this. */
  readonly mostMinItems: number;
  /** Whole numbers of limits are written as text (protobuf's int64). */
  readonly countsAsText: boolean;
  readonly notes: readonly string[];
  readonly besideAnyOf: boolean;
  readonly memberName: RegExp | undefined;
  /** The rule for names only holds at the root. */
  readonly memberNameAtRootOnly: boolean;
}

const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

const openaiStrict: Features = {
  closed: true,
  allRequired: true,
  references: 'cyclic',
  records: false,
  tuples: false,
  free: 'decline',
  typeLists: true,
  nullable: 'type',
  enums: 'scalars',
  keep: { number: numbers, string: ['pattern', 'format'], list: ['minItems', 'maxItems'], object: [] },
  formats: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
  patterns: 'simple',
  mostMinItems: Infinity,
  countsAsText: false,
  notes: ['title', 'description'],
  besideAnyOf: true,
  memberName: undefined,
  memberNameAtRootOnly: false,
};

const anthropicStrict: Features = {
  ...openaiStrict,
  allRequired: false,
  references: 'acyclic',
  keep: { number: [], string: ['pattern', 'format'], list: ['minItems'], object: [] },
  formats: [...(openaiStrict.formats as readonly string[]), 'uri'],
  mostMinItems: 1,
  memberName: /^[a-zA-Z0-9_.-]{1,64}$/,
  memberNameAtRootOnly: true,
};

const geminiJsonSchema: Features = {
  closed: false,
  allRequired: false,
  references: 'optional-cyclic',
  records: true,
  tuples: true,
  free: 'keep',
  typeLists: true,
  nullable: 'type',
  enums: 'strings and numbers',
  keep: {
    number: ['minimum', 'maximum', 'format'],
    string: ['format'],
    list: ['minItems', 'maxItems'],
    object: [],
  },
  formats: 'all',
  patterns: 'none',
  mostMinItems: Infinity,
  countsAsText: false,
  notes: ['title', 'description'],
  besideAnyOf: true,
  memberName: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
  memberNameAtRootOnly: false,
};

const geminiParameters: Features = {
  ...geminiJsonSchema,
  references: 'none',
  records: false,
  tuples: false,
  free: 'text',
  typeLists: false,
  nullable: 'flag',
  enums: 'strings',
  keep: {
    number: ['minimum', 'maximum', 'format'],
    string: ['minLength', 'maxLength', 'pattern', 'format'],
    list: ['minItems', 'maxItems'],
    object: ['minProperties', 'maxProperties'],
  },
  formats: ['float', 'double', 'int32', 'int64', 'date-time'],
  patterns: 'all',
  countsAsText: true,
  notes: ['title', 'description'],
  besideAnyOf: false,
};

const basic: Features = {
  ...geminiJsonSchema,
  references: 'cyclic',
  tuples: false,
  enums: 'scalars',
  keep: { number: [], string: [], list: [], object: [] },
  formats: [],
  memberName: undefined,
};

/** The dialects that are rewritten from the form; all others keep the schema and only need an object at the root. */
export const featuresOf: Partial<Readonly<Record<Dialect, Features>>> = {
  'openai-strict': openaiStrict,
  'anthropic-strict': anthropicStrict,
  'gemini-json-schema': geminiJsonSchema,
  'gemini-parameters': geminiParameters,
  cohere: basic,
  ollama: basic,
};
