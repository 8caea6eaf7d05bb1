import { WhetstoneError } from '../../../host/errors.ts';
import { show } from '../../../host/show.ts';
import { isJsonObject } from '../../../json/value.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { Plan, Step } from '../plan.ts';

/** Outside data becomes a plan here: from a file, say. Looked through once. */
export function readPlan(plan: unknown): Plan {
  if (typeof plan === 'object' && plan !== null && known.has(plan)) return plan as Plan;
  if (!isPlan(plan))
    throw new WhetstoneError(
      'plan_invalid',
      `This is no plan of this version: ${show(plan)}. Make it anew with lower().`,
      {
        details: { plan },
      },
    );
  known.add(plan);
  return plan as unknown as Plan;
}

const known = new WeakSet<object>();

function isPlan(plan: unknown): plan is JsonObject {
  return (
    isJsonObject(plan) &&
    plan['version'] === 1 &&
    'original' in plan &&
    maybe(plan['root'], isStep) &&
    maybe(plan['definitions'], (steps) => isJsonObject(steps) && Object.values(steps).every(isStep)) &&
    maybe(plan['shapes'], isJsonObject)
  );
}

function isStep(step: unknown): boolean {
  if (!isJsonObject(step)) return false;
  const op = step['op'] as Step['op'];
  return Object.hasOwn(fields, op) && fields[op](step);
}

/** What each step must have, so that going by it cannot fail. */
const fields: Readonly<Record<Step['op'], (step: JsonObject) => boolean>> = {
  wrap: ({ key, inner }) => typeof key === 'string' && maybe(inner, isStep),
  object: ({ members, pairs, others }) =>
    listOf(members, isMember) && maybe(pairs, (one) => isNamed(one, 'value')) && maybe(others, isStep),
  pairs: ({ value }) => maybe(value, isStep),
  list: ({ items }) => isStep(items),
  places: ({ places, rest }) => listOf(places, (one) => one === null || isStep(one)) && maybe(rest, isStep),
  tuple: ({ places, rest }) => listOf(places, isMember) && maybe(rest, (one) => isNamed(one, 'items')),
  union: ({ branches }) => listOf(branches, isBranch),
  text: () => true,
  enum: ({ values, labels }) => Array.isArray(values) && Array.isArray(labels),
  reference: ({ to }) => typeof to === 'string',
};

function isMember(member: unknown): boolean {
  return isJsonObject(member) && typeof member['name'] === 'string' && maybe(member['inner'], isStep);
}

function isBranch(branch: unknown): boolean {
  return isJsonObject(branch) && isJsonObject(branch['shape']) && maybe(branch['inner'], isStep);
}

function isNamed(one: unknown, step: string): boolean {
  return isJsonObject(one) && typeof one['wire'] === 'string' && maybe(one[step], isStep);
}

function listOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function maybe(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}
