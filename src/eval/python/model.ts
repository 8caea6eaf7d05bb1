import { valueError } from './exception.ts';
import { repr } from './repr.ts';
import { deepCopy, type PythonDict, type PythonValue } from './value.ts';

/** A type that values are converted to when they are put into a record, as pydantic converts them unless it is strict. */
export interface Field {
  convert(value: PythonValue): PythonValue;
  /** What is put where the member is not given; without one it is required. */
  readonly fallback?: PythonValue;
}

function refuse(value: PythonValue, expected: string): never {
  throw valueError(`Input should be ${expected}, not ${repr(value)}`);
}

/** Text, and nothing that would have to be made text. */
export const text: Field = {
  convert: (value) => (typeof value === 'string' ? value : refuse(value, 'a valid string')),
};

/** An int: also of a float without a fraction, and of text that says one. */
export const int: Field = {
  convert(value) {
    if (typeof value === 'bigint') return value;
    if (typeof value === 'boolean') return BigInt(value);
    if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63)
      return BigInt(value);
    if (typeof value === 'string') {
      const found = /^([+-]?\d+(?:_\d+)*)(?:\.0+)?$/.exec(value.trim());
      if (found !== null) return BigInt(found[1]!.replaceAll('_', '').replace('+', ''));
    }
    return refuse(value, 'a valid integer');
  },
};

/** A float: also of an int, and of text that says one. */
export const float: Field = {
  convert(value) {
    if (typeof value === 'number') return value;
    if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
    if (typeof value === 'string') {
      const plain = value.trim().replaceAll(/(?<=\d)_(?=\d)/g, '');
      if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(plain)) return Number(plain);
      const named = /^([+-]?)(inf(?:inity)?|nan)$/i.exec(plain);
      if (named !== null) {
        if (named[2]!.toLowerCase() === 'nan') return Number.NaN;
        return named[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      }
    }
    return refuse(value, 'a valid number');
  },
};

const yes = new Set(['1', 'on', 't', 'true', 'y', 'yes']);
const no = new Set(['0', 'off', 'f', 'false', 'n', 'no']);

/** A bool: also of 1 and 0, and of words such as `yes` and `off`. */
export const bool: Field = {
  convert(value) {
    if (typeof value === 'boolean') return value;
    if (value === 1n || value === 1) return true;
    if (value === 0n || value === 0) return false;
    if (typeof value === 'string' && yes.has(value.toLowerCase())) return true;
    if (typeof value === 'string' && no.has(value.toLowerCase())) return false;
    return refuse(value, 'a valid boolean');
  },
};

/** A date, held as ISO text. */
export const date: Field = {
  convert(value) {
    const found =
      typeof value === 'string' && /^(\d{4}-\d{2}-\d{2})(?:[T ]00:00(?::00(?:\.0+)?)?)?$/.exec(value);
    return found && isDay(found[1]!) ? found[1]! : refuse(value, 'a valid date');
  },
};

const moment = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})?)?$/;

/** A date with a time, held as Python writes it. */
export const dateTime: Field = {
  convert(value) {
    const found = typeof value === 'string' ? moment.exec(value) : null;
    if (found === null || !isDay(found[1]!)) return refuse(value, 'a valid datetime');
    const [, day, time = '00:00', seconds = ':00', fraction = '', zone = ''] = found;
    const written = `${day} ${time}${seconds}${/[1-9]/.test(fraction) ? `.${fraction.padEnd(6, '0')}` : ''}`;
    return written + (zone === 'Z' ? '+00:00' : zone);
  },
};

function isDay(day: string): boolean {
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}

/** One of some texts. */
export function oneOf(...values: readonly string[]): Field {
  return {
    convert: (value) =>
      typeof value === 'string' && values.includes(value)
        ? value
        : refuse(value, `one of ${values.join(', ')}`),
  };
}

/** The type, or None. */
export function optional(field: Field): Field {
  return { convert: (value) => (value === null ? null : field.convert(value)) };
}

/** The type, with what is put where the member is not given. */
export function withDefault(field: Field, fallback: PythonValue): Field {
  return { convert: (value) => field.convert(value), fallback };
}

/** The type or None, and None where it is not given. */
export function absent(field: Field): Field {
  return withDefault(optional(field), null);
}

/** A list of a type. */
export function list(field: Field): Field {
  return {
    convert: (value) =>
      Array.isArray(value) ? value.map((item) => field.convert(item)) : refuse(value, 'a valid list'),
  };
}

/** A dict of a type, by keys of a type. */
export function dict(field: Field, key: Field = text): Field {
  return {
    convert(value) {
      if (!(value instanceof Map)) return refuse(value, 'a valid dictionary');
      const converted: PythonDict = new Map();
      for (const [name, item] of value) converted.set(key.convert(name) as string, field.convert(item));
      return converted;
    },
  };
}

/** A record: its members by name. What it does not know is dropped, or refused where it is `closed`. */
export function record(members: Readonly<Record<string, Field>>, { closed = false } = {}): Field {
  return {
    convert(value) {
      if (!(value instanceof Map)) return refuse(value, 'a valid dictionary');
      const converted: PythonDict = new Map();
      for (const [name, field] of Object.entries(members)) {
        const given = value.get(name);
        if (given !== undefined) converted.set(name, field.convert(given));
        else if (field.fallback !== undefined) converted.set(name, deepCopy(field.fallback));
        else throw valueError(`Field required: ${name}`);
      }
      if (closed) {
        for (const name of value.keys()) {
          if (!Object.hasOwn(members, name)) throw valueError(`Extra inputs are not permitted: ${name}`);
        }
      }
      return converted;
    },
  };
}

/** The first of some types that takes the value. */
export function union(...fields: readonly Field[]): Field {
  return {
    convert(value) {
      for (const field of fields) {
        try {
          return field.convert(value);
        } catch {
          // Refused by this one; where none takes it, that is said below.
        }
      }
      return refuse(value, 'one of several records');
    },
  };
}

/** A record of members that are given by name, as a constructor is called. */
export function make(type: Field, members: Readonly<Record<string, PythonValue>>): PythonDict {
  return type.convert(new Map(Object.entries(members))) as PythonDict;
}
