import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { showValue, type Issue } from '../../base/schema/check/issue.ts';
import { lightCheck } from '../../base/schema/check/light-check.ts';
import { printable, type Shape } from '../api/shape.ts';
import { kindOf } from './fields.ts';
import { invalid } from './refusal.ts';
import { fieldsOf, mustBeSpelt } from './spelling.ts';

/** Reads a body, or a part of it at a path: a field that may be left out may be null as well. */
export type ReadBody<Body> = (value: unknown, path?: string) => Body;

/** A reader of one shape: it gives the value as it is known to be, or refuses it by the first place that is wrong. */
export function bodyReader<Body>(shape: Shape<Body>): ReadBody<Body> {
  const fields = fieldsOf(shape);
  const check = lightCheck(shape);
  return (value, path = '') => {
    mustBeSpelt(value, fields, path);
    const body = withoutNulls(value as JsonValue, shape);
    const [issue] = check.issues(body);
    if (issue !== undefined) {
      const place = placeIn(path, issue.place);
      throw invalid(place, `${place === '' ? 'The body ' : ''}${problemOf(issue)}`);
    }
    // The check has just said so.
    return body as Body;
  };
}

/** Copies only what changes: most bodies have no null. */
function withoutNulls(value: JsonValue, shape: JsonValue | undefined): JsonValue {
  if (!isJsonObject(shape)) return value;
  const { anyOf, items, properties, required } = shape;
  if (Array.isArray(anyOf))
    return withoutNulls(
      value,
      anyOf.find((one) => isJsonObject(one) && isJsonObject(one['properties'])),
    );
  if (Array.isArray(value)) {
    const next = value.map((item) => withoutNulls(item, items));
    return next.some((item, index) => item !== value[index]) ? next : value;
  }
  if (!isJsonObject(value) || !isJsonObject(properties)) return value;
  const needed = required as readonly string[] | undefined;
  let changed: Record<string, JsonValue> | undefined;
  for (const [name, member] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) continue;
    if (member === null && !needed?.includes(name)) delete (changed ??= { ...value })[name];
    else {
      const next = withoutNulls(member, properties[name]);
      if (next !== member) (changed ??= { ...value })[name] = next;
    }
  }
  return changed ?? value;
}

function problemOf({ keyword, expected, found }: Issue): string {
  const wanted = expected.replace(` that matches ${printable}`, '');
  switch (keyword) {
    case 'required':
      return `is missing. It must be ${wanted}.`;
    case 'additionalProperties':
      return `is ${wanted.replace('no such property', 'not a field here')}.`;
    case 'pattern':
      return expected.includes(printable) ? 'must not hold control characters.' : `must be ${wanted}.`;
    case 'minLength':
    case 'maxLength':
      return `must be ${wanted}, but has ${[...String(found)].length}.`;
    case 'minItems':
    case 'maxItems':
      return `must be ${wanted}, but has ${Array.isArray(found) ? found.length : 0}.`;
    default:
      return `must be ${wanted}, not ${keyword === 'type' || found === undefined ? kindOf(found) : showValue(found)}.`;
  }
}

function placeIn(path: string, place: string): string {
  return path === '' || place === ''
    ? path + place
    : place.startsWith('[')
      ? path + place
      : `${path}.${place}`;
}
