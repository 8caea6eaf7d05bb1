import { NumberToken } from '../../base/json/number-token.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';

/** What a provider gave as an object stands in the history: a tool that changes its input must not change that. */
export function withOwnArguments(call: Call): Call {
  if (typeof call.arguments === 'string' || call.kind === 'computer') return call;
  return { ...call, arguments: copyOf(call.arguments) };
}

/** However deep it nests: what nests too deeply is told by whoever checks it. */
function copyOf<Value extends JsonValue>(value: Value): Value {
  const whole = { value };
  const open: [from: JsonValue, into: object, name: string][] = [[value, whole, 'value']];
  // It grows while it is gone through, so that members keep their order.
  for (const [from, into, name] of open) {
    const isLeaf = typeof from !== 'object' || from === null || (from as unknown) instanceof NumberToken;
    const copy = isLeaf ? from : Array.isArray(from) ? [] : {};
    // Its own, whatever it is called: `__proto__` is no name to assign to.
    Object.defineProperty(into, name, { value: copy, writable: true, enumerable: true, configurable: true });
    if (!isLeaf) for (const [key, each] of Object.entries(from)) open.push([each, copy as object, key]);
  }
  return whole.value;
}
