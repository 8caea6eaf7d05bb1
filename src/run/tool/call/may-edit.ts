import { jsonEqual } from '../../../base/json/equal.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonValue } from '../../../base/json/value.ts';

/** What a person who decides on a call may change of its arguments: all of them, none, or the members of these names. */
export type Editable = boolean | readonly string[];

/** What is changed against the rule, as a clause; undefined where everything that is changed may be. */
export function forbiddenEdit(editable: Editable, shown: JsonValue, edited: JsonValue): string | undefined {
  if (editable === true) return undefined;
  if (editable === false) return 'its arguments may not be changed';
  if (!isJsonObject(shown) || !isJsonObject(edited)) return `only ${editable.join(', ')} may be changed`;
  const names = new Set([...Object.keys(shown), ...Object.keys(edited)]);
  const changed = [...names].find((name) => !editable.includes(name) && !isSame(shown[name], edited[name]));
  return changed === undefined
    ? undefined
    : `"${changed}" was changed, and only ${editable.join(', ') || 'nothing'} may be`;
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === undefined || b === undefined ? a === b : jsonEqual(a, b);
}
