import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';

type Fits = (value: JsonValue) => boolean;

/**
 * Whether a value is as a format wants it, in a third of the time of the schema library and without compiling it, for
 * the keywords that the formats of scenarios are written in. It gives no reasons: where it says no, the library is
 * asked, which finds them. To a keyword that it does not know it always says no.
 */
export function fitsFormat(format: JsonObject, value: JsonValue): boolean {
  return made(format, format)(value);
}

const known = new WeakMap<JsonObject, Fits>();

function made(schema: JsonObject, root: JsonObject): Fits {
  let fits = known.get(schema);
  if (!fits) known.set(schema, (fits = fitsOf(schema, root)));
  return fits;
}

function fitsOf(schema: JsonValue | undefined, root: JsonObject): Fits {
  if (!isJsonObject(schema)) return () => schema !== false;
  const tests: Fits[] = [];
  const hasMembers = ofMembers.some((keyword) => keyword in schema);
  const isRecord = hasMembers && schema['type'] === 'object';
  for (const keyword in schema) {
    if (silent.has(keyword) || (isRecord && keyword === 'type')) continue;
    const make = keywords.get(keyword);
    if (!make) return () => false;
    tests.push(make(schema[keyword]!, root));
  }
  if (hasMembers) tests.push(membersFit(schema, root, !isRecord));
  const [first = anything, second, third = anything, ...more] = tests;
  if (!second) return first;
  if (third === anything) return (value) => first(value) && second(value);
  if (more.length === 0) return (value) => first(value) && second(value) && third(value);
  return (value) => tests.every((test) => test(value));
}

const anything: Fits = () => true;

const ofMembers = ['properties', 'required', 'additionalProperties'];

/** What says nothing of a value, or what is read as one. */
const silent: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$defs', 'title', 'description'],
  ...ofMembers,
]);

const types: Readonly<Record<string, Fits>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isJsonObject,
};

const keywords = new Map<string, (operand: JsonValue, root: JsonObject) => Fits>([
  [
    'type',
    (operand) => {
      const names = (Array.isArray(operand) ? operand : [operand]) as readonly string[];
      const [first, ...more] = names.map((name) => types[name]!);
      return more.length === 0 ? first! : (value) => first!(value) || more.some((is) => is(value));
    },
  ],
  [
    'enum',
    (operand) => {
      const words = new Set(operand as readonly JsonValue[]);
      return (value) => words.has(value);
    },
  ],
  [
    'pattern',
    (operand) => {
      const expression = new RegExp(String(operand), 'u');
      return (value) => typeof value !== 'string' || expression.test(value);
    },
  ],
  [
    'minLength',
    (operand) => {
      const least = Number(operand);
      // A character has two units at most.
      return (value) => typeof value !== 'string' || value.length >= 2 * least || [...value].length >= least;
    },
  ],
  ['minimum', (operand) => (value) => typeof value !== 'number' || value >= Number(operand)],
  ['maximum', (operand) => (value) => typeof value !== 'number' || value <= Number(operand)],
  ['exclusiveMinimum', (operand) => (value) => typeof value !== 'number' || value > Number(operand)],
  ['minItems', (operand) => (value) => !Array.isArray(value) || value.length >= Number(operand)],
  [
    'minProperties',
    (operand) => (value) => !isJsonObject(value) || Object.keys(value).length >= Number(operand),
  ],
  [
    'items',
    (operand, root) => {
      const fits = fitsOf(operand, root);
      // Nine values of ten are texts of a list, of which the format says no more.
      if (fits === types['string'])
        return (value) => {
          if (Array.isArray(value))
            for (let index = 0; index < value.length; index++)
              if (typeof value[index] !== 'string') return false;
          return true;
        };
      return (value) => {
        if (Array.isArray(value))
          for (let index = 0; index < value.length; index++)
            if (!fits(value[index] as JsonValue)) return false;
        return true;
      };
    },
  ],
  [
    'anyOf',
    (operand, root) => {
      const choices = (operand as readonly JsonValue[]).map((choice) => fitsOf(choice, root));
      return (value) => {
        for (const fits of choices) if (fits(value)) return true;
        return false;
      };
    },
  ],
  [
    '$ref',
    (operand, root) => {
      const target = (root['$defs'] as JsonObject)[String(operand).replace('#/$defs/', '')] as JsonObject;
      // Made once it is met: it may refer to itself.
      let fits: Fits | undefined;
      return (value) => (fits ??= made(target, root))(value);
    },
  ],
]);

/** The members that are there are looked at, each once; of those that a format knows most are not there. */
function membersFit(schema: JsonObject, root: JsonObject, takesOthers: boolean): Fits {
  const { properties = {}, required = [], additionalProperties } = schema;
  const needed = required as readonly string[];
  const others = fitsOf(additionalProperties, root);
  const members = new Map(
    Object.entries(properties as JsonObject).map(([name, member]) => [
      name,
      { fits: fitsOf(member, root), isNeeded: needed.includes(name) },
    ]),
  );
  return (value) => {
    if (!isJsonObject(value)) return takesOthers;
    let missing = needed.length;
    for (const name in value) {
      const member = members.get(name);
      if (!(member ? member.fits(value[name]!) : others(value[name]!))) return false;
      if (member?.isNeeded) missing--;
    }
    return missing === 0;
  };
}
