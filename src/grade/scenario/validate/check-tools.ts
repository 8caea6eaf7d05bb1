import { isWhetstoneError } from '../../../base/host/errors.ts';
import { parsePointer } from '../../../base/json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { validateSchema } from '../../../base/schema/check/validate-schema.ts';
import { objectsIn } from '../json-list.ts';
import { nearestName } from '../../../base/schema/check/nearest-names.ts';
import type { Axis } from '../variant.ts';
import { readPath } from '../world-path.ts';

type Path = readonly (string | number)[];
type Say = (path: Path, message: string) => void;

/** Tools that a model can call, and expected values that it can give them. */
export function checkTools(template: JsonObject, axes: readonly Axis[], say: Say): void {
  const tools = objectsIn(template['tools']);
  tools.forEach((tool, index) => {
    const id = String(tool['id']);
    if (tool['type'] === 'decision' && !('options' in tool) && !('json_schema' in tool))
      say(['tools', index], `The decision "${id}" has no options to choose from. Add "options: [...]".`);
    if (tool['type'] !== 'decision' && !('json_schema' in tool))
      say(['tools', index], `The tool "${id}" has no json_schema: a model could not know what to write.`);
    checkSchema(tool['json_schema'], ['tools', index, 'json_schema'], say);
    for (const [at, message] of unknownFields(tool)) say(['tools', index, 'steps', at], message);
  });
  objectsIn(template['faults']).forEach((fault, index) => {
    const hit = tools.filter((tool) => tool['id'] === fault['tool']);
    if (hit.length > 0 && hit.every((tool) => tool['type'] !== 'function'))
      say(
        ['faults', index, 'tool'],
        `"${String(fault['tool'])}" is not a function, and only those can fail: what a model writes or decides is received.`,
      );
  });
  objectsIn(template['expect']).forEach((expected, index) => {
    // One of an id may stand for each of some variants: what any of them takes is right somewhere.
    const called = tools.filter((tool) => tool['id'] === expected['call']);
    const input = expected['input'];
    if (called.length === 0 || !isJsonObject(input)) return;
    for (const field in input) {
      const wanted = input[field]!;
      const path = () => ['expect', index, 'input', field];
      const unknown = called.every((tool) => isUnknownField(tool, field));
      if (unknown && !(isJsonObject(wanted) && 'absent' in wanted))
        say(path(), sayUnknownField(called[0]!, field));
      const choices = called.map((tool) => choicesOf(tool, field));
      if (choices.includes(undefined)) continue;
      const all = choices.length === 1 ? choices[0]! : choices.flatMap((known) => known ?? []);
      for (const value of valuesOf(wanted, axes))
        if (!all.includes(value)) say(path(), sayNoChoice(value, all, String(expected['call'])));
    }
  });
}

function checkSchema(schema: JsonValue | undefined, path: Path, say: Say): void {
  if (!isJsonObject(schema)) return;
  try {
    validateSchema(schema);
  } catch (error) {
    if (!isWhetstoneError(error)) throw error;
    const { path: pointer, reason, value } = error.details as Readonly<Record<string, JsonValue>>;
    // A ${variable} is checked when a variant fills it in.
    if (typeof value === 'string' && /^\$\{[\w.-]+\}$/.test(value)) return;
    const near = nearestName(String(value), [
      'string',
      'number',
      'integer',
      'boolean',
      'object',
      'array',
      'null',
    ]);
    const hint = String(pointer).endsWith('/type') && near ? ` Did you mean "${near}"?` : '';
    say([...path, ...parsePointer(String(pointer))], `This is not a JSON Schema: ${String(reason)}.${hint}`);
    return;
  }
  const { properties, required } = schema;
  if (!isJsonObject(properties) || !Array.isArray(required)) return;
  (required as readonly JsonValue[]).forEach((name, index) => {
    if (typeof name !== 'string' || Object.hasOwn(properties, name) || name.includes('${')) return;
    const near = nearestName(name, Object.keys(properties));
    say(
      [...path, 'required', index],
      `It requires "${name}", which is none of its properties.${near ? ` Did you mean "${near}"?` : ''}`,
    );
  });
}

