import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject } from '../../base/json/value.ts';

/** How the text of a value is made of what is kept of it; undefined when the value has moved on since. */
type Told = () => string | undefined;

const told = new WeakMap<object, Told>();

/** Says that the text of this value is kept elsewhere. */
export function tellText<Value extends object>(value: Value, text: Told): Value {
  told.set(value, text);
  return value;
}

/** A value that is made once for many requests and never changes: its text is kept as long as it lives. */
export function constant<Value extends object>(value: Value): Value {
  let text: string | undefined;
  return tellText(value, () => (text ??= JSON.stringify(value)));
}

/** The same text as `JSON.stringify`; of a conversation that goes on only what is new is written. */
export function bodyText(body: JsonObject): string {
  let text = '';
  for (const name in body) {
    const value = body[name];
    if (value === undefined) continue;
    const known = typeof value === 'object' && value !== null ? told.get(value)?.() : undefined;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:`;
    text += known ?? (isJsonObject(value) ? bodyText(value) : JSON.stringify(value));
  }
  return `{${text}}`;
}

/** Half of a character, which `JSON.stringify` writes as an escape: one in a text, and the whole request is refused. */
const halves = /(?<!\\)((?:\\\\)*)\\u(?:d[89a-f][\da-f]{2})/g;

/** JSON text whose strings are Unicode: each half of a character becomes the sign for what cannot be shown. */
export function wellFormed(json: string): string {
  return json.includes('\\ud') ? json.replace(halves, '$1\ufffd') : json;
}
