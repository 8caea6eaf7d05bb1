import { show } from '../base/host/show.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';

/** What is wrong with a field of an action as a provider writes it, in a sentence; undefined where it is right. */
export type FieldFault = string | undefined;

/** A point as a list; absent or null is allowed where the cursor's place may be meant. */
export function pointFault(input: JsonObject, field: string, isNeeded = false): FieldFault {
  const value = input[field];
  if (isAbsent(value)) return isNeeded ? `"${field}" must be a point, [x, y]; there is none.` : undefined;
  const isPoint =
    Array.isArray(value) && value.length === 2 && value.every((each: unknown) => typeof each === 'number');
  return isPoint ? undefined : `"${field}" must be a point, two numbers from 0; this is ${show(value)}.`;
}

/** A point as two fields. */
export function pairFault(input: JsonObject, x: string, y: string, isNeeded = true): FieldFault {
  if (isAbsent(input[x]) && isAbsent(input[y]) && !isNeeded) return undefined;
  const wrong = [x, y].find((field) => typeof input[field] !== 'number');
  if (wrong === undefined) return undefined;
  return `"${x}" and "${y}" must be a point, two numbers from 0; "${wrong}" is ${said(input[wrong])}.`;
}

export function numberFault(input: JsonObject, field: string): FieldFault {
  const value = input[field];
  return isAbsent(value) || typeof value === 'number'
    ? undefined
    : `"${field}" must be a number; it is ${said(value)}.`;
}

/** How much or how long: a number that is not below 0, where it is there. */
export function amountFault(input: JsonObject, field: string): FieldFault {
  const value = input[field];
  if (isAbsent(value) || (typeof value === 'number' && value >= 0)) return undefined;
  return `"${field}" must be a number from 0; it is ${said(value)}.`;
}

export function textFault(input: JsonObject, field: string, isFilled = false): FieldFault {
  const value = input[field];
  if (typeof value === 'string' && (value !== '' || !isFilled)) return undefined;
  return `"${field}" must be a text${isFilled ? ' that is not empty' : ''}; it is ${said(value)}.`;
}

export function optionalTextFault(input: JsonObject, field: string): FieldFault {
  return isAbsent(input[field]) ? undefined : textFault(input, field);
}

export function directionFault(input: JsonObject, field: string): FieldFault {
  const value = input[field];
  if (value === 'up' || value === 'down' || value === 'left' || value === 'right') return undefined;
  return `"${field}" must be up, down, left or right; it is ${said(value)}.`;
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

/** A value as a message shows it. */
export function said(value: JsonValue | undefined): string {
  return value === undefined ? 'not there' : show(value);
}