/** What steps ask of an input that its schema does not name: it would stand for nothing, whatever a model writes. */
function unknownFields(tool: JsonObject): readonly (readonly [step: number, message: string])[] {
  const schema = tool['json_schema'];
  if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return [];
  const known = Object.keys(schema['properties']);
  return objectsIn(tool['steps']).flatMap((step, at) => {
    const names = JSON.stringify(step).matchAll(/(?<!\$)\{([\w.]+)\}/g);
    return [...new Set(Array.from(names, ([, name]) => name!))]
      .filter((name) => !known.includes(name.split('.', 1)[0]!))
      .map((name): [number, string] => {
        const near = nearestName(name, known);
        return [
          at,
          `{${name}} means a field of the input, but "${String(tool['id'])}" has none of that name.${near ? ` Did you mean {${near}}?` : ` Known: ${known.join(', ') || 'none'}.`}`,
        ];
      });
  });
}

/** Nothing tells a model of a field that the schema does not name. */
function isUnknownField(tool: JsonObject, field: string): boolean {
  const properties = isJsonObject(tool['json_schema']) ? tool['json_schema']['properties'] : undefined;
  const [first = ''] = field.split(/[.[]/);
  return isJsonObject(properties) && !field.includes('${') && !Object.hasOwn(properties, first);
}

function sayUnknownField(tool: JsonObject, field: string): string {
  const properties = (tool['json_schema'] as JsonObject)['properties'] as JsonObject;
  const near = nearestName(field, Object.keys(properties));
  return `"${String(tool['id'])}" has no field "${field}", so no model can know of it.${near ? ` Did you mean "${near}"?` : ` Known: ${Object.keys(properties).join(', ') || 'none'}.`}`;
}

/** The values that a tool lets one choose among for a field; nothing where it may be any, or varies. */
function choicesOf(tool: JsonObject, field: string): readonly JsonValue[] | undefined {
  const properties = isJsonObject(tool['json_schema']) ? tool['json_schema']['properties'] : undefined;
  const property = isJsonObject(properties) ? properties[field] : undefined;
  const choices = isJsonObject(property) ? property['enum'] : field === 'value' ? tool['options'] : undefined;
  if (!Array.isArray(choices)) return undefined;
  const known = choices as readonly JsonValue[];
  for (const one of known)
    if ((typeof one === 'string' ? one : JSON.stringify(one)).includes('${')) return undefined;
  return known;
}

/** The plain values that an expectation can ask for, in all variants. */
function valuesOf(wanted: JsonValue, axes: readonly Axis[]): readonly JsonValue[] {
  if (isJsonObject(wanted))
    return 'equal' in wanted
      ? valuesOf(wanted['equal']!, axes)
      : Array.isArray(wanted['one_of'])
        ? (wanted['one_of'] as readonly JsonValue[]).flatMap((one) => valuesOf(one, axes))
        : [];
  if (typeof wanted !== 'string' || !wanted.includes('${')) return Array.isArray(wanted) ? [] : [wanted];
  const name = /^\$\{([\w.-]+)\}$/.exec(wanted)?.[1] ?? '';
  const dot = name.indexOf('.');
  const first = dot < 0 ? name : name.slice(0, dot);
  const rest = dot < 0 ? '' : name.slice(dot + 1);
  const found = new Set<JsonValue>();
  for (const value of axes.find((axis) => axis.name === first)?.values ?? []) {
    const one = readPath(value, rest) ?? [];
    if (Array.isArray(one)) for (const item of one as readonly JsonValue[]) found.add(item);
    else found.add(one);
  }
  return [...found];
}

function sayNoChoice(value: JsonValue, choices: readonly JsonValue[], tool: string): string {
  const texts = choices.map((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice)));
  const near = typeof value === 'string' ? nearestName(value, texts) : undefined;
  const quoted =
    typeof value === 'boolean' || typeof value === 'number'
      ? texts.find(
          (text) =>
            text === String(value) ||
            (value === true && text === 'yes') ||
            (value === false && text === 'no'),
        )
      : undefined;
  const hint = near ?? quoted;
  return `${JSON.stringify(value)} is nothing that "${tool}" lets one choose.${hint ? ` Did you mean "${hint}"?` : ''} It takes ${texts.join(', ')}.`;
}
