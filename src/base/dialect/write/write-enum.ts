import type { JsonValue } from '../../json/value.ts';
import type { Features } from '../dialect.ts';

export interface CastEnum {
  /** What the wire lists. */
  readonly values: readonly JsonValue[];
  /** Where labels are listed in their place, the values themselves. */
  readonly originals: readonly JsonValue[];
  readonly labels?: readonly JsonValue[];
  /** Null is allowed in addition to what is listed. */
  readonly nullToo: boolean;
  /** Only the type is said, not which of its values. */
  readonly weakened: boolean;
}

/** The values of an enum as a dialect can list them. */
export function castEnum(values: readonly JsonValue[], allowed: Features['enums']): CastEnum {
  const plain = { values, originals: values, nullToo: false, weakened: false };
  if (values.every((value) => typeof value === 'string' && (value !== '' || allowed !== 'strings')))
    return plain;
  if (allowed === 'scalars')
    return values.some((value) => typeof value === 'object' && value !== null)
      ? withLabels(values, false)
      : plain;
  const rest = values.filter((value) => value !== null);
  const nullToo = rest.length < values.length;
  if (rest.length === 0) return { ...plain, weakened: true };
  if (rest.every((value) => typeof value === 'boolean'))
    return { values: rest, originals: rest, nullToo, weakened: true };
  const listable = (value: JsonValue): boolean =>
    typeof value === 'string' || (typeof value === 'number' && allowed === 'strings and numbers');
  if (rest.every(listable) && (allowed !== 'strings' || !rest.includes('')))
    return { values: rest, originals: rest, nullToo, weakened: false };
  return withLabels(rest, nullToo);
}

function withLabels(values: readonly JsonValue[], nullToo: boolean): CastEnum {
  const short = values.map((value) =>
    typeof value === 'string' && value !== '' ? value : JSON.stringify(value),
  );
  const labels = new Set(short).size === short.length ? short : values.map((value) => JSON.stringify(value));
  return { values: labels, originals: values, labels, nullToo, weakened: false };
}

/** The wire schema of listed values. */
export function enumTypes(
  values: readonly JsonValue[],
  features: Features,
  weakened: boolean,
): Record<string, unknown> {
  const types = [...new Set(values.map(typeOf))];
  if (types.includes('number')) {
    const whole = types.indexOf('integer');
    if (whole >= 0) types.splice(whole, 1);
  }
  const type = types.length === 1 ? types[0] : types;
  if (weakened) return { type };
  return features.enums === 'strings' ? { type, format: 'enum', enum: values } : { type, enum: values };
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}
