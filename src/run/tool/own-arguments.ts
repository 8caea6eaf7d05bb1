import { NumberToken } from '../../base/json/number-token.ts';
import { setMember } from '../../base/json/member.ts';
import type { Call } from '../../base/message/call.ts';

/** What a provider gave as an object stands in the history: a tool that changes its input must not change that. */
export function withOwnArguments(call: Call): Call {
  if (typeof call.arguments === 'string' || call.kind === 'computer') return call;
  return { ...call, arguments: copyOf(call.arguments) };
}

/** However deep it nests: what nests too deeply is told by whoever checks it. */
function copyOf<Value extends object>(value: Value): Value {
  const whole = shellOf(value);
  const open: object[] = [whole];
  // It grows while it is gone through.
  for (const each of open)
    for (const key of Object.keys(each)) {
      const inner = each[key as keyof typeof each] as unknown;
      if (typeof inner !== 'object' || inner === null || inner instanceof NumberToken) continue;
      const copy = shellOf(inner);
      setMember(each as Record<string, unknown>, key, copy);
      open.push(copy);
    }
  return whole;
}

function shellOf<Value extends object>(value: Value): Value {
  return (Array.isArray(value) ? [...(value as readonly unknown[])] : { ...value }) as Value;
}
