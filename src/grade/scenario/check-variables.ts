import type { JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { nearest } from './nearest.ts';
import type { Axis } from './variant.ts';
import { equalJson, readPath } from './world-path.ts';

/** Tells of each text which of its variables are bound to nothing, in some value of their axis or in all. */
export function variablesOf(axes: readonly Axis[]): (text: string) => readonly string[] {
  const known = new Map<string, string | undefined>();
  return (text) => {
    const messages: string[] = [];
    for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', at + 2)) {
      const name = text.slice(at + 2, Math.max(at + 2, text.indexOf('}', at)));
      if (!known.has(name)) known.set(name, /^[\w.-]+$/.test(name) ? sayUnbound(name, axes) : undefined);
      const message = known.get(name);
      if (message !== undefined) messages.push(message);
    }
    return messages;
  };
}

function sayUnbound(name: string, axes: readonly Axis[]): string | undefined {
  const written = `\${${name}}`;
  const { first, rest, axis } = axisOf(name, axes);
  if (!axis) return `${written} is bound to nothing: ${sayNoAxis(first, axes)}`;
  const lacking = axis.values.flatMap((value, index) => (readPath(value, rest) === undefined ? [index] : []));
  const [one] = lacking;
  if (one === undefined) return undefined;
  const value = axis.values[one];
  const near = nearest(rest, isJsonObject(value) ? Object.keys(value) : []);
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

function sayChoices(values: readonly JsonValue[]): string {
  const texts = [...new Set(values.map((value) => JSON.stringify(value)))];
  return texts.length > 12 ? `${texts.slice(0, 12).join(', ')}, …` : texts.join(', ');
}

function sayNoAxis(first: string, axes: readonly Axis[]): string {
  const names = axes.map((axis) => axis.name);
  const near = nearest(first, names);
  return `"vary" has no "${first}".${near ? ` Did you mean "${near}"?` : ` It has ${names.join(', ') || 'no axes'}.`}`;
}

function axisOf(name: string, axes: readonly Axis[]) {
  const [first = '', ...rest] = name.split('.');
  return { first, rest: rest.join('.'), axis: axes.find((one) => one.name === first) };
}
