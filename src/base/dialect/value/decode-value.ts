import { setMember } from '../../json/member.ts';
import { jsonEqual } from '../../json/equal.ts';
import { isJsonObject } from '../../json/value.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { absentMarker } from '../plan.ts';
import { readPlan } from './read-plan.ts';
import type { BranchStep, Plan, Step } from '../plan.ts';
import { fits } from './shape.ts';
import {
  definition,
  inPlaces,
  isPair,
  namesOf,
  type ObjectStep,
  plainText,
  tooDeep,
  type TupleStep,
  unknownStep,
  unmark,
  unshift,
} from './steps.ts';
import { unlessTooDeep } from '../../schema/too-deep.ts';

/**
 * Brings what a model wrote in a provider's form back to the form of the original schema. It does not check the
 * result (`checkValue` with `plan.original` does), and what it does not understand it leaves as it is.
 */
export function decodeValue(value: JsonValue, plan: Plan): JsonValue {
  const { root } = readPlan(plan);
  if (!root) return value;
  const done = unlessTooDeep(() => ({ value: decodeStep(value, root, plan) }));
  return done ? done.value : tooDeep(value);
}

function decodeStep(value: JsonValue, step: Step, plan: Plan): JsonValue {
  switch (step.op) {
    case 'wrap': {
      const inner =
        isJsonObject(value) && Object.hasOwn(value, step.key) ? (value[step.key] as JsonValue) : value;
      return step.inner ? decodeStep(inner, step.inner, plan) : inner;
    }
    case 'object':
      return isJsonObject(value) ? decodeObject(value, step, plan) : value;
    case 'pairs':
      return Array.isArray(value)
        ? decodePairs(value as readonly JsonValue[], step.value, plan)
        : decodePlain(value);
    case 'list':
      return Array.isArray(value)
        ? value.map((item: JsonValue) => decodeStep(item, step.items, plan))
        : value;
    case 'places':
      return Array.isArray(value)
        ? inPlaces(value as readonly JsonValue[], step, (item, inner) => decodeStep(item, inner, plan))
        : value;
    case 'tuple':
      if (plainText(value) !== undefined) return decodePlain(value);
      return isJsonObject(value) ? decodeTuple(value, step, plan) : value;
    case 'union':
      return decodeUnion(value, step.branches, plan);
    case 'text':
      return typeof value === 'string' ? parseText(value) : value;
    case 'enum': {
      const index = step.labels.findIndex((label) => jsonEqual(label, value));
      return index < 0 ? value : (step.values[index] as JsonValue);
    }
    case 'reference': {
      const target = definition(step.to, plan);
      return target ? decodeStep(value, target, plan) : value;
    }
    default:
      return unknownStep(step);
  }
}

function decodeObject(value: JsonObject, step: ObjectStep, plan: Plan): JsonValue {
  const { byWire, byName } = namesOf(step);
  const decoded: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const given = value[key] as JsonValue;
    const member = byWire.get(key);
    if (member) {
      if (member.absent === 'null' && given === null) continue;
      if (member.absent === 'marker' && given === absentMarker) continue;
      const plain = member.absent === 'marker' ? unmark(given) : given;
      setMember(decoded, member.name, member.inner ? decodeStep(plain, member.inner, plan) : plain);
    } else if (key === step.pairs?.wire && Array.isArray(given)) {
      const pairs = decodePairs(given as readonly JsonValue[], step.pairs.value, plan);
      if (isJsonObject(pairs)) for (const name of Object.keys(pairs)) setMember(decoded, name, pairs[name]);
      else setMember(decoded, key, given);
    } else {
      setMember(
        decoded,
        unshift(key, byWire, byName),
        step.others ? decodeStep(given, step.others, plan) : given,
      );
    }
  }
  return decoded as JsonObject;
}

function decodePairs(pairs: readonly JsonValue[], inner: Step | undefined, plan: Plan): JsonValue {
  const decoded: Record<string, unknown> = {};
  for (const pair of pairs) {
    if (!isPair(pair)) return pairs;
    setMember(decoded, pair['key'], inner ? decodeStep(pair['value'], inner, plan) : pair['value']);
  }
  return decoded as JsonObject;
}

function decodeTuple(value: JsonObject, step: TupleStep, plan: Plan): JsonValue {
  const items: JsonValue[] = [];
  for (const place of step.places) {
    const wire = place.wire ?? place.name;
    if (!Object.hasOwn(value, wire)) break;
    const given = value[wire] as JsonValue;
    if ((place.absent === 'null' && given === null) || (place.absent === 'marker' && given === absentMarker))
      break;
    const plain = place.absent === 'marker' ? unmark(given) : given;
    items.push(place.inner ? decodeStep(plain, place.inner, plan) : plain);
  }
  const rest = step.rest && value[step.rest.wire];
  const inner = step.rest?.items;
  if (Array.isArray(rest))
    for (const item of rest as readonly JsonValue[]) items.push(inner ? decodeStep(item, inner, plan) : item);
  return items;
}

/** Also asked by `lowerValue`, whether what it wrote comes back. */
export function decodeUnion(value: JsonValue, branches: readonly BranchStep[], plan: Plan): JsonValue {
  const branch = branches.find((one) => fits(one.shape, value, plan.shapes ?? {}));
  if (branch) return decodeBranch(value, branch, plan);
  const text = plainText(value);
  if (text !== undefined) return parseText(text);
  // No branch has this structure; the first that could be meant makes for the best words about what is wrong.
  const meant = branches.find(
    (one) => one.tag === undefined && fits(top(one.shape), value, plan.shapes ?? {}),
  );
  return meant ? decodeBranch(value, meant, plan) : value;
}

function decodeBranch(value: JsonValue, branch: BranchStep, plan: Plan): JsonValue {
  const inner = branch.tag === undefined ? value : ((value as JsonObject)[branch.tag] as JsonValue);
  return branch.inner ? decodeStep(inner, branch.inner, plan) : inner;
}

function top(shape: JsonObject): JsonObject {
  return shape['type'] === undefined ? shape : { type: shape['type'] };
}

function decodePlain(value: JsonValue): JsonValue {
  const text = plainText(value);
  return text === undefined ? value : parseText(text);
}

function parseText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // A model that was asked for JSON text and wrote plain text meant that text.
    return text;
  }
}
