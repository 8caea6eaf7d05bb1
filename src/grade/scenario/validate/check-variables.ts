import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { nearestName } from '../../../base/schema/check/nearest-names.ts';
import { axesOf, countVariants, mostValues } from '../variant.ts';
import type { Axis } from '../variant.ts';
import { equalJson, readPath, readSteps } from '../world-path.ts';

/** Whether a whole file names variables only where they are bound: one look at it saves a look at each of its texts. */
export function variablesHold(text: string, axes: readonly Axis[]): boolean {
  const verdict = verdictsOn(axes);
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    const isVariable = text.charCodeAt(at - 1) === dollar;
    if ((isVariable ? verdict(nameAt(text, at + 1)) : sayBare(text, at, axes)) !== undefined) return false;
  }
  return true;
}

/** Tells of each text which of its variables are bound to nothing, in some value of their axis or in all. */
export function variablesOf(axes: readonly Axis[]): (text: string) => readonly string[] {
  const verdict = verdictsOn(axes);
  return (text) => {
    const messages: string[] = [];
    for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', at + 2)) {
      const message = verdict(nameAt(text, at + 2));
      if (message !== undefined) messages.push(message);
    }
    return messages;
  };
}

const dollar = 36;

/** What is before the bracket that closes, or nothing. */
function nameAt(text: string, begun: number): string {
  const end = text.indexOf('}', begun);
  return end < 0 ? '' : text.slice(begun, end);
}

/** What is wrong with a name. The scenario, its paths and its documents ask for the same ones, often. */
function verdictsOn(axes: readonly Axis[]): (name: string) => string | undefined {
  const known = verdicts.get(axes) ?? new Map<string, string | undefined>();
  verdicts.set(axes, known);
  return (name) => {
    const message = known.get(name);
    if (message !== undefined || known.has(name)) return message;
    const said = sayUnbound(name, axes);
    known.set(name, said);
    return said;
  };
}

const verdicts = new WeakMap<readonly Axis[], Map<string, string | undefined>>();

function sayUnbound(name: string, axes: readonly Axis[]): string | undefined {
  const written = `\${${name}}`;
  if (name === '') return 'A "${" is here without its name and its "}". Write ${axis.field}.';
  if (!/^[\w.-]+$/.test(name)) return `${written} is not a variable. Write \${axis.field}, without spaces.`;
  const { first, rest, axis } = axisOf(name, axes);
  if (!axis) return `${written} is bound to nothing: ${sayNoAxis(first, axes)}`;
  if (rest === '') return undefined;
  const steps = rest.split('.');
  const isIn = (value: JsonValue): boolean => readSteps(value, steps) !== undefined;
  const one = axis.values.findIndex((value) => !isIn(value));
  if (one < 0) return undefined;
  const isInSome = axis.values.some(isIn);
  const value = axis.values[one];
  const near = nearestName(rest, isJsonObject(value) ? Object.keys(value) : []);
  if (isInSome && value !== undefined && !isJsonObject(value))
    return `${written} is bound to nothing in value ${one + 1} of "${first}": that is ${JSON.stringify(value)}, without members.`;
  return isInSome
    ? `${written} is bound to nothing in value ${one + 1} of "${first}".${near ? ` It has "${near}"; is "${rest}" meant?` : ''}`
    : `${written} is bound to nothing: no value of "${first}" has "${rest}".${near ? ` Did you mean \${${first}.${near}}?` : ''}`;
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
    const at = (value: JsonValue) => readPath(value, rest) ?? null;
    for (const choice of Array.isArray(wanted) ? (wanted as readonly JsonValue[]) : [wanted])
      if (!axis.values.some((value) => equalJson(at(value), choice)) && !mayAddUpTo(choice, axis))
        say(
          `"when" asks for ${name}: ${JSON.stringify(choice)}, which no variant has. It is one of ${sayChoices(axis.values.map(at))}.`,
        );
  }
}

/** The sum of what is still to be filled in, or of very many parts, can be any number. */
function mayAddUpTo(choice: JsonValue, { takes, derive, values }: Axis): boolean {
  if (takes !== 'sum' || typeof choice !== 'number') return false;
  return (
    values.length >= mostValues ||
    derive!.some((part) => isJsonObject(part) && typeof part['is'] !== 'number')
  );
}

