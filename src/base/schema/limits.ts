import type { JsonObject } from '../json/value.ts';
import type { Limit } from './form.ts';

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

/** Those of `keywords` that a schema uses. */
export function limitsOf(schema: JsonObject, path: string, keywords: readonly string[]): Limit[] {
  const limits: Limit[] = [];
  for (const keyword of keywords) {
    const value = schema[keyword];
    if (value !== undefined) limits.push({ keyword, value: isCount(keyword) ? Number(value) : value, path });
  }
  return limits;
}

function isCount(keyword: string): boolean {
  return /^(min|max)(Items|Length|Properties|Contains)$/.test(keyword);
}
