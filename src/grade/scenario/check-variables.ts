import type { JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { nearest } from './nearest.ts';
import { mostValues } from './variant.ts';
import type { Axis } from './variant.ts';
import { equalJson, readPath } from './world-path.ts';

/** Whether a whole file names variables only where they are bound: a look at it that spares one at each of its texts. */
export function variablesHold(text: string, axes: readonly Axis[]): boolean {
  return variablesOf(axes)(text).length === 0 && bareVariables(text, axes).length === 0;
}

/** Tells of each text which of its variables are bound to nothing, in some value of their axis or in all. */
export function variablesOf(axes: readonly Axis[]): (text: string) => readonly string[] {
  // The scenario, its paths and its documents ask for the same ones.
  const known = verdicts.get(axes) ?? new Map<string, string | undefined>();
  verdicts.set(axes, known);
  return (text) => {
    const messages: string[] = [];
    for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', at + 2)) {
      const end = text.indexOf('}', at);
      const name = end < 0 ? '' : text.slice(at + 2, end);
      if (!known.has(name)) known.set(name, sayUnbound(name, axes));
      const message = known.get(name);
      if (message !== undefined) messages.push(message);
    }
    return messages;
  };
}

const verdicts = new WeakMap<readonly Axis[], Map<string, string | undefined>>();

function sayUnbound(name: string, axes: readonly Axis[]): string | undefined {
  const written = `\${${name}}`;
  if (name === '') return 'A "${" stands here without its name and its "}". Write ${axis.field}.';
  if (!/^[\w.-]+$/.test(name)) return `${written} is no variable. Write \${axis.field}, without spaces.`;
  const { first, rest, axis } = axisOf(name, axes);
  if (!axis) return `${written} is bound to nothing: ${sayNoAxis(first, axes)}`;
  const lacking = axis.values.flatMap((value, index) => (hasPath(value, rest) ? [] : [index]));
  const [one] = lacking;
  if (one === undefined) return undefined;
  const value = axis.values[one];
  const near = nearest(rest, isJsonObject(value) ? Object.keys(value) : []);
  if (lacking.length < axis.values.length && value !== undefined && !isJsonObject(value))
    return `${written} is bound to nothing in value ${one + 1} of "${first}": that is ${JSON.stringify(value)}, without members.`;
  return lacking.length === axis.values.length
    ? `${written} is bound to nothing: no value of "${first}" has "${rest}".${near ? ` Did you mean \${${first}.${near}}?` : ''}`
    : `${written} is bound to nothing in value ${one + 1} of "${first}".${near ? ` It has "${near}"; is "${rest}" meant?` : ''}`;
}

/** A circumstance under which an item stands names a variable and values that it can have. */
export function checkWhen(when: JsonValue, axes: readonly Axis[], say: (message: string) => void): void {
  if (!isJsonObject(when)) return;
  for (const [name, wanted] of Object.entries(when)) {
    const { first, rest, axis } = axisOf(name, axes);
    if (!axis) {
      say(`"when" asks for ${name}: ${sayNoAxis(first, axes)}`);
      continue;
    }
    const had = axis.values.map((value) => readPath(value, rest) ?? null);
    for (const choice of Array.isArray(wanted) ? (wanted as readonly JsonValue[]) : [wanted])
      if (!had.some((value) => equalJson(value, choice)))
        say(
          `"when" asks for ${name}: ${JSON.stringify(choice)}, which no variant has. It is one of ${sayChoices(had)}.`,
        );
  }
}

/** Axes that a text can name, each with a number of values that can be told. */
export function checkAxes(vary: JsonValue | undefined, say: (axis: string, message: string) => void): void {
  if (!isJsonObject(vary)) return;
  for (const [name, values] of Object.entries(vary)) {
    if (!/^[\w-]+$/.test(name))
      say(name, `No text can name the axis "${name}". Name it with letters, digits, _ and -.`);
    if (!isJsonObject(values)) continue;
    const {
      from,
      to,
      step = 1,
    } = values as { readonly from: number; readonly to: number; readonly step?: number };
    const count = Math.floor((to - from) / step + 1e-9) + 1;
    if (count < 1) say(name, `From ${from} to ${to} there is no value. Write the smaller number first.`);
    if (count > mostValues)
      say(name, `From ${from} to ${to} there are ${count} values; ${mostValues} are the most.`);
  }
}

function sayChoices(values: readonly JsonValue[]): string {
  const texts = [...new Set(values.map((value) => JSON.stringify(value)))];
  return texts.length > 12 ? `${texts.slice(0, 12).join(', ')}, …` : texts.join(', ');
}

function sayNoAxis(first: string, axes: readonly Axis[]): string {
  const names = axes.map((axis) => axis.name);
  const near = nearest(first, names);
  return `"vary" has no "${first}".${near ? ` Did you mean "${near}"?` : ` It has ${names.join(', ') || 'no axes'}.`}`;
}

/** Nearly every variable is a member of its value. */
function hasPath(value: JsonValue, path: string): boolean {
  return (isJsonObject(value) && Object.hasOwn(value, path)) || readPath(value, path) !== undefined;
}

function axisOf(name: string, axes: readonly Axis[]) {
  const [first = '', ...rest] = name.split('.');
  return { first, rest: rest.join('.'), axis: axes.find((one) => one.name === first) };
}

/** `{who.name}` where `${who.name}` was meant: it would be read out as it stands. */
export function bareVariables(text: string, axes: readonly Axis[]): readonly string[] {
  const messages: string[] = [];
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    if (text[at - 1] === '$' || !axes.some(({ name }) => text.startsWith(name, at + 1))) continue;
    const written = /^\{([\w-]+)(?:\.[\w-]+)*\}/.exec(text.slice(at, at + 200));
    if (written && axes.some(({ name }) => name === written[1]))
      messages.push(`${written[0]} is read out as it stands. A variable has a $ before it: $${written[0]}.`);
  }
  return messages;
}