/** Axes that a text can name, each with a number of values that can be told. */
export function checkAxes(
  template: JsonObject,
  say: (path: readonly string[], message: string) => void,
): void {
  let variants = 1;
  const names = new Set<string>();
  for (const axis of axesOf(template)) {
    const fewer = variants;
    variants = fewer * countVariants([axis]);
    const path = [axis.derive ? 'derive' : 'vary', axis.name];
    if (fewer <= Number.MAX_SAFE_INTEGER && variants > Number.MAX_SAFE_INTEGER)
      say(path, 'There are more variants than can be counted. Take this axis away, or some of the values.');
    if (!/^[\w-]+$/.test(axis.name))
      say(path, `No text can name the axis "${axis.name}". Name it with letters, digits, _ and -.`);
    if (names.has(axis.name)) say(path, `"${axis.name}" varies already. Derive it by another name.`);
    for (const choice of axis.derive ?? [])
      for (const first of new Set(namedIn(choice as JsonObject)))
        if (!names.has(first))
          say(path, `"${axis.name}" follows from "${first}", which is not before it. Move it down.`);
    names.add(axis.name);
    const last = axis.derive?.at(-1);
    if (axis.takes === 'first' && isJsonObject(last) && 'when' in last)
      say(path, `The last value of "${axis.name}" is for all other variants: it has no "when".`);
  }
  const { vary } = template;
  for (const [name, values] of Object.entries(isJsonObject(vary) ? vary : {})) {
    if (!isJsonObject(values)) continue;
    const {
      from,
      to,
      step = 1,
    } = values as { readonly from: number; readonly to: number; readonly step?: number };
    const count = Math.floor((to - from) / step + 1e-9) + 1;
    if (count < 1)
      say(['vary', name], `From ${from} to ${to} there is no value. Write the smaller number first.`);
    if (count > mostValues)
      say(['vary', name], `From ${from} to ${to} there are ${count} values; ${mostValues} are the most.`);
  }
}

/** The axes that a choice of `derive` names, in its `when` and in its value. */
function namedIn({ when, is }: JsonObject): readonly string[] {
  const named = [...Object.keys(isJsonObject(when) ? when : {}), ...variablesIn(is ?? null)];
  return named.map((name) => name.split('.', 1)[0]!);
}

function variablesIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [...value.matchAll(/\$\{([\w.-]+)\}/g)].map(([, name]) => name!);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(variablesIn);
  return isJsonObject(value) ? Object.values(value).flatMap(variablesIn) : [];
}

/** A value of an axis is taken as it is written. */
export function checkValues(
  vary: JsonValue | undefined,
  say: (path: readonly string[], message: string) => void,
): void {
  for (const [name, values] of Object.entries(isJsonObject(vary) ? vary : {}))
    for (const variable of new Set(variablesIn(values)))
      say(
        ['vary', name],
        `\${${variable}} is not filled in inside a value of "vary": it would be read out literally. Put it into "derive", where an "is" may name what is before it.`,
      );
}

function sayChoices(values: readonly JsonValue[]): string {
  const texts = [...new Set(values.map((value) => JSON.stringify(value)))];
  return texts.length > 12 ? `${texts.slice(0, 12).join(', ')}, …` : texts.join(', ');
}

function sayNoAxis(first: string, axes: readonly Axis[]): string {
  const names = axes.map((axis) => axis.name);
  const near = nearestName(first, names);
  return `"vary" has no "${first}".${near ? ` Did you mean "${near}"?` : ` It has ${names.join(', ') || 'no axes'}.`}`;
}

function axisOf(name: string, axes: readonly Axis[]): Named {
  const dot = name.indexOf('.');
  const first = dot < 0 ? name : name.slice(0, dot);
  const rest = dot < 0 ? '' : name.slice(dot + 1);
  for (const axis of axes) if (axis.name === first) return { first, rest, axis };
  return { first, rest };
}

interface Named {
  readonly first: string;
  readonly rest: string;
  readonly axis?: Axis;
}

/** `{who.name}` where `${who.name}` was meant: it would be read out as it stands. */
export function bareVariables(text: string, axes: readonly Axis[]): readonly string[] {
  const messages: string[] = [];
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    const message = text.charCodeAt(at - 1) === dollar ? undefined : sayBare(text, at, axes);
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

function sayBare(text: string, at: number, axes: readonly Axis[]): string | undefined {
  if (!startsName[text.charCodeAt(at + 1)]) return undefined;
  if (!axes.some(({ name }) => text.startsWith(name, at + 1))) return undefined;
  const written = /^\{([\w-]+)(?:\.[\w-]+)*\}/.exec(text.slice(at, at + 200));
  return written && axes.some(({ name }) => name === written[1])
    ? `${written[0]} is read out literally. A variable has a $ before it: $${written[0]}.`
    : undefined;
}

/** By character code. Most braces are a map's, and have a space behind them. */
const startsName: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  /[\w-]/.test(String.fromCharCode(code)),
);
