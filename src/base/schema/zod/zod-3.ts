import { enumValues, NoWord, patternKeywords, valueKeywords, withDefault } from './keywords.ts';
import type { Keywords, PrintInner } from './keywords.ts';

/** A schema of Zod 3, of which these fields are read. */
export interface Zod3 {
  readonly _def: Zod3Definition;
  isOptional(): boolean;
}

/** Each type has some of these. */
interface Zod3Definition {
  readonly typeName: string;
  readonly description?: string;
  readonly checks?: readonly Zod3Check[];
  readonly shape: () => Readonly<Record<string, Zod3>>;
  readonly unknownKeys?: 'strip' | 'strict' | 'passthrough';
  readonly catchall: Zod3;
  /** Of an array; of a branded schema and of a promise too. */
  readonly type: Zod3;
  readonly minLength?: Size | null;
  readonly maxLength?: Size | null;
  readonly exactLength?: Size | null;
  readonly items: readonly Zod3[];
  readonly rest?: Zod3 | null;
  readonly options: readonly Zod3[] | ReadonlyMap<string, Zod3>;
  readonly left: Zod3;
  readonly right: Zod3;
  readonly keyType: Zod3;
  readonly valueType: Zod3;
  readonly innerType: Zod3;
  readonly schema: Zod3;
  readonly in: Zod3;
  readonly value: unknown;
  readonly values: readonly unknown[] | Readonly<Record<string, unknown>>;
  readonly defaultValue: () => unknown;
  readonly getter: () => Zod3;
}

interface Size {
  readonly value: number;
}

interface Zod3Check {
  readonly kind: string;
  readonly value?: number | string;
  readonly inclusive?: boolean;
  readonly regex?: RegExp;
  readonly version?: string;
}

/** What a schema of Zod 3 takes. Checks that JSON Schema has no word for are left to Zod, which reads the value too. */
export function keywordsOfZod3(schema: Zod3, print: PrintInner<Zod3>): Keywords {
  const { description } = schema._def;
  const keywords = typeKeywords(schema._def, print);
  return description === undefined ? keywords : { ...keywords, description };
}

function typeKeywords(def: Zod3Definition, print: PrintInner<Zod3>): Keywords {
  switch (def.typeName) {
    case 'ZodString':
      return stringKeywords(def.checks ?? []);
    case 'ZodNumber':
      return numberKeywords(def.checks ?? []);
    case 'ZodBoolean':
      return { type: 'boolean' };
    case 'ZodNull':
      return { type: 'null' };
    case 'ZodAny':
    case 'ZodUnknown':
      return {};
    case 'ZodNever':
      return { not: {} };
    case 'ZodArray': {
      const { minLength, maxLength, exactLength } = def;
      const least = exactLength ?? minLength;
      const most = exactLength ?? maxLength;
      return {
        type: 'array',
        ...(least ? { minItems: least.value } : {}),
        ...(most ? { maxItems: most.value } : {}),
        items: print(def.type, 'items'),
      };
    }
    case 'ZodObject':
      return objectKeywords(def, print);
    case 'ZodUnion':
    case 'ZodDiscriminatedUnion':
      return { anyOf: [...def.options.values()].map((option, index) => print(option, 'anyOf', index)) };
    case 'ZodIntersection':
      return { allOf: [print(def.left, 'allOf', 0), print(def.right, 'allOf', 1)] };
    case 'ZodTuple':
      return {
        type: 'array',
        prefixItems: def.items.map((item, index) => print(item, 'prefixItems', index)),
        items: def.rest ? print(def.rest, 'items') : false,
        minItems: def.items.length,
      };
    case 'ZodRecord':
      return {
        type: 'object',
        propertyNames: print(def.keyType, 'propertyNames'),
        additionalProperties: print(def.valueType, 'additionalProperties'),
      };
    case 'ZodEnum':
      return valueKeywords(def.values as readonly unknown[]);
    case 'ZodNativeEnum':
      return valueKeywords(enumValues(def.values as Readonly<Record<string, unknown>>));
    case 'ZodLiteral':
      return valueKeywords([def.value]);
    case 'ZodNullable':
      return { anyOf: [print(def.innerType, 'anyOf', 0), { type: 'null' }] };
    case 'ZodDefault':
      return withDefault(print(def.innerType), def.defaultValue);
    case 'ZodOptional':
    case 'ZodReadonly':
    case 'ZodCatch':
      return print(def.innerType);
    case 'ZodBranded':
    case 'ZodPromise':
      return print(def.type);
    case 'ZodEffects':
      return print(def.schema);
    case 'ZodLazy':
      return print(def.getter());
    case 'ZodPipeline':
      return print(def.in);
    default:
      throw new NoWord(def.typeName.replace(/^Zod/, ''));
  }
}

function stringKeywords(checks: readonly Zod3Check[]): Keywords {
  const keywords: Record<string, unknown> = { type: 'string' };
  const patterns: string[] = [];
  for (const { kind, value, regex, version } of checks) {
    const quoted = String(value).replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
    if (kind === 'min' || kind === 'length') keywords['minLength'] = value;
    if (kind === 'max' || kind === 'length') keywords['maxLength'] = value;
    if (kind === 'startsWith') patterns.push(`^${quoted}`);
    if (kind === 'endsWith') patterns.push(`${quoted}$`);
    if (kind === 'includes') patterns.push(quoted);
    // A pattern of JSON Schema has no flags: one that needs them is left to Zod.
    if (kind === 'regex' && regex !== undefined && /^[dguvy]*$/.test(regex.flags))
      patterns.push(regex.source);
    const format = kind === 'ip' && version !== undefined ? `ip${version}` : formats[kind];
    if (format !== undefined) keywords['format'] = format;
  }
  return { ...keywords, ...patternKeywords(patterns) };
}

const formats: Readonly<Record<string, string>> = {
  ...{ email: 'email', url: 'uri', uuid: 'uuid', datetime: 'date-time', date: 'date', time: 'time' },
  ...{ duration: 'duration', base64: 'base64', cuid: 'cuid', cuid2: 'cuid2', ulid: 'ulid', nanoid: 'nanoid' },
};

function numberKeywords(checks: readonly Zod3Check[]): Keywords {
  const keywords: Record<string, unknown> = { type: 'number' };
  for (const { kind, value, inclusive } of checks) {
    if (kind === 'int') keywords['type'] = 'integer';
    if (kind === 'min' && Number.isFinite(value))
      keywords[inclusive ? 'minimum' : 'exclusiveMinimum'] = value;
    if (kind === 'max' && Number.isFinite(value))
      keywords[inclusive ? 'maximum' : 'exclusiveMaximum'] = value;
    if (kind === 'multipleOf') keywords['multipleOf'] = value;
  }
  return keywords;
}

function objectKeywords({ shape, unknownKeys, catchall }: Zod3Definition, print: PrintInner<Zod3>): Keywords {
  const members = shape();
  const keys = Object.keys(members);
  const required = keys.filter((key) => !mayBeAbsent(members[key] as Zod3));
  const isOpen = catchall._def.typeName === 'ZodNever';
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, print(members[key] as Zod3, 'properties', key)])),
    ...(required.length > 0 ? { required } : {}),
    ...(isOpen
      ? unknownKeys === 'strict' && { additionalProperties: false }
      : { additionalProperties: print(catchall, 'additionalProperties') }),
  };
}

/** Zod asks the schema itself what it makes of nothing; one that asks somebody else first cannot say. */
function mayBeAbsent(schema: Zod3): boolean {
  try {
    return schema.isOptional();
  } catch {
    return false;
  }
}
