import { WhetstoneError } from '../host/errors.ts';
import { canonicalNumber, NumberToken } from './number-token.ts';
import { formatPath } from './path.ts';
import type { ExactJson } from './value.ts';

interface Open {
  readonly container: object;
  /** Sorted keys of an object; undefined for a list. */
  readonly keys: readonly string[] | undefined;
  next: number;
}

/**
 * The one text of a value, whatever the order of its keys (RFC 8785). Number tokens that no double holds enter as
 * they were written. A lone surrogate is written as its escape, where the RFC would refuse it. Never recurses.
 */
export function canonicalJson(value: ExactJson): string {
  const stack: Open[] = [];
  const simple = scalar(value);
  if (simple !== undefined) return simple;
  let text = '';
  let current: unknown = value;
  for (;;) {
    const written = scalar(current);
    if (written !== undefined) text += written;
    else {
      const open = openContainer(current, stack);
      text += open.keys === undefined ? '[' : '{';
      stack.push(open);
    }
    // Close what is finished, then step to the next member of what is not.
    for (;;) {
      const open = stack.at(-1);
      if (open === undefined) return text;
      const { keys, container, next } = open;
      const size = keys === undefined ? (container as unknown[]).length : keys.length;
      if (next === size) {
        text += keys === undefined ? ']' : '}';
        stack.pop();
        continue;
      }
      open.next++;
      if (next > 0) text += ',';
      if (keys === undefined) current = (container as unknown[])[next];
      else {
        const key = keys[next] as string;
        text += `${JSON.stringify(key)}:`;
        current = (container as Record<string, unknown>)[key];
      }
      break;
    }
  }

  function scalar(candidate: unknown): string | undefined {
    switch (typeof candidate) {
      case 'string':
        return JSON.stringify(candidate);
      case 'number':
        if (!Number.isFinite(candidate)) throw refuseValue(candidate, stack);
        return String(candidate + 0);
      case 'boolean':
        return String(candidate);
      case 'object':
        if (candidate === null) return 'null';
        return candidate instanceof NumberToken ? canonicalNumber(candidate.text) : undefined;
      default:
        throw refuseValue(candidate, stack);
    }
  }
}

function openContainer(container: unknown, stack: readonly Open[]): Open {
  const object = container as object;
  // On a cycle every container comes again: sooner or later that of the last power-of-two level (Brent 1980).
  if (stack.length > 1024 && stack[1 << (31 - Math.clz32(stack.length - 1))]?.container === object) {
    throw refuseValue(object, stack, 'a value that contains itself');
  }
  if (Array.isArray(object)) return { container: object, keys: undefined, next: 0 };
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null) {
    throw refuseValue(object, stack);
  }
  return { container: object, keys: Object.keys(object).sort(), next: 0 };
}

function refuseValue(value: unknown, stack: readonly Open[], what?: string): WhetstoneError {
  const path = stack
    .slice(0, 100)
    .map(({ keys, next }) => (keys === undefined ? next - 1 : (keys[next - 1] as string)));
  const where = path.length === 0 ? 'The value' : `The value at \`${formatPath(path)}\``;
  const kind = typeof value === 'object' ? (value?.constructor?.name ?? 'object') : String(value);
  return new WhetstoneError('json_value', `${where} is not JSON: ${what ?? kind}.`, {
    details: { path, value },
  });
}
