import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Action } from './action.ts';
import { expectObject } from './expect.ts';

/** What says where an action happens and how it came, not what it does. */
const bookkeeping = new Set([
  'environment',
  'environmentVariable',
  'callId',
  'requiresLocalExecution',
  'batch',
  'raw',
]);

/** An action as a JSON object: whatever is not JSON (a live page in `environmentVariable`, say) is left out. */
export function safeAsObject(action: Action): JsonObject {
  expectObject(action, 'action');
  return safeEntries(action as unknown as Record<string, unknown>, () => true);
}

/** What the action does, as the arguments of a call: its type and its own fields. */
export function actionArguments(action: Action): JsonObject {
  expectObject(action, 'action');
  return safeEntries(action as unknown as Record<string, unknown>, (key) => !bookkeeping.has(key));
}

const dropped = Symbol('dropped');
const deepest = 1000;

function safeEntries(
  record: Readonly<Record<string, unknown>>,
  keep: (key: string) => boolean,
  above: readonly unknown[] = [record],
): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(record)) {
    if (!keep(key)) continue;
    const safe = safeValue(value, above);
    if (safe !== dropped) entries.push([key, safe]);
  }
  // fromEntries defines, so that a key "__proto__" stays an ordinary key.
  return Object.fromEntries(entries);
}

function safeValue(value: unknown, above: readonly unknown[]): JsonValue | typeof dropped {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : dropped;
  // What contains itself, or has no end that anyone would read, is not JSON here.
  if (above.length > deepest || above.includes(value)) return dropped;
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) {
      const safe = safeValue(item, [...above, value]);
      if (safe === dropped) return dropped;
      items.push(safe);
    }
    return items;
  }
  if (isJsonObject(value) && isPlain(value)) return safeEntries(value, () => true, [...above, value]);
  return dropped;
}

/** A class instance is not JSON, even where it has fields: it would come back as something else. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
