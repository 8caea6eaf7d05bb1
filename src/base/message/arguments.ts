import { WhetstoneError } from '../host/errors.ts';
import { parseJson } from '../json/parse.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import type { Action } from './action.ts';
import { actionArguments } from './action-object.ts';
import type { Call } from './call.ts';
import { expectObject } from './expect.ts';

/** The arguments read as an object, or why they are none. */
export type ArgumentsReading =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly reason: 'not-json' | 'not-an-object'; readonly message: string };

/**
 * The arguments of a call, or of an action, as an object. Nothing at all (`""`, `null`) reads as `{}`: several
 * providers send that for a tool without parameters, and a tool that needs some refuses `{}` by name.
 * Free text of a custom tool reads as `{ input: text }`. Throws `arguments_invalid` where there is no object.
 */
export function argumentsAsObject(call: Call | Action): JsonObject {
  const reading = readArguments(call);
  if (reading.ok) return reading.value;
  throw new WhetstoneError('arguments_invalid', reading.message, {
    details: { reason: reading.reason, arguments: (call as Call).arguments, name: (call as Call).name },
  });
}

/** The arguments as text: as the model wrote it, or JSON where the provider gave an object. */
export function argumentsAsText(call: Call | Action): string {
  expectObject(call, 'call');
  if (call.type !== 'call') return JSON.stringify(actionArguments(call));
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}

/** `argumentsAsObject` for those who answer the model rather than throw. */
export function readArguments(call: Call | Action): ArgumentsReading {
  expectObject(call, 'call');
  if (call.type !== 'call') return { ok: true, value: actionArguments(call) };
  if (typeof call.arguments !== 'string') return { ok: true, value: call.arguments };
  if (call.kind === 'custom') return { ok: true, value: { input: call.arguments } };
  return readArgumentsText(call.arguments);
}

/** The rule for one text, whole or of a call that is still being built. */
export function readArgumentsText(text: string): ArgumentsReading {
  if (text === '' || text.trim() === '') return { ok: true, value: {} };
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const where = problem.replace(/^Not JSON at /, 'at ');
    return { ok: false, reason: 'not-json', message: `The arguments are not JSON: ${where}` };
  }
  if (value === null) return { ok: true, value: {} };
  if (isJsonObject(value)) return { ok: true, value };
  const found = Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return {
    ok: false,
    reason: 'not-an-object',
    message: `The arguments must be a JSON object, but they are ${found}.`,
  };
}
