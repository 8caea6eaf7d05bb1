import { WhetstoneError } from '../host/errors.ts';
import { jsonEqual } from '../json/equal.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { absentMarker } from './plan.ts';
import type { BranchStep, MemberStep, Plan, Step } from './plan.ts';
import { fits } from './shape.ts';
import { setMember } from './subschemas.ts';

/**
 * Brings what a model wrote in a provider's form back to the form of the original schema. It does not check the
 * result (`checkValue` with `plan.original` does), and what it does not understand it leaves as it is.
 */
export function raise(value: JsonValue, plan: Plan): JsonValue {
  const { root } = readPlan(plan);
  return root ? raiseStep(value, root, plan) : value;
}

/** Brings a value of the original schema to the provider's form, as its model would have written it. */
export function lowerValue(value: JsonValue, plan: Plan): JsonValue {
  const { root } = readPlan(plan);
  return root ? lowerStep(value, root, { ...plan, written: new Map() }) : value;
}

/**
 * A plan in use. What a union has written is kept: its branches are tried, and those inside it again with each.
 */
interface Scope extends Plan {
  readonly written?: Map<Step, Map<JsonValue, JsonValue>>;
}

/** Outside data becomes a plan here: from a file, say. */
export function readPlan(plan: unknown): Plan {
  if (
    isJsonObject(plan) &&
    plan['version'] === 1 &&
    'original' in plan &&
    (plan['root'] === undefined || isJsonObject(plan['root']))
  )
    return plan as unknown as Plan;
  throw new WhetstoneError('plan_invalid', 'This is no plan of this version. Make it anew with lower().', {
    details: { plan },
  });
}

function raiseStep(value: JsonValue, step: Step, plan: Plan): JsonValue {
  switch (step.op) {
    case 'wrap': {
      const inner =
        isJsonObject(value) && Object.hasOwn(value, step.key) ? (value[step.key] as JsonValue) : value;
      return step.inner ? raiseStep(inner, step.inner, plan) : inner;
    }
    case 'object':
      return isJsonObject(value) ? raiseObject(value, step, plan) : value;
    case 'pairs':
      return Array.isArray(value) ? raisePairs(value as readonly JsonValue[], step.value, plan) : value;
    case 'list':
      return Array.isArray(value) ? value.map((item: JsonValue) => raiseStep(item, step.items, plan)) : value;
    case 'places':
      return Array.isArray(value)
        ? inPlaces(value as readonly JsonValue[], step, (item, inner) => raiseStep(item, inner, plan))
        : value;
    case 'tuple':
      return isJsonObject(value) ? raiseTuple(value, step, plan) : value;
    case 'union':
      return raiseUnion(value, step.branches, plan);
    case 'text':
      return typeof value === 'string' ? parseText(value) : value;
    case 'enum': {
      const index = step.labels.findIndex((label) => jsonEqual(label, value));
      return index < 0 ? value : (step.values[index] as JsonValue);
    }
    case 'reference': {
      const target = definition(step.to, plan);
      return target ? raiseStep(value, target, plan) : value;
    }
    default:
      return unknownStep(step);
  }
}

function lowerStep(value: JsonValue, step: Step, plan: Scope): JsonValue {
  switch (step.op) {
    case 'wrap':
      return { [step.key]: step.inner ? lowerStep(value, step.inner, plan) : value };
    case 'object':
      return isJsonObject(value) ? lowerObject(value, step, plan) : value;
    case 'pairs':
      return isJsonObject(value) ? lowerPairs(Object.entries(value), step.value, plan) : value;
    case 'list':
      return Array.isArray(value) ? value.map((item: JsonValue) => lowerStep(item, step.items, plan)) : value;
    case 'places':
      return Array.isArray(value)
        ? inPlaces(value as readonly JsonValue[], step, (item, inner) => lowerStep(item, inner, plan))
        : value;
    case 'tuple':
      return Array.isArray(value) ? lowerTuple(value as readonly JsonValue[], step, plan) : value;
    case 'union':
      return lowerUnion(value, step, plan);
    case 'text':
      return JSON.stringify(value);
    case 'enum': {
      const index = step.values.findIndex((known) => jsonEqual(known, value));
      return index < 0 ? value : (step.labels[index] as JsonValue);
    }
    case 'reference': {
      const target = definition(step.to, plan);
      return target ? lowerStep(value, target, plan) : value;
    }
    default:
      return unknownStep(step);
  }
}

type ObjectStep = Extract<Step, { op: 'object' }>;

