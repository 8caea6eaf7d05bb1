import { WhetstoneError } from '../host/errors.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonValue } from '../json/value.ts';
import type { Plan } from './plan.ts';

/** Brings what a model wrote in a provider's form back to the form of the original schema. Does not check it. */
export function raise(value: JsonValue, plan: Plan): JsonValue {
  const root = readPlan(plan).root;
  if (!root) return value;
  return isJsonObject(value) && Object.hasOwn(value, root.key) ? (value[root.key] as JsonValue) : value;
}

/** Brings a value of the original schema to the provider's form, as its model would have written it. */
export function lowerValue(value: JsonValue, plan: Plan): JsonValue {
  const root = readPlan(plan).root;
  return root ? { [root.key]: value } : value;
}

function readPlan(plan: Plan): Plan {
  if (isJsonObject(plan) && plan['version'] === 1) return plan;
  throw new WhetstoneError('plan_invalid', 'This is no plan of this version. Make it anew with lower().', {
    details: { plan },
  });
}
