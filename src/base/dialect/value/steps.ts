import { WhetstoneError } from '../../host/errors.ts';
import { show } from '../../host/show.ts';
import { isJsonObject } from '../../json/value.ts';
import type { JsonValue } from '../../json/value.ts';
import { absentMarker } from '../plan.ts';
import type { MemberStep, Plan, Step } from '../plan.ts';

// What both ways through a plan, `decodeValue` and `encodeValue`, share.

export type ObjectStep = Extract<Step, { op: 'object' }>;

export type TupleStep = Extract<Step, { op: 'tuple' }>;

export interface Names {
  readonly byWire: ReadonlyMap<string, MemberStep>;
  readonly byName: ReadonlyMap<string, MemberStep>;
}

const indexes = new WeakMap<Step, Names>();

/** The members of an object step, by either name. */
export function namesOf(step: ObjectStep): Names {
  let names = indexes.get(step);
  if (!names) {
    names = {
      byWire: new Map(step.members.map((member) => [member.wire ?? member.name, member])),
      byName: new Map(step.members.map((member) => [member.name, member])),
    };
    indexes.set(step, names);
  }
  return names;
}

/** A member that no schema lists must not take the wire name of one that was renamed: it gets a `~` more. */
export function shift(key: string, byWire: Names['byWire'], byName: Names['byName']): string {
  const bare = key.replace(/~+$/, '');
  return byWire.has(bare) && !byName.has(bare) ? `${key}~` : key;
}

/** What `shift` did, taken back. */
export function unshift(key: string, byWire: Names['byWire'], byName: Names['byName']): string {
  const bare = key.replace(/~+$/, '');
  return bare !== key && byWire.has(bare) && !byName.has(bare) ? key.slice(0, -1) : key;
}

/** A text that looks like the marker gets a `_` more, so that the marker itself is never meant. */
export function mark(value: JsonValue): JsonValue {
  return typeof value === 'string' && looksMarked.test(value) ? `_${value}` : value;
}

/** What `mark` did, taken back. */
export function unmark(value: JsonValue): JsonValue {
  return typeof value === 'string' && looksMarked.test(value) ? value.slice(1) : value;
}

const looksMarked = new RegExp(`^_*${absentMarker}$`);

/** A list with each item changed by the step of its place. */
export function inPlaces(
  value: readonly JsonValue[],
  step: Extract<Step, { op: 'places' }>,
  change: (item: JsonValue, inner: Step) => JsonValue,
): JsonValue {
  return value.map((item, place) => {
    const inner = place < step.places.length ? step.places[place] : step.rest;
    return inner ? change(item, inner) : item;
  });
}

/** One member of a record that is written as pairs. */
export function isPair(pair: JsonValue): pair is { readonly key: string; readonly value: JsonValue } {
  return isJsonObject(pair) && typeof pair['key'] === 'string' && pair['value'] !== undefined;
}

/** A value that the schema allows but no branch can say (members that no branch lists) goes as JSON text. */
const plainKey = '$json';

/** A value as JSON text, where its own form would come back as another: a list where a record is written as pairs, say. */
export function writePlain(value: JsonValue): JsonValue {
  return { [plainKey]: JSON.stringify(value) };
}

/** The text that `writePlain` wrote, if it did. */
export function plainText(value: JsonValue): string | undefined {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return undefined;
  const text = value[plainKey];
  return typeof text === 'string' ? text : undefined;
}

/** The step that a reference points to. */
export function definition(name: string, plan: Plan): Step | undefined {
  return plan.definitions && Object.hasOwn(plan.definitions, name) ? plan.definitions[name] : undefined;
}

export function unknownStep(step: never): never {
  throw new WhetstoneError(
    'plan_invalid',
    `This plan has a step that is not known: ${JSON.stringify(step)?.slice(0, 80)}.`,
    {
      details: { step },
    },
  );
}

export function tooDeep(value: JsonValue): never {
  throw new WhetstoneError(
    'schema_input',
    `This value is nested too deeply to be converted by a plan: ${show(value)}.`,
    { details: { value } },
  );
}
