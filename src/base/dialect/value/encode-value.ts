import { jsonEqual } from '../../json/equal.ts';
import { setMember } from '../../json/member.ts';
import { isJsonObject } from '../../json/value.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { absentMarker } from '../plan.ts';
import { readPlan } from './read-plan.ts';
import type { BranchStep, Plan, Step } from '../plan.ts';
import { decodeUnion } from './decode-value.ts';
import { fits } from './shape.ts';
import {
  definition,
  inPlaces,
  isPair,
  mark,
  namesOf,
  type ObjectStep,
  shift,
  tooDeep,
  type TupleStep,
  unknownStep,
  writePlain,
} from './steps.ts';
import { unlessTooDeep } from '../../schema/too-deep.ts';

/** Brings a value of the original schema to the provider's form, as its model would have written it. */
export function encodeValue(value: JsonValue, plan: Plan): JsonValue {
  const { root } = readPlan(plan);
  if (!root) return value;
  const done = unlessTooDeep(() => ({ value: encodeStep(value, root, { ...plan, written: new Map() }) }));
  return done ? done.value : tooDeep(value);
}

/**
 * A plan in use. What a union has written is kept: its branches are tried, and those inside it again with each.
 */
interface Scope extends Plan {
  readonly written?: Map<Step, Map<JsonValue, JsonValue>>;
}

function encodeStep(value: JsonValue, step: Step, plan: Scope): JsonValue {
  switch (step.op) {
    case 'wrap':
      return { [step.key]: step.inner ? encodeStep(value, step.inner, plan) : value };
    case 'object':
      return isJsonObject(value) ? encodeObject(value, step, plan) : value;
    case 'pairs':
      if (isJsonObject(value)) return encodePairs(Object.entries(value), step.value, plan);
      return Array.isArray(value) && value.every(isPair) ? writePlain(value) : value;
    case 'list':
      return Array.isArray(value)
        ? value.map((item: JsonValue) => encodeStep(item, step.items, plan))
        : value;
    case 'places':
      return Array.isArray(value)
        ? inPlaces(value as readonly JsonValue[], step, (item, inner) => encodeStep(item, inner, plan))
        : value;
    case 'tuple':
      if (Array.isArray(value)) return encodeTuple(value as readonly JsonValue[], step, plan);
      return isJsonObject(value) ? writePlain(value) : value;
    case 'union':
      return encodeUnion(value, step, plan);
    case 'text':
      return JSON.stringify(value);
    case 'enum': {
      const index = step.values.findIndex((known) => jsonEqual(known, value));
      return index < 0 ? value : (step.labels[index] as JsonValue);
    }
    case 'reference': {
      const target = definition(step.to, plan);
      return target ? encodeStep(value, target, plan) : value;
    }
    default:
      return unknownStep(step);
  }
}

function encodeObject(value: JsonObject, step: ObjectStep, plan: Scope): JsonValue {
  const { byWire, byName } = namesOf(step);
  const encoded: Record<string, unknown> = {};
  const others: [string, JsonValue][] = [];
  for (const key of Object.keys(value)) {
    const given = value[key] as JsonValue;
    const member = byName.get(key);
    if (member) {
      const inner = member.inner ? encodeStep(given, member.inner, plan) : given;
      setMember(encoded, member.wire ?? key, member.absent === 'marker' ? mark(inner) : inner);
    } else if (step.pairs) others.push([key, given]);
    else
      setMember(
        encoded,
        shift(key, byWire, byName),
        step.others ? encodeStep(given, step.others, plan) : given,
      );
  }
  for (const member of step.members)
    if (member.absent && !Object.hasOwn(value, member.name))
      setMember(encoded, member.wire ?? member.name, member.absent === 'marker' ? absentMarker : null);
  if (step.pairs) setMember(encoded, step.pairs.wire, encodePairs(others, step.pairs.value, plan));
  return encoded as JsonObject;
}

function encodePairs(
  entries: readonly [string, JsonValue][],
  inner: Step | undefined,
  plan: Scope,
): JsonValue {
  return entries.map(([key, value]) => ({ key, value: inner ? encodeStep(value, inner, plan) : value }));
}

function encodeTuple(value: readonly JsonValue[], step: TupleStep, plan: Scope): JsonValue {
  const encoded: Record<string, JsonValue> = {};
  step.places.forEach((place, index) => {
    const wire = place.wire ?? place.name;
    if (index >= value.length) {
      if (place.absent) encoded[wire] = place.absent === 'marker' ? absentMarker : null;
      return;
    }
    const item = value[index] as JsonValue;
    const inner = place.inner ? encodeStep(item, place.inner, plan) : item;
    encoded[wire] = place.absent === 'marker' ? mark(inner) : inner;
  });
  const further = value.slice(step.places.length);
  const inner = step.rest?.items;
  if (step.rest)
    encoded[step.rest.wire] = inner ? further.map((item) => encodeStep(item, inner, plan)) : further;
  else if (further.length > 0) return value;
  return encoded;
}

/** The first branch that brings the value back as it was; one whose structure fits, before one that merely works. */
function encodeUnion(value: JsonValue, step: Extract<Step, { op: 'union' }>, plan: Scope): JsonValue {
  if (typeof value !== 'object' || value === null) return writeUnion(value, step, plan);
  const known = plan.written?.get(step) ?? new Map<JsonValue, JsonValue>();
  plan.written?.set(step, known);
  const before = known.get(value);
  if (before !== undefined) return before;
  const encoded = writeUnion(value, step, plan);
  known.set(value, encoded);
  return encoded;
}

function writeUnion(value: JsonValue, step: Extract<Step, { op: 'union' }>, plan: Scope): JsonValue {
  const ambiguous: JsonValue[] = [];
  const unfit: JsonValue[] = [];
  for (const branch of step.branches) {
    if (!mayMean(branch, value)) continue;
    const inner = branch.inner ? encodeStep(value, branch.inner, plan) : value;
    const encoded = branch.tag === undefined ? inner : { [branch.tag]: inner };
    const decoded = decodeUnion(encoded, step.branches, plan);
    const exact = jsonEqual(decoded, value);
    if (!fits(branch.shape, encoded, plan.shapes ?? {})) {
      if (exact) unfit.push(encoded);
    } else if (exact) return encoded;
    else if (jsonEqual(withoutNulls(decoded), withoutNulls(value))) ambiguous.push(encoded);
  }
  const [best] = [...ambiguous, ...unfit];
  if (best !== undefined) return best;
  const asItIs = jsonEqual(decodeUnion(value, step.branches, plan), value);
  return asItIs ? value : writePlain(value);
}

/** For comparing values where null may mean a member that is not there. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}

/** What the step of a branch starts from; the rest is tried. */
function mayMean(branch: BranchStep, value: JsonValue): boolean {
  switch (branch.inner?.op) {
    case 'pairs':
    case 'object':
      return isJsonObject(value);
    case 'tuple':
    case 'list':
    case 'places':
      return Array.isArray(value);
    case 'enum':
      return branch.inner.values.some((known) => jsonEqual(known, value));
    default:
      return true;
  }
}
