import { WhetstoneError } from '../../host/errors.ts';
import { jsonEqual } from '../../json/equal.ts';
import { findNotJson } from '../../json/not-json.ts';
import { comparableNumber, NumberToken } from '../../json/number-token.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonObject } from '../../json/value.ts';
import { expression, hasType, isFree } from './explain.ts';

/** Whether a value fits a schema. */
export type Test = (value: unknown) => boolean;

/**
 * Makes closures of a schema that is written in the keywords below, and refuses one with any other. They answer in a
 * third of the schema library's time and give no reasons. A member that is `undefined` is one that is not there.
 * `onlyJson`: where the schema says nothing, the value must still be JSON.
 */
export function compileTest(
  schema: JsonObject,
  definitions: JsonObject = {},
  { onlyJson = false }: { readonly onlyJson?: boolean } = {},
): Test {
  return new Compiler(definitions, onlyJson).compile(schema);
}

const anything: Test = () => true;
const isJson: Test = (value) => findNotJson(value) === undefined;

const types: Readonly<Record<string, Test>> = {
  string: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value) || value instanceof NumberToken,
  integer: (value) =>
    Number.isInteger(value) || (value instanceof NumberToken && hasType('integer', value as never)),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isJsonObject,
};

const ofMembers = ['properties', 'required', 'additionalProperties'];
/** Keywords that say nothing of a value, or that are read with another. */
const silent = new Set([...['$schema', '$id', '$defs', 'title', 'description'], ...ofMembers]);

class Compiler {
  readonly #definitions: JsonObject;
  readonly #onlyJson: boolean;
  readonly #referred = new Map<string, Test>();

  constructor(definitions: JsonObject, onlyJson: boolean) {
    this.#definitions = definitions;
    this.#onlyJson = onlyJson;
  }

  compile(schema: JsonValue | undefined): Test {
    if (!isJsonObject(schema)) return schema === false ? () => false : anything;
    const tests: Test[] = [];
    for (const keyword in schema)
      if (!silent.has(keyword)) tests.push(this.#keyword(keyword, schema[keyword]!, schema));
    if (ofMembers.some((keyword) => keyword in schema)) tests.push(this.#members(schema));
    else if (this.#onlyJson && isFree(schema)) tests.push(isJson);
    return allOf(tests);
  }

  #keyword(keyword: string, operand: JsonValue, { prefixItems }: JsonObject): Test {
    const limit = Number(operand);
    switch (keyword) {
      case 'type':
        return anyOf([operand].flat().map((name) => types[String(name)]!));
      case 'const':
        return (value) => value === operand;
      case 'enum': {
        const list = operand as readonly JsonValue[];
        const scalars = new Set<unknown>(list);
        return (value) =>
          scalars.has(value) ||
          (typeof value === 'object' && list.some((one) => jsonEqual(one, value as JsonValue)));
      }
      case 'pattern': {
        const pattern = expression(String(operand));
        return (value) => typeof value !== 'string' || pattern.test(value);
      }
      case 'minLength':
        // A character has two units at most.
        return (value) =>
          typeof value !== 'string' || value.length >= 2 * limit || [...value].length >= limit;
      case 'maxLength':
        return (value) => typeof value !== 'string' || value.length <= limit || [...value].length <= limit;
      case 'minimum':
        return ofNumber((value) => value >= limit);
      case 'maximum':
        return ofNumber((value) => value <= limit);
      case 'exclusiveMinimum':
        return ofNumber((value) => value > limit);
      case 'exclusiveMaximum':
        return ofNumber((value) => value < limit);
      case 'minItems':
        return (value) => !Array.isArray(value) || value.length >= limit;
      case 'maxItems':
        return (value) => !Array.isArray(value) || value.length <= limit;
      case 'minProperties':
        return (value) => !isJsonObject(value) || Object.keys(value).length >= limit;
      case 'prefixItems': {
        const first = (operand as readonly JsonValue[]).map((place) => this.compile(place));
        return (value) =>
          !Array.isArray(value) || first.every((test, place) => place >= value.length || test(value[place]));
      }
      case 'items': {
        const test = this.compile(operand);
        const from = ((prefixItems ?? []) as readonly JsonValue[]).length;
        return (value) => {
          if (Array.isArray(value))
            for (let place = from; place < value.length; place++) if (!test(value[place])) return false;
          return true;
        };
      }
      case 'anyOf':
        return anyOf((operand as readonly JsonValue[]).map((choice) => this.compile(choice)));
      case '$ref':
        return this.#refer(String(operand).split('/').at(-1) as string);
      default:
        throw new WhetstoneError(
          'schema_not_compiled',
          `The keyword "${keyword}" needs the schema library: check this schema with checkValue.`,
          { details: { keyword } },
        );
    }
  }

  /** Compiled when it is met: a definition may refer to itself. */
  #refer(name: string): Test {
    return (value) => {
      let test = this.#referred.get(name);
      if (!test) this.#referred.set(name, (test = this.compile(this.#definitions[name])));
      return test(value);
    };
  }

  /**
   * Goes through the members that are there: of those that a schema knows, most are not. Plain ones first: what tells
   * branches apart is mostly one of them, and saves going into the deep ones.
   */
  #members({ type, properties = {}, required = [], additionalProperties }: JsonObject): Test {
    const needed = required as readonly string[];
    const others = this.compile(additionalProperties);
    const members = new Map(
      Object.entries(properties as JsonObject).map(([name, member]) => [
        name,
        { test: this.compile(member), isNeeded: needed.includes(name) },
      ]),
    );
    const holds = (value: JsonObject, name: string): boolean =>
      (members.get(name)?.test ?? others)(value[name]);
    return (value) => {
      if (!isJsonObject(value)) return type !== 'object';
      let missing = needed.length;
      let deep = false;
      for (const name in value) {
        const member: unknown = value[name];
        if (member === undefined) continue;
        if (members.get(name)?.isNeeded) missing--;
        if (typeof member === 'object' && member !== null) deep = true;
        else if (!holds(value, name)) return false;
      }
      if (missing > 0) return false;
      if (deep)
        for (const name in value)
          if (typeof value[name] === 'object' && value[name] !== null && !holds(value, name)) return false;
      return true;
    };
  }
}

function ofNumber(holds: (value: number | bigint) => boolean): Test {
  return (value) => {
    if (typeof value === 'number') return holds(value);
    return !(value instanceof NumberToken) || holds(comparableNumber(value));
  };
}

function allOf(tests: readonly Test[]): Test {
  const [first = anything, second, third, ...more] = tests;
  if (!second) return first;
  if (!third) return (value) => first(value) && second(value);
  if (more.length === 0) return (value) => first(value) && second(value) && third(value);
  return (value) => tests.every((test) => test(value));
}

function anyOf(tests: readonly Test[]): Test {
  const [first = anything, second, ...more] = tests;
  if (!second) return first;
  if (more.length === 0) return (value) => first(value) || second(value);
  return (value) => tests.some((test) => test(value));
}
