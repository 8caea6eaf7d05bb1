/** A value in a message, short, whatever it is: also one that contains itself, has no end or no text of its own. */
export function show(value: unknown): string {
  const text = textOf(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function textOf(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' && typeof value !== 'string') return String(value);
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    return Array.isArray(value) ? `a list of ${value.length}` : 'an object that is not JSON';
  }
}