function raiseObject(value: JsonObject, step: ObjectStep, plan: Plan): JsonValue {
  const { byWire, byName } = index(step);
  const raised: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const given = value[key] as JsonValue;
    const member = byWire.get(key);
    if (member) {
      if (member.absent === 'null' && given === null) continue;
      if (member.absent === 'marker' && given === absentMarker) continue;
      const plain = member.absent === 'marker' ? unmark(given) : given;
      setMember(raised, member.name, member.inner ? raiseStep(plain, member.inner, plan) : plain);
    } else if (key === step.pairs?.wire && Array.isArray(given)) {
      const pairs = raisePairs(given as readonly JsonValue[], step.pairs.value, plan);
      if (isJsonObject(pairs)) for (const name of Object.keys(pairs)) setMember(raised, name, pairs[name]);
      else setMember(raised, key, given);
    } else {
      setMember(
        raised,
        unshift(key, byWire, byName),
        step.others ? raiseStep(given, step.others, plan) : given,
      );
    }
  }
  return raised as JsonObject;
}

function lowerObject(value: JsonObject, step: ObjectStep, plan: Scope): JsonValue {
  const { byWire, byName } = index(step);
  const lowered: Record<string, unknown> = {};
  const others: [string, JsonValue][] = [];
  for (const key of Object.keys(value)) {
    const given = value[key] as JsonValue;
    const member = byName.get(key);
    if (member) {
      const inner = member.inner ? lowerStep(given, member.inner, plan) : given;
      setMember(lowered, member.wire ?? key, member.absent === 'marker' ? mark(inner) : inner);
    } else if (step.pairs) others.push([key, given]);
    else
      setMember(
        lowered,
        shift(key, byWire, byName),
        step.others ? lowerStep(given, step.others, plan) : given,
      );
  }
  for (const member of step.members)
    if (member.absent && !Object.hasOwn(value, member.name))
      setMember(lowered, member.wire ?? member.name, member.absent === 'marker' ? absentMarker : null);
  if (step.pairs) setMember(lowered, step.pairs.wire, lowerPairs(others, step.pairs.value, plan));
  return lowered as JsonObject;
}

interface Names {
  readonly byWire: ReadonlyMap<string, MemberStep>;
  readonly byName: ReadonlyMap<string, MemberStep>;
}

const indexes = new WeakMap<Step, Names>();

