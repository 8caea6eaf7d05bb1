import { isWhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { validateSchema } from '../../base/schema/check/validate-schema.ts';
import type { Condition, FieldMatch, Task } from '../scenario/task.ts';
import { indexIn, pathOf, locationOf } from './check-context.ts';
import type { CheckContext } from './check-context.ts';
import { readExpression } from '../score/match/expression.ts';
import { dayOf } from '../score/match/match-field.ts';
import { isKnownUnit, quantityOf } from '../score/match/quantity.ts';

/** Matchers that can match nothing, or not what they seem to: what they hold is filled in only with a variant. */
export function checkMatchers(context: CheckContext, task: Task): void {
  const { variant } = task.reference;
  for (const { id, input } of task.expected) {
    const path = [...pathOf(context, 'expect', id), 'input'];
    for (const [field, wanted] of Object.entries(input)) say(field, wanted, path);
  }
  const groups = context.scenario.template['criteria'];
  for (const [group, list] of Object.entries(task.criteria))
    for (const one of list as readonly Checked[]) {
      const index = isJsonObject(groups) ? indexIn(groups[group], one.id) : 0;
      const path = ['criteria', group, Math.max(0, index)];
      for (const check of [one.check, ...(one.levels ?? []).map((level) => level.check)]) {
        if (!check) continue;
        for (const [field, wanted] of fieldsIn(check)) say(field, wanted, path);
        for (const member of idleIn(check))
          context.faults.add(
            `"${member}" is used only together with "called", and there is none.`,
            locationOf(context, path),
            variant,
          );
      }
    }

  function say(field: string, wanted: FieldMatch, path: readonly (string | number)[]): void {
    if (!isJsonObject(wanted)) return;
    const place = locationOf(context, path);
    for (const fault of faultsOf(wanted)) context.faults.add(`${field}: ${fault}`, place, variant);
    if (typeof wanted['quantity'] === 'string' && !isKnownUnit(wanted['quantity']))
      context.warnings.add(
        `${field}: the unit of "${wanted['quantity']}" is not known, so that only the very same matches.`,
        place,
        variant,
      );
  }
}

interface Checked {
  readonly id: string;
  readonly check?: Condition;
  readonly levels?: readonly { readonly check?: Condition }[];
}

function fieldsIn({
  input = {},
  world = {},
  all = [],
  any = [],
  not,
}: Condition): readonly [string, FieldMatch][] {
  return [
    ...Object.entries(input),
    ...Object.entries(world),
    ...[...all, ...any, ...(not ? [not] : [])].flatMap(fieldsIn),
  ];
}

/** What says more of a call, where no call is asked for: the condition would hold whatever it says. */
function idleIn({ called, input, by_turn, all = [], any = [], not }: Condition): readonly string[] {
  const idle = Object.entries({ input, by_turn }).filter(([, value]) => value !== undefined);
  return [
    ...(called === undefined ? idle.map(([member]) => member) : []),
    ...[...all, ...any, ...(not ? [not] : [])].flatMap(idleIn),
  ];
}

/** The matchers, each with what may be beside it. */
const matchers = new Map<string, readonly string[]>([
  ['near', ['within', 'percent']],
  ['quantity', ['within', 'percent']],
  ['list', ['ordered', 'extra', 'at_least']],
  ...['equal', 'one_of', 'text', 'date', 'schema', 'absent', 'present'].map((name) => [name, []] as const),
]);

const beside: ReadonlySet<string> = new Set([
  ...[...matchers.values()].flat(),
  'weight',
  'after',
  'required',
]);

/** Two matchers of which one would be looked at, and what says nothing to the one that is there. */
function memberFaults(wanted: JsonObject): readonly string[] {
  const members = Object.keys(wanted);
  const [matcher, other] = members.filter((member) => matchers.has(member));
  // An object of other members is a value, which a variable may stand for.
  if (matcher === undefined)
    return members.length > 0 && members.every((member) => beside.has(member))
      ? ['no matcher is here; write what is expected, such as "equal".']
      : [];
  if (other !== undefined)
    return [`"${matcher}" and "${other}" are two matchers, and one is looked at; keep one of them.`];
  if ('within' in wanted && 'percent' in wanted)
    return ['"within" and "percent" are two tolerances, and one is looked at; keep one of them.'];
  return members.flatMap((member) => {
    const owners = [...matchers].filter(([, list]) => list.includes(member)).map(([name]) => name);
    return owners.length === 0 || owners.includes(matcher)
      ? []
      : [`"${member}" belongs to "${owners.join('" or "')}", and says nothing to "${matcher}".`];
  });
}

function faultsOf(wanted: JsonObject): readonly string[] {
  const { quantity, date, list, text, schema } = wanted;
  const faults: string[] = [...memberFaults(wanted)];
  for (const name of ['within', 'percent'])
    if (name in wanted && !(Number(wanted[name]) >= 0)) faults.push(`"${name}" must be a number from 0.`);
  if (quantity !== undefined && !quantityOf(String(quantity)))
    faults.push(`"${String(quantity)}" is not a quantity; write a number and a unit, such as 40 kg.`);
  if (date !== undefined)
    for (const bound of isJsonObject(date) ? [date['from'], date['to']] : [date])
      if (bound !== undefined && dayOf(bound) === undefined)
        faults.push(`${JSON.stringify(bound)} is not a date; write one such as 2024-02-15.`);
  if (isJsonObject(date)) {
    const [from, to] = [dayOf(date['from']), dayOf(date['to'])];
    if (from !== undefined && to !== undefined && from > to)
      faults.push(`no day lies from ${from} to ${to}; write the earlier one first.`);
  }
  if (isJsonObject(schema)) faults.push(...schemaFaults(schema));
  if (Array.isArray(list) && Number(wanted['at_least'] ?? 0) > list.length)
    faults.push(`"at_least" asks for ${String(wanted['at_least'])} of ${list.length} items.`);
  if (isJsonObject(text)) faults.push(...textFaults(text));
  return faults;
}

function schemaFaults(schema: JsonObject): readonly string[] {
  try {
    validateSchema(schema);
    return [];
  } catch (error) {
    if (!isWhetstoneError(error)) throw error;
    return [`its schema is none: ${String(error.details['reason'])}.`];
  }
}

function textFaults({ matches, at_least: atLeast }: JsonObject): readonly string[] {
  const faults: string[] = [];
  if (atLeast !== undefined && !(Number(atLeast) > 0 && Number(atLeast) <= 1))
    faults.push('"at_least" of a text must be above 0 and at most 1.');
  if (typeof matches === 'string')
    try {
      readExpression(matches);
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  return faults;
}
