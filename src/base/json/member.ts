/** Sets a member under any key: `__proto__` is a key like any other. */
export function setMember<Value>(members: Record<string, Value>, key: string, value: Value): void {
  // The length is asked first because comparing it is free.
  if (key.length === 9 && key === '__proto__') {
    Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
  } else members[key] = value;
}
