import type { JsonObject } from '../../json/value.ts';
import { noLimits } from './ir.ts';
import type { Limit } from './ir.ts';

/** Keywords that only limit values, by the type of which they speak. */
export const numberLimits: readonly string[] = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'format',
];
export const stringLimits: readonly string[] = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
];
export const listLimits: readonly string[] = [
  'minItems',
  'maxItems',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'unevaluatedItems',
];
export const objectLimits: readonly string[] = [
  'minProperties',
  'maxProperties',
  'propertyNames',
  'unevaluatedProperties',
];
export const allLimits: ReadonlySet<string> = new Set([
  ...numberLimits,
  ...stringLimits,
  ...listLimits,
  ...objectLimits,
]);

/** Limits of two places, in the order in which those of one schema are read. */
export function joinLimits(left: readonly Limit[], right: readonly Limit[]): readonly Limit[] {
  const place = ({ keyword }: Limit): number => [...allLimits].indexOf(keyword) + 1 || allLimits.size + 1;
  return [...left, ...right].sort((a, b) => place(a) - place(b));
}

/** Those of `keywords` that a schema uses. */
export function limitsOf(schema: JsonObject, path: string, keywords: readonly string[]): readonly Limit[] {
  let limits: Limit[] | undefined;
  for (const keyword of keywords) {
    const value = schema[keyword];
    if (value === undefined) continue;
    const limit: Limit = { keyword, value: counts.has(keyword) ? Number(value) : value, path };
    // Most schemas have one: a list that grows makes room for seventeen.
    if (limits === undefined) limits = [limit];
    else limits.push(limit);
  }
  return limits ?? noLimits;
}

const counts: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
]);
