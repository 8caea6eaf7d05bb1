import { WhetstoneError } from '../../host/errors.ts';
import { show } from '../../host/show.ts';
import type { JsonObject } from '../../json/value.ts';
import { lightCheck } from '../../schema/check/light-check.ts';
import type { Plan, Step } from '../plan.ts';
import { unlessTooDeep } from '../../schema/too-deep.ts';

/** Outside data becomes a plan here: from a file, say. Looked through once. */
export function readPlan(plan: unknown): Plan {
  if (typeof plan === 'object' && plan !== null && known.has(plan)) return plan as Plan;
  if (unlessTooDeep(() => planCheck.holds(plan)) !== true)
    throw new WhetstoneError(
      'plan_invalid',
      `This is not a plan of this version: ${show(plan)}. Make it again with lower().`,
      { details: { plan } },
    );
  known.add(plan as object);
  return plan as Plan;
}

const known = new WeakSet<object>();

const text = { type: 'string' };
const list = { type: 'array' };
const object = { type: 'object' };
const step = { $ref: '#/$defs/Step' };
const membersOf = { type: 'array', items: { $ref: '#/$defs/Member' } };

function record(needed: JsonObject, optional: JsonObject = {}): JsonObject {
  return { type: 'object', properties: { ...needed, ...optional }, required: Object.keys(needed) };
}

/** What each step must have, so that going by it cannot fail. */
const steps: Readonly<Record<Step['op'], readonly [needed: JsonObject, optional?: JsonObject]>> = {
  wrap: [{ key: text }, { inner: step }],
  object: [{ members: membersOf }, { pairs: record({ wire: text }, { value: step }), others: step }],
  pairs: [{}, { value: step }],
  list: [{ items: step }],
  places: [{ places: { type: 'array', items: { anyOf: [{ type: 'null' }, step] } } }, { rest: step }],
  tuple: [{ places: membersOf }, { rest: record({ wire: text }, { items: step }) }],
  union: [{ branches: { type: 'array', items: record({ shape: object }, { inner: step }) } }],
  text: [{}],
  enum: [{ values: list, labels: list }],
  reference: [{ to: text }],
};

const planCheck = lightCheck({
  ...record(
    { version: { const: 1 }, original: {} },
    { root: step, definitions: { type: 'object', additionalProperties: step }, shapes: object },
  ),
  $defs: {
    Step: {
      anyOf: Object.entries(steps).map(([op, [needed, optional]]) =>
        record({ op: { const: op }, ...needed }, optional),
      ),
    },
    Member: record({ name: text }, { inner: step }),
  },
});
