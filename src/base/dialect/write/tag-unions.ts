import { jsonEqual } from '../../json/equal.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { BranchStep, MemberStep, Step } from '../plan.ts';
import { areApart, shapeOf } from '../value/shape.ts';
import type { Shapes } from '../value/shape.ts';
import { innerSteps } from './written-schema.ts';
import type { RawChoice, RawMember, RawStep, Wire, Written } from './written-schema.ts';

export interface TaggedUnions {
  readonly step: Step | undefined;
  readonly definitions: Readonly<Record<string, Step>>;
  readonly shapes: Shapes;
}

/**
 * Turns the steps of a written schema into those of its plan: parts that change nothing fall away, and a union
 * whose branches cannot be told apart by their structure gets a tag round them, on the wire too.
 */
export function tagUnions(
  root: Written,
  definitions: ReadonlyMap<string, Written>,
  closed: boolean,
): TaggedUnions {
  const active = findActive(definitions);
  const found: Found = { unions: [], members: [] };
  collect(root.step, found);
  for (const { step } of definitions.values()) collect(step, found);
  const { unions, members } = found;
  const shapes = (): Shapes =>
    Object.fromEntries([...definitions].map(([name, written]) => [name, shapeOf(written.wire)]));
  // A tag changes the structure that others are told apart by; tags are only ever added, so this ends.
  for (let changed = unions.length + members.length > 0; changed;) {
    changed = false;
    const now = shapes();
    for (const union of unions) if (tagWhereNeeded(union, now, active, closed)) changed = true;
    for (const member of members) if (addNull(member, definitions)) changed = true;
  }
  const settled: Record<string, Step> = {};
  for (const [name, written] of definitions) {
    const step = active.has(name) ? toStep(written.step, active) : undefined;
    if (step) settled[name] = step;
  }
  const usesShapes = unions.some((union) => union.choices.some((choice) => isActive(choice.step, active)));
  return { step: toStep(root.step, active), definitions: settled, shapes: usesShapes ? shapes() : {} };
}

/** The definitions in which something changes, in themselves or in what they point to. */
function findActive(definitions: ReadonlyMap<string, Written>): ReadonlySet<string> {
  const active = new Set<string>();
  for (let grew = true; grew;) {
    grew = false;
    for (const [name, written] of definitions)
      if (!active.has(name) && isActive(written.step, active)) {
        active.add(name);
        grew = true;
      }
  }
  return active;
}

function isActive(step: RawStep | undefined, active: ReadonlySet<string>): boolean {
  if (!step) return false;
  switch (step.op) {
    case 'reference':
      return active.has(step.to);
    case 'list':
    case 'places':
      break;
    case 'union':
      if (step.choices.some((choice) => choice.tag !== undefined)) return true;
      break;
    case 'object':
      if (step.pairs !== undefined || step.members.some(changes)) return true;
      break;
    default:
      return true;
  }
  return innerSteps(step).some((inner) => isActive(inner, active));
}

function changes(member: RawMember): boolean {
  return member.wire !== member.name || member.absent !== undefined;
}

/** Unions whose branches may need tags, and members that may still have to take null. */
interface Found {
  readonly unions: Extract<RawStep, { op: 'union' }>[];
  readonly members: RawMember[];
}

/** The inner ones first: their tags change the structure of the outer ones. */
function collect(step: RawStep | undefined, found: Found): void {
  if (!step) return;
  for (const inner of innerSteps(step)) collect(inner, found);
  if (step.op === 'union') found.unions.push(step);
  else if (step.op === 'object')
    found.members.push(...step.members.filter((member) => member.absent === 'ambiguous-null'));
}

/** A member that says with null that it is absent must take null also where the branch that took it has a tag. */
function addNull(member: RawMember, definitions: ReadonlyMap<string, Written>): boolean {
  if (member.absent !== 'ambiguous-null' || takesNull(member.of, definitions, 0)) return false;
  member.absent = 'null';
  const { of } = member;
  if (Array.isArray(of['anyOf'])) (of['anyOf'] as Wire[]).push({ type: 'null' });
  else {
    const to = of['$ref'];
    delete of['$ref'];
    of['anyOf'] = [{ $ref: to }, { type: 'null' }];
  }
  return true;
}

function takesNull(wire: Wire, definitions: ReadonlyMap<string, Written>, depth: number): boolean {
  if (typeof wire['$ref'] === 'string') {
    const target = definitions.get(wire['$ref'].slice('#/$defs/'.length));
    return depth > 20 || !target || takesNull(target.wire, definitions, depth + 1);
  }
  if (Array.isArray(wire['anyOf']))
    return (wire['anyOf'] as Wire[]).some((one) => takesNull(one, definitions, depth));
  const type = wire['type'];
  return (
    type === undefined ||
    type === 'null' ||
    wire['nullable'] === true ||
    (Array.isArray(type) && type.includes('null'))
  );
}

