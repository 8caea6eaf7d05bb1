import { WhetstoneError } from '../host/errors.ts';
import { show } from '../host/show.ts';
import type { JsonObject } from '../json/value.ts';
import { lightCheck } from '../schema/check/light-check.ts';

/** Throws `message_invalid` where a value from outside is not what one of our schemas says: what is where, and what belongs there. */
export function expectSchema(schema: JsonObject, name: string): (value: unknown) => void {
  const check = lightCheck(schema, { onlyJson: true });
  return (value) => {
    const [issue] = check.issues(value);
    if (issue) throw refusal(name, issue.place, issue.expected, issue.found);
  };
}

/** For functions that are handed what TypeScript would have refused. */
export function expectObject(value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null) throw refusal(name, '', 'an object', value);
}

export function expectList(value: unknown, name: string): void {
  if (!Array.isArray(value)) throw refusal(name, '', 'a list', value);
}

/** A list of objects: parts, results. */
export function expectObjects(value: unknown, name: string): void {
  expectList(value, name);
  const items = value as readonly unknown[];
  for (let index = 0; index < items.length; index++)
    if (typeof items[index] !== 'object' || items[index] === null)
      throw refusal(name, `[${index}]`, 'an object', items[index]);
}

export function expectText(value: unknown, name: string): void {
  if (typeof value !== 'string') throw refusal(name, '', 'a string', value);
}

function refusal(name: string, place: string, expected: string, found: unknown): WhetstoneError {
  const at = place === '' || place.startsWith('[') ? `${name}${place}` : `${name}.${place}`;
  return new WhetstoneError(
    'message_invalid',
    `\`${at}\`: expected ${expected}, found ${found === undefined ? 'nothing' : show(found)}.`,
    { details: { place, expected, found } },
  );
}
