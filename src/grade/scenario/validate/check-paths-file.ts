import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { checkWhen, variablesHold, variablesOf } from './check-variables.ts';
import { objectsIn } from '../json-list.ts';
import { nearestName } from '../../../base/schema/check/nearest-names.ts';
import type { Diagnostic, SourceFile } from '../diagnostic.ts';
import { namesAxes } from '../variant.ts';
import type { Axis } from '../variant.ts';

type Path = readonly (string | number)[];

/** What the format of the paths cannot express: variables, tools and turns that do not exist, ids that occur twice. */
export function checkPathsFile(
  source: SourceFile,
  scenario: { readonly axes: readonly Axis[]; readonly tools: readonly string[] },
): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  const say = (path: Path, message: string) => faults.push({ message, place: source.locate(path) });
  const written = source.value as JsonObject;
  const unbound = variablesOf(scenario.axes);
  const holds = source.text !== undefined && variablesHold(source.text, scenario.axes);
  const isCircumstance = (when: JsonValue) =>
    namesAxes(when, (name) => scenario.axes.some((axis) => axis.name === name));
  const path: (string | number)[] = [];
  const walk = (value: JsonValue): void => {
    if (typeof value === 'string') {
      if (!holds && value.includes('${')) for (const message of unbound(value)) say(path, message);
    } else if (Array.isArray(value))
      (value as readonly JsonValue[]).forEach((item, index) => {
        path.push(index);
        walk(item);
        path.pop();
      });
    else if (isJsonObject(value))
      for (const key in value) {
        path.push(key);
        // A field of an input may be called so too.
        if (key === 'when' && (!path.includes('input') || isCircumstance(value[key]!)))
          checkWhen(value[key]!, scenario.axes, (message) => say(path, message));
        else walk(value[key]!);
        path.pop();
      }
  };
  // Most paths name no variable that is not bound, and stand in every variant.
  if (!holds || source.text!.includes('when')) walk(written);
  const gold = objectsIn(written['gold']);
  gold.forEach((turn, index) =>
    objectsIn(turn['calls']).forEach((call, at) => {
      const name = String(call['name']);
      if (name.includes('${') || scenario.tools.includes(name)) return;
      const near = nearestName(name, scenario.tools);
      say(
        ['gold', index, 'calls', at, 'name'],
        `There is no tool "${name}".${near ? ` Did you mean "${near}"?` : ''} Known: ${scenario.tools.join(', ')}.`,
      );
    }),
  );
  const seen = new Set<string>();
  objectsIn(written['flawed']).forEach((path, index) => {
    const id = String(path['id']);
    if (seen.has(id) && !('when' in path))
      say(['flawed', index, 'id'], `"${id}" is here twice. Give each its own id.`);
    seen.add(id);
    objectsIn(path['turns']).forEach((turn, at) => {
      if (!('gold' in turn)) return;
      const span = String(turn['gold']);
      const dash = span.indexOf('-');
      const from = Number(dash < 0 ? span : span.slice(0, dash));
      const to = dash < 0 ? from : Number(span.slice(dash + 1));
      if (from > to)
        say(['flawed', index, 'turns', at, 'gold'], `${from}-${to} runs backwards. Write ${to}-${from}.`);
      else if (from < 1 || to > gold.length)
        say(
          ['flawed', index, 'turns', at, 'gold'],
          `The gold path has turns 1 to ${gold.length}, and no ${to > gold.length ? to : from}.`,
        );
    });
  });
  return faults;
}