function tagWhereNeeded(
  union: Extract<RawStep, { op: 'union' }>,
  shapes: Shapes,
  active: ReadonlySet<string>,
  closed: boolean,
): boolean {
  const steps = union.choices.map((choice) =>
    isActive(choice.step, active) ? toStep(choice.step, active) : undefined,
  );
  const shape = union.choices.map((choice) => shapeOf(wireOf(choice)));
  let conflict = false;
  for (let i = 0; i < steps.length; i++)
    for (let j = i + 1; j < steps.length; j++) {
      const one = union.choices[i] as RawChoice;
      const other = union.choices[j] as RawChoice;
      if (one.tag !== undefined && other.tag !== undefined) continue;
      if (
        one.tag === undefined &&
        other.tag === undefined &&
        agree(steps[i], steps[j], shape[i] as JsonObject, shape[j] as JsonObject)
      )
        continue;
      if (areApart(shape[i] as JsonObject, shape[j] as JsonObject, shapes)) continue;
      // The branch that changes is the one that can take a tag; if both are tagged they are certainly distinct.
      const chosen = one.tag === undefined && (steps[i] !== undefined || other.tag !== undefined) ? i : j;
      addTag(union, chosen, closed);
      shape[chosen] = shapeOf(wireOf(union.choices[chosen] as RawChoice));
      conflict = true;
    }
  return conflict;
}

function addTag(union: Extract<RawStep, { op: 'union' }>, index: number, closed: boolean): void {
  const choice = union.choices[index] as RawChoice;
  choice.tag = `option_${index + 1}`;
  const at = union.list.indexOf(choice.wire);
  union.list[at] = { ...wireOf(choice), ...(closed ? { additionalProperties: false } : {}) };
}

function wireOf(choice: RawChoice): Wire {
  if (choice.tag === undefined) return choice.wire;
  return {
    type: 'object',
    properties: { [choice.tag]: choice.wire },
    required: [choice.tag],
  };
}

/** True where a value that has both structures comes back the same by either step. */
function agree(one: Step | undefined, other: Step | undefined, left: JsonObject, right: JsonObject): boolean {
  if (jsonEqual((one ?? null) as JsonValue, (other ?? null) as JsonValue)) return true;
  if ((one && one.op !== 'object') || (other && other.op !== 'object')) return false;
  if (left['additionalProperties'] !== false || right['additionalProperties'] !== false) return false;
  if (one?.pairs || other?.pairs || one?.others || other?.others) return false;
  const inLeft = (left['properties'] ?? {}) as JsonObject;
  const inRight = (right['properties'] ?? {}) as JsonObject;
  const memberOf = (step: typeof one, wire: string): JsonValue => {
    const found = step?.members.find((member) => (member.wire ?? member.name) === wire);
    return (found ?? { name: wire }) as unknown as JsonValue;
  };
  return Object.keys(inLeft)
    .filter((wire) => Object.hasOwn(inRight, wire))
    .every((wire) => jsonEqual(memberOf(one, wire), memberOf(other, wire)));
}

/** The step as the plan has it; undefined where nothing changes in it. */
function toStep(step: RawStep | undefined, active: ReadonlySet<string>): Step | undefined {
  switch (step?.op) {
    case undefined:
      return undefined;
    case 'reference':
      return active.has(step.to) ? step : undefined;
    case 'wrap':
      return { op: 'wrap', key: step.key, ...optional('inner', toStep(step.inner, active)) };
    case 'pairs':
      return { op: 'pairs', ...optional('value', toStep(step.value, active)) };
    case 'list': {
      const items = toStep(step.items, active);
      return items && { op: 'list', items };
    }
    case 'places': {
      const places = step.places.map((place) => toStep(place, active) ?? null);
      const rest = toStep(step.rest, active);
      if (!rest && places.every((place) => place === null)) return undefined;
      return { op: 'places', places, ...optional('rest', rest) };
    }
    case 'tuple':
      return {
        op: 'tuple',
        places: step.places.map((place) => toMember(place, toStep(place.inner, active))),
        ...(step.rest && {
          rest: { wire: step.rest.wire, ...optional('items', toStep(step.rest.items, active)) },
        }),
      };
    case 'object':
      return toObject(step, active);
    case 'union':
      return isActive(step, active)
        ? { op: 'union', branches: step.choices.map((choice) => toBranch(choice, active)) }
        : undefined;
    default:
      return step;
  }
}

function toObject(
  { members, pairs, others }: Extract<RawStep, { op: 'object' }>,
  active: ReadonlySet<string>,
): Step | undefined {
  const steps: MemberStep[] = [];
  const other = toStep(others, active);
  for (const member of members) {
    const inner = toStep(member.inner, active);
    // If others change too, every listed member must be known, so that the others are.
    if (pairs || other || inner || changes(member)) steps.push(toMember(member, inner));
  }
  if (steps.length === 0 && !pairs && !other) return undefined;
  return {
    op: 'object',
    members: steps,
    ...(pairs && { pairs: { wire: pairs.wire, ...optional('value', toStep(pairs.value, active)) } }),
    ...optional('others', other),
  };
}

function toMember({ name, wire, absent }: RawMember, inner: Step | undefined): MemberStep {
  return {
    name,
    ...(wire === name ? undefined : { wire }),
    ...(absent === undefined ? undefined : { absent }),
    ...(inner === undefined ? undefined : { inner }),
  };
}

function toBranch(choice: RawChoice, active: ReadonlySet<string>): BranchStep {
  return {
    shape: shapeOf(wireOf(choice)),
    ...(choice.tag === undefined ? {} : { tag: choice.tag }),
    ...optional('inner', toStep(choice.step, active)),
  };
}

function optional<Key extends string>(key: Key, step: Step | undefined): { readonly [name in Key]?: Step } {
  return (step === undefined ? {} : { [key]: step }) as { readonly [name in Key]?: Step };
}