function index(step: ObjectStep): Names {
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
function shift(key: string, byWire: Names['byWire'], byName: Names['byName']): string {
  const bare = key.replace(/~+$/, '');
  return byWire.has(bare) && !byName.has(bare) ? `${key}~` : key;
}

function unshift(key: string, byWire: Names['byWire'], byName: Names['byName']): string {
  const bare = key.replace(/~+$/, '');
  return bare !== key && byWire.has(bare) && !byName.has(bare) ? key.slice(0, -1) : key;
}

/** A text that looks like the marker gets a `_` more, so that the marker itself is never meant. */
function mark(value: JsonValue): JsonValue {
  return typeof value === 'string' && looksMarked.test(value) ? `_${value}` : value;
}

function unmark(value: JsonValue): JsonValue {
  return typeof value === 'string' && looksMarked.test(value) ? value.slice(1) : value;
}

const looksMarked = new RegExp(`^_*${absentMarker}$`);

function raisePairs(pairs: readonly JsonValue[], inner: Step | undefined, plan: Plan): JsonValue {
  const raised: Record<string, unknown> = {};
  for (const pair of pairs) {
    if (!isJsonObject(pair) || typeof pair['key'] !== 'string' || pair['value'] === undefined) return pairs;
    setMember(raised, pair['key'], inner ? raiseStep(pair['value'], inner, plan) : pair['value']);
  }
  return raised as JsonObject;
}

function lowerPairs(
  entries: readonly [string, JsonValue][],
  inner: Step | undefined,
  plan: Scope,
): JsonValue {
  return entries.map(([key, value]) => ({ key, value: inner ? lowerStep(value, inner, plan) : value }));
}

function inPlaces(
  value: readonly JsonValue[],
  step: Extract<Step, { op: 'places' }>,
  change: (item: JsonValue, inner: Step) => JsonValue,
): JsonValue {
  return value.map((item, place) => {
    const inner = place < step.places.length ? step.places[place] : step.rest;
    return inner ? change(item, inner) : item;
  });
}

type TupleStep = Extract<Step, { op: 'tuple' }>;

function raiseTuple(value: JsonObject, step: TupleStep, plan: Plan): JsonValue {
  const items: JsonValue[] = [];
  for (const place of step.places) {
    const wire = place.wire ?? place.name;
    if (!Object.hasOwn(value, wire)) break;
    const given = value[wire] as JsonValue;
    if ((place.absent === 'null' && given === null) || (place.absent === 'marker' && given === absentMarker))
      break;
    const plain = place.absent === 'marker' ? unmark(given) : given;
    items.push(place.inner ? raiseStep(plain, place.inner, plan) : plain);
  }
  const rest = step.rest && value[step.rest.wire];
  const inner = step.rest?.items;
  if (Array.isArray(rest))
    for (const item of rest as readonly JsonValue[]) items.push(inner ? raiseStep(item, inner, plan) : item);
  return items;
}

function lowerTuple(value: readonly JsonValue[], step: TupleStep, plan: Scope): JsonValue {
  const lowered: Record<string, JsonValue> = {};
  step.places.forEach((place, index) => {
    const wire = place.wire ?? place.name;
    if (index >= value.length) {
      if (place.absent) lowered[wire] = place.absent === 'marker' ? absentMarker : null;
      return;
    }
    const item = value[index] as JsonValue;
    const inner = place.inner ? lowerStep(item, place.inner, plan) : item;
    lowered[wire] = place.absent === 'marker' ? mark(inner) : inner;
  });
  const further = value.slice(step.places.length);
  const inner = step.rest?.items;
  if (step.rest)
    lowered[step.rest.wire] = inner ? further.map((item) => lowerStep(item, inner, plan)) : further;
  else if (further.length > 0) return value;
  return lowered;
}

function raiseUnion(value: JsonValue, branches: readonly BranchStep[], plan: Plan): JsonValue {
  const branch = branches.find((one) => fits(one.shape, value, plan.shapes ?? {}));
  if (branch) return raiseBranch(value, branch, plan);
  if (isJsonObject(value) && Object.keys(value).length === 1 && typeof value[plainKey] === 'string')
    return parseText(value[plainKey]);
  // No branch has this structure; the first that could be meant makes for the best words about what is wrong.
  const meant = branches.find(
    (one) => one.tag === undefined && fits(top(one.shape), value, plan.shapes ?? {}),
  );
  return meant ? raiseBranch(value, meant, plan) : value;
}

function raiseBranch(value: JsonValue, branch: BranchStep, plan: Plan): JsonValue {
  const inner = branch.tag === undefined ? value : ((value as JsonObject)[branch.tag] as JsonValue);
  return branch.inner ? raiseStep(inner, branch.inner, plan) : inner;
}

function top(shape: JsonObject): JsonObject {
  return shape['type'] === undefined ? shape : { type: shape['type'] };
}

/** The first branch that brings the value back as it was; one whose structure fits, before one that merely works. */
function lowerUnion(value: JsonValue, step: Extract<Step, { op: 'union' }>, plan: Scope): JsonValue {
  if (typeof value !== 'object' || value === null) return writeUnion(value, step, plan);
  const known = plan.written?.get(step) ?? new Map<JsonValue, JsonValue>();
  plan.written?.set(step, known);
  const before = known.get(value);
  if (before !== undefined) return before;
  const lowered = writeUnion(value, step, plan);
  known.set(value, lowered);
  return lowered;
}

function writeUnion(value: JsonValue, step: Extract<Step, { op: 'union' }>, plan: Scope): JsonValue {
  const ambiguous: JsonValue[] = [];
  const unfit: JsonValue[] = [];
  for (const branch of step.branches) {
    if (!mayMean(branch, value)) continue;
    const inner = branch.inner ? lowerStep(value, branch.inner, plan) : value;
    const lowered = branch.tag === undefined ? inner : { [branch.tag]: inner };
    const raised = raiseUnion(lowered, step.branches, plan);
    const exact = jsonEqual(raised, value);
    if (!fits(branch.shape, lowered, plan.shapes ?? {})) {
      if (exact) unfit.push(lowered);
    } else if (exact) return lowered;
    else if (jsonEqual(withoutNulls(raised), withoutNulls(value))) ambiguous.push(lowered);
  }
  const [best] = [...ambiguous, ...unfit];
  if (best !== undefined) return best;
  const asItIs = jsonEqual(raiseUnion(value, step.branches, plan), value);
  return asItIs ? value : { [plainKey]: JSON.stringify(value) };
}

/** For comparing values where null may stand for a member that is not there. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}

/** A value that the schema allows but no branch can say (members that no branch lists) goes as JSON text. */
const plainKey = '$json';

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

function parseText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // A model that was asked for JSON text and wrote plain text meant that text.
    return text;
  }
}

function definition(name: string, plan: Plan): Step | undefined {
  return plan.definitions && Object.hasOwn(plan.definitions, name) ? plan.definitions[name] : undefined;
}

function unknownStep(step: never): never {
  throw new WhetstoneError(
    'plan_invalid',
    `This plan has a step that is not known: ${JSON.stringify(step)?.slice(0, 80)}.`,
    {
      details: { step },
    },
  );
}
