import { enumValues, NoWord, patternKeywords, valueKeywords, withDefault } from './keywords.ts';
import type { Keywords, PrintInner } from './keywords.ts';

/** A schema of Zod 4, of which these fields are read. */
export interface Zod4 {
  readonly _zod: {
    readonly def: Zod4Definition;
    /** What its checks ask for, gathered. */
    readonly bag: Readonly<Record<string, unknown>>;
    /** `optional`: it may be left out of what is given. */
    readonly optin?: string;
    readonly pattern?: RegExp;
  };
  meta?(): Readonly<Record<string, unknown>> | undefined;
}

/** Each type has some of these. */
interface Zod4Definition {
  readonly type: string;
  readonly shape: Readonly<Record<string, Zod4>>;
  readonly catchall?: Zod4;
  readonly element: Zod4;
  readonly items: readonly Zod4[];
  readonly rest?: Zod4 | null;
  readonly options: readonly Zod4[];
  readonly left: Zod4;
  readonly right: Zod4;
  readonly keyType: Zod4;
  readonly valueType: Zod4;
  readonly innerType: Zod4;
  readonly in: Zod4;
  readonly out: Zod4;
  readonly entries: Readonly<Record<string, unknown>>;
  readonly values: readonly unknown[];
  readonly defaultValue: unknown;
  readonly getter: () => Zod4;
}

/** What a schema of Zod 4 takes, as its own printer says it from 4.2 on. */
export function keywordsOfZod4(schema: Zod4, print: PrintInner<Zod4>): Keywords {
  const { id: _, ...meta } = schema.meta?.() ?? {};
  return { ...typeKeywords(schema, print), ...meta };
}

function typeKeywords({ _zod }: Zod4, print: PrintInner<Zod4>): Keywords {
  const { def, bag } = _zod;
  switch (def.type) {
    case 'string':
      return stringKeywords(bag);
    case 'number':
    case 'int':
      return numberKeywords(bag);
    case 'boolean':
    case 'null':
      return { type: def.type };
    case 'any':
    case 'unknown':
      return {};
    case 'never':
      return { not: {} };
    case 'array':
      return { type: 'array', ...sized(bag, 'Items'), items: print(def.element, 'items') };
    case 'object':
      return objectKeywords(def, print);
    case 'union':
      return { anyOf: def.options.map((option, index) => print(option, 'anyOf', index)) };
    case 'intersection':
      return { allOf: [print(def.left, 'allOf', 0), print(def.right, 'allOf', 1)] };
    case 'tuple':
      return {
        type: 'array',
        ...sized(bag, 'Items'),
        prefixItems: def.items.map((item, index) => print(item, 'prefixItems', index)),
        items: def.rest ? print(def.rest, 'items') : false,
        minItems: def.items.findLastIndex((item) => item._zod.optin === undefined) + 1,
      };
    case 'record':
      return {
        type: 'object',
        propertyNames: print(def.keyType, 'propertyNames'),
        additionalProperties: print(def.valueType, 'additionalProperties'),
      };
    case 'enum':
      return valueKeywords(enumValues(def.entries));
    case 'literal':
      return valueKeywords(def.values);
    case 'template_literal':
      return { type: 'string', pattern: _zod.pattern?.source };
    case 'nullable':
      return { anyOf: [print(def.innerType, 'anyOf', 0), { type: 'null' }] };
    case 'default':
    case 'prefault':
      return withDefault(print(def.innerType), () => def.defaultValue);
    case 'optional':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
    case 'promise':
      return print(def.innerType);
    case 'lazy':
      return print(def.getter());
    case 'pipe':
      // What a transform makes ready for another schema is known by that schema.
      return print(def.in._zod.def.type === 'transform' ? def.out : def.in);
    default:
      throw new NoWord(typeNames[def.type] ?? `The type ${JSON.stringify(def.type)}`);
  }
}

const typeNames: Readonly<Record<string, string>> = {
  ...{ date: 'Date', bigint: 'BigInt', symbol: 'Symbols', undefined: 'Undefined', void: 'Void' },
  ...{ map: 'Map', set: 'Set', transform: 'Transforms', custom: 'Custom types', file: 'File', nan: 'NaN' },
};

function stringKeywords(bag: Keywords): Keywords {
  const { format, patterns = [], contentEncoding } = bag;
  const named = typeof format === 'string' ? (formats[format] ?? format) : undefined;
  return {
    type: 'string',
    ...sized(bag, 'Length'),
    ...(named ? { format: named } : {}),
    ...(contentEncoding === undefined ? {} : { contentEncoding }),
    ...patternKeywords([...(patterns as Iterable<RegExp>)].map(({ source }) => source)),
  };
}

/** Zod's names of formats that JSON Schema names otherwise, or does not know. */
const formats: Readonly<Record<string, string>> = {
  ...{ guid: 'uuid', url: 'uri', datetime: 'date-time', json_string: 'json-string', regex: '' },
};

function numberKeywords(bag: Keywords): Keywords {
  const { format, multipleOf } = bag;
  const isInteger = typeof format === 'string' && format.includes('int');
  return {
    type: isInteger ? 'integer' : 'number',
    ...limit(bag, 'minimum', 'exclusiveMinimum', (exclusive, inclusive) => exclusive >= inclusive),
    ...limit(bag, 'maximum', 'exclusiveMaximum', (exclusive, inclusive) => exclusive <= inclusive),
    ...(typeof multipleOf === 'number' ? { multipleOf } : {}),
  };
}

/** The narrower of two limits. */
function limit(
  bag: Keywords,
  inclusive: string,
  exclusive: string,
  isNarrower: (exclusive: number, inclusive: number) => boolean,
): Keywords {
  const { [inclusive]: closed, [exclusive]: open } = bag;
  if (typeof open !== 'number') return isLimit(closed) ? { [inclusive]: closed } : {};
  if (typeof closed !== 'number' || isNarrower(open, closed)) return { [exclusive]: open };
  return { [inclusive]: closed };
}

function isLimit(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function sized({ minimum, maximum }: Keywords, what: 'Items' | 'Length'): Keywords {
  return {
    ...(typeof minimum === 'number' ? { [`min${what}`]: minimum } : {}),
    ...(typeof maximum === 'number' ? { [`max${what}`]: maximum } : {}),
  };
}

function objectKeywords({ shape, catchall }: Zod4Definition, print: PrintInner<Zod4>): Keywords {
  const keys = Object.keys(shape);
  const required = keys.filter((key) => shape[key]?._zod.optin === undefined);
  const isClosed = catchall?._zod.def.type === 'never';
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, print(shape[key] as Zod4, 'properties', key)])),
    ...(required.length > 0 ? { required } : {}),
    ...(isClosed
      ? { additionalProperties: false }
      : catchall && { additionalProperties: print(catchall, 'additionalProperties') }),
  };
}
