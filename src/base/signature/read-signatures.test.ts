import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { isWhetstoneError } from '../host/errors.ts';
import type { JsonObject } from '../json/value.ts';
import { loadChecker } from '../schema/check/check.ts';
import { callArguments } from './call-arguments.ts';
import { readSignatures } from './read-signatures.ts';
import type { Refusal, ToolSignature } from './signature.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-signature-'));
after(() => rmSync(folder, { recursive: true }));
await loadChecker();

let files = 0;
function written(text: string, name = `tools${files++}.ts`): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function read(text: string): Promise<{ tools: Record<string, ToolSignature>; refusals: Refusal[] }> {
  const refusals: Refusal[] = [];
  const signatures = await readSignatures(written(text), { onRefusal: (refusal) => refusals.push(refusal) });
  return { tools: Object.fromEntries(signatures.map((signature) => [signature.name, signature])), refusals };
}

function propertiesOf(signature: ToolSignature | undefined): Readonly<Record<string, JsonObject>> {
  assert.ok(signature !== undefined);
  return signature.input['properties'] as Record<string, JsonObject>;
}

/** The schema of the parameter `x` of each function. */
async function schemas(text: string): Promise<Record<string, unknown>> {
  const { tools, refusals } = await read(text);
  assert.deepEqual(refusals, []);
  return Object.fromEntries(
    Object.entries(tools).map(([name, { input }]) => [name, (input['properties'] as JsonObject)['x']]),
  );
}

test('a function is a tool: its name, its comment, its parameters', async () => {
  const path = written(`
/**
 * Prices of some items on one day.
 * @param itemIds which items
 * @param date ISO date
 * @returns one price for each item
 */
export async function prices(itemIds: string[], date: string, currency: 'EUR' | 'USD' = 'EUR', most?: number): Promise<number[]> {
  return [];
}
`);
  const [prices, ...more] = await readSignatures(pathToFileURL(path));
  assert.deepEqual(more, []);
  assert.deepEqual(prices, {
    name: 'prices',
    exportName: 'prices',
    description: 'Prices of some items on one day.',
    input: {
      type: 'object',
      properties: {
        itemIds: { type: 'array', items: { type: 'string' }, description: 'which items' },
        date: { type: 'string', description: 'ISO date' },
        currency: { type: 'string', enum: ['EUR', 'USD'], default: 'EUR' },
        most: { type: 'number' },
      },
      required: ['itemIds', 'date'],
      additionalProperties: false,
    },
    parameters: ['itemIds', 'date', 'currency', 'most'].map((name) => ({ name, kind: 'value' })),
    length: 2,
    dates: [],
    file: path,
    line: 8,
  });
  assert.deepEqual(callArguments(prices as ToolSignature, { date: 'today', itemIds: ['a'] }), [
    ['a'],
    'today',
    undefined,
    undefined,
  ]);
});

test('arrow functions, named defaults and what other files export are tools; values and types are not', async () => {
  written(`/** Far. */ export const far = (x: number) => x;\nexport const limit = 3;`, 'far.ts');
  const { tools, refusals } = await read(`
export * from './far.ts';
export { far as distant } from './far.ts';
export default function near(x: number) {}
export const arrow = async (x: string) => x;
export type Unit = 'm';
export interface Thing { a: string }
function inner(x: string) {}
/** @internal */ export function secret(x: string) {}
`);
  assert.deepEqual(refusals, []);
  assert.deepEqual(Object.keys(tools).sort(), ['arrow', 'distant', 'far', 'near']);
  assert.equal(tools['far']?.description, 'Far.');
  assert.equal(tools['near']?.exportName, 'default');
});

test('what is only described or wrapped has no length that could be compared', async () => {
  const { tools } = await read(`
const same = <F>(f: F): F => f;
export const typed: (x: string, y: number) => void = () => {};
export const wrapped = same((x: string) => x);
export const plain = (x: string, y = 1, z?: number) => x;
`);
  assert.deepEqual(
    Object.values(tools).map(({ name, length }) => [name, length]),
    [
      ['typed', null],
      ['wrapped', null],
      ['plain', 1],
    ],
  );
});

test('the public methods of an exported class are tools', async () => {
  const { tools, refusals } = await read(`
class Base { /** Rests. */ rest(x: number) {} }
/** A browser. */
export class Browser extends Base {
  #count = 0;
  constructor(readonly home: string) { super(); }
  /** Opens a page.
   * @param url where */
  async open(url: string) { return url; }
  private hidden() {}
  protected inherited() {}
  _internal() {}
  #own() {}
  static make() {}
  get size() { return this.#count; }
  async [Symbol.asyncDispose]() {}
}
`);
  assert.deepEqual(refusals, []);
  assert.deepEqual(Object.keys(tools).sort(), ['open', 'rest']);
  assert.deepEqual([tools['open']?.className, tools['open']?.exportName], ['Browser', 'Browser']);
  assert.equal(tools['open']?.description, 'Opens a page.');
});

test('unions, literals and enums', async () => {
  assert.deepEqual(
    await schemas(`
export enum Color { Red = 'r', Green = 'g' }
export enum Level { Low, High = 5 }
export function literals(x: 'a' | 'b' | 3) {}
export function one(x: 'only') {}
export function flag(x: boolean) {}
export function always(x: true) {}
export function nullable(x: string | null) {}
export function nullableEnum(x: 'a' | 'b' | null) {}
export function nullableOne(x: 'a' | null) {}
export function nullableFlag(x: boolean | null) {}
export function mixed(x: string | number | { a: string }) {}
export function color(x: Color) {}
export function red(x: Color.Red) {}
export function level(x: Level) {}
export function anything(x: unknown) {}
export function object(x: object) {}
`),
    {
      literals: { type: ['string', 'number'], enum: ['a', 'b', 3] },
      one: { type: 'string', const: 'only' },
      flag: { type: 'boolean' },
      always: { type: 'boolean', const: true },
      nullable: { type: ['string', 'null'] },
      nullableEnum: { type: ['string', 'null'], enum: ['a', 'b', null] },
      nullableOne: { type: ['string', 'null'], enum: ['a', null] },
      nullableFlag: { type: ['boolean', 'null'] },
      mixed: {
        anyOf: [
          { type: 'string' },
          { type: 'number' },
          {
            type: 'object',
            properties: { a: { type: 'string' } },
            required: ['a'],
            additionalProperties: false,
          },
        ],
      },
      color: { type: 'string', enum: ['r', 'g'] },
      red: { type: 'string', const: 'r' },
      level: { type: 'number', enum: [0, 5] },
      anything: {},
      object: { type: 'object' },
    },
  );
});

test('records, tuples, templates, brands and mapped types', async () => {
  const city = { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false };
  assert.deepEqual(
    await schemas(`
type Id = string & { readonly __brand: 'Id' };
declare const tag: unique symbol;
type Count = number & { readonly [tag]: 'Count' };
interface City { name: string; people: number }
export function record(x: Record<string, number>) {}
export function open(x: { a: string; [key: string]: string | number }) {}
export function byNumber(x: Record<number, string>) {}
export function byTemplate(x: { [key: \`x-\${string}\`]: string }) {}
export function fixed(x: Record<'a' | 'b', number>) {}
export function pair(x: [number, string?]) {}
export function list(x: readonly [number, ...boolean[]]) {}
export function template(x: \`a.\${number}-\${boolean}\`) {}
export function branded(x: Id) {}
export function counted(x: Count) {}
export function brandedObject(x: { a: string } & { __brand: 'A' }) {}
export function both(x: { a: string } & { b?: number }) {}
export function picked(x: Partial<Pick<City, 'name'>>) {}
export function key(x: keyof City) {}
export function value(x: City['people']) {}
export function readonly(x: ReadonlyArray<Readonly<{ a: string }>>) {}
`),
    {
      record: { type: 'object', additionalProperties: { type: 'number' } },
      open: {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      },
      byNumber: {
        type: 'object',
        patternProperties: { '^-?[0-9.]+$': { type: 'string' } },
        additionalProperties: false,
      },
      byTemplate: {
        type: 'object',
        patternProperties: { '^x-[\\s\\S]*$': { type: 'string' } },
        additionalProperties: false,
      },
      fixed: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
      pair: {
        type: 'array',
        prefixItems: [{ type: 'number' }, { type: 'string' }],
        items: false,
        minItems: 1,
        maxItems: 2,
      },
      list: { type: 'array', prefixItems: [{ type: 'number' }], items: { type: 'boolean' }, minItems: 1 },
      template: {
        anyOf: ['false', 'true'].map((end) => ({
          type: 'string',
          pattern: `^a\\.-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?-${end}$`,
        })),
      },
      branded: { type: 'string' },
      counted: { type: 'number' },
      brandedObject: {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        additionalProperties: false,
      },
      both: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'number' } },
        required: ['a'],
        additionalProperties: false,
      },
      picked: city,
      key: { type: 'string', enum: ['name', 'people'] },
      value: { type: 'number' },
      readonly: {
        type: 'array',
        items: {
          type: 'object',
          properties: { a: { type: 'string' } },
          required: ['a'],
          additionalProperties: false,
        },
      },
    },
  );
});

test('recursive types become definitions, imported ones and instantiated generics are read', async () => {
  written(
    `export interface Tree { value: number; children: Tree[] }\nexport interface Page<Item> { items: Item[]; next?: Page<Item> }`,
    'types.ts',
  );
  const { tools, refusals } = await read(`
import type { Tree, Page } from './types.ts';
export type Json = string | number | null | Json[] | { [key: string]: Json };
export function grow(tree: Tree) {}
export function turn(page: Page<string>) {}
export function json(value: Json) {}
export function loop(list: Loop) {}
type Loop = Loop[];
`);
  assert.deepEqual(refusals, []);
  const tree = {
    type: 'object',
    properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
    required: ['value', 'children'],
    additionalProperties: false,
  };
  assert.deepEqual(tools['grow']?.input['$defs'], { Tree: tree });
  assert.deepEqual(tools['grow']?.input['properties'], { tree: { $ref: '#/$defs/Tree' } });
  assert.deepEqual(tools['turn']?.input['$defs'], {
    Page: {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'string' } }, next: { $ref: '#/$defs/Page' } },
      required: ['items'],
      additionalProperties: false,
    },
  });
  assert.deepEqual(tools['json']?.input['$defs'], {
    Json: {
      anyOf: [
        { type: 'string' },
        { type: 'number' },
        { type: 'array', items: { $ref: '#/$defs/Json' } },
        { type: 'object', additionalProperties: { $ref: '#/$defs/Json' } },
        { type: 'null' },
      ],
    },
  });
  assert.deepEqual(tools['loop']?.input['$defs'], {
    Loop: { type: 'array', items: { $ref: '#/$defs/Loop' } },
  });
});

test('an open type is read as its constraint, and refused without one', async () => {
  const { tools, refusals } = await read(`
export function first<T extends { id: string }>(x: T[]): T | undefined { return x[0]; }
export function any<T>(x: T) {}
export function get<T extends { a: string; b: number }, K extends keyof T>(x: K) {}
`);
  assert.deepEqual(propertiesOf(tools['first'])['x'], {
    type: 'array',
    items: {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    },
  });
  assert.deepEqual(
    refusals.map(({ tool, reason }) => [tool, reason]),
    [
      ['any', 'the type T is open: nothing says what it may be (a constraint would)'],
      ['get', 'the type keyof T is open: nothing says what it may be (a constraint would)'],
    ],
  );
});

test('what may be undefined may be absent', async () => {
  const { tools } = await read(`
export function all(a: string | undefined, b?: number, c: string[] = [], d: { e: string | undefined; f?: undefined } = { e: undefined }, ...g: number[]) {}
`);
  const { input } = tools['all'] as ToolSignature;
  assert.equal(input['required'], undefined);
  assert.deepEqual((input['properties'] as JsonObject)['d'], {
    type: 'object',
    properties: { e: { type: 'string' } },
    additionalProperties: false,
  });
  assert.deepEqual((input['properties'] as JsonObject)['c'], {
    type: 'array',
    items: { type: 'string' },
    default: [],
  });
  assert.deepEqual(callArguments(tools['all'] as ToolSignature, { a: 'x', g: [1, 2] }), [
    'x',
    undefined,
    undefined,
    undefined,
    1,
    2,
  ]);
  assert.deepEqual(callArguments(tools['all'] as ToolSignature, {}), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('defaults that are written down are told, those that must be run only make optional', async () => {
  const { tools } = await read(`
enum Size { Small = 's' }
const five = 5;
export function f(a = 1_000, b = -2.5, c = \`t\`, d = ['x', null] as (string | null)[], e = { k: true }, g: Size = Size.Small, h = five, i = Math.max(1, 2)) {}
`);
  const { input } = tools['f'] as ToolSignature;
  const properties = input['properties'] as Record<string, JsonObject>;
  assert.deepEqual(
    Object.entries(properties).map(([name, schema]) => [name, schema['default']]),
    [
      ['a', 1000],
      ['b', -2.5],
      ['c', 't'],
      ['d', ['x', null]],
      ['e', { k: true }],
      ['g', 's'],
      ['h', undefined],
      ['i', undefined],
    ],
  );
  assert.equal(input['required'], undefined);
});

test('one object that is taken apart gives its properties; beside others it goes by a name', async () => {
  const { tools, refusals } = await read(`
/** Looks. @param query.city of which city
 * @param days how many */
export function look({ city, days = 3 }: { city: string; days?: number }) {}
/** Opens. @param how the ways */
export function open(url: string, { retry = 2, deep }: { /** Tries. */ retry?: number; deep: boolean }) {}
export function plain(url: string, { deep }: { deep: boolean }) {}
export function named(place: { city: string }) {}
`);
  assert.deepEqual(refusals, []);
  assert.deepEqual(tools['look']?.input, {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'of which city' },
      days: { type: 'number', description: 'how many', default: 3 },
    },
    required: ['city'],
    additionalProperties: false,
  });
  assert.deepEqual(callArguments(tools['look'] as ToolSignature, { city: 'Oslo' }), [{ city: 'Oslo' }]);
  const how = propertiesOf(tools['open'])['how'] as JsonObject;
  assert.equal(how['description'], 'the ways');
  assert.deepEqual(how['properties'], {
    retry: { type: 'number', description: 'Tries.', default: 2 },
    deep: { type: 'boolean' },
  });
  assert.deepEqual(callArguments(tools['open'] as ToolSignature, { url: 'u', how: { deep: true } }), [
    'u',
    { deep: true },
  ]);
  assert.deepEqual(Object.keys(propertiesOf(tools['plain'])), ['url', 'options']);
  assert.deepEqual(Object.keys(propertiesOf(tools['named'])), ['place']);
});

test('taken apart with the rest of a map, or as a pair', async () => {
  const { tools, refusals } = await read(`
export function counts({ total, ...others }: { total: string; [name: string]: string }) {}
/** @param at where */
export function point([x, y]: [number, number]) {}
`);
  assert.deepEqual(refusals, []);
  assert.deepEqual(tools['counts']?.input, {
    type: 'object',
    properties: { total: { type: 'string' } },
    required: ['total'],
    additionalProperties: { type: 'string' },
  });
  assert.equal(propertiesOf(tools['point'])['at']?.['description'], 'where');
  assert.deepEqual(callArguments(tools['point'] as ToolSignature, { at: [1, 2] }), [[1, 2]]);
});

test('tags limit values, on parameters and on properties', async () => {
  const { tools, refusals } = await read(`
interface Order {
  /**
   * How many.
   * @minimum 1
   * @maximum 99
   * @integer
   */
  count: number;
  /** @pattern ^[a-z]+$ @minLength 2 */ code: string;
  /** @format email @example "a@b.c" @example x@y.z @deprecated */
  mail: string | null;
  /** @minItems 1 @uniqueItems */
  tags: string[];
}
/**
 * Orders.
 * @param order the order
 * @param n how many @exclusiveMinimum 0 @multipleOf 0.5
 * @maxLength name 20
 * @param name of whom
 * @default 7
 */
export function place(order: Order, n: number, name: string) {}
/** @minimum 3 */
export function single(/** Of what. @maximum 9 */ n: number) {}
`);
  assert.deepEqual(refusals, []);
  const { order, n, name } = propertiesOf(tools['place']);
  assert.deepEqual(order?.['properties'], {
    count: { type: 'integer', description: 'How many.', minimum: 1, maximum: 99 },
    code: { type: 'string', pattern: '^[a-z]+$', minLength: 2 },
    mail: { type: ['string', 'null'], format: 'email', examples: ['a@b.c', 'x@y.z'], deprecated: true },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
  });
  assert.deepEqual(n, { type: 'number', description: 'how many', exclusiveMinimum: 0, multipleOf: 0.5 });
  assert.deepEqual(name, { type: 'string', description: 'of whom', maxLength: 20, default: 7 });
  assert.deepEqual(propertiesOf(tools['single'])['n'], {
    type: 'number',
    description: 'Of what.',
    maximum: 9,
    minimum: 3,
  });
});

test('a Date is a text for the model and a Date for the function', async () => {
  const { tools } = await read(`
interface Node { at: Date; next?: Node }
export function when(
  at: Date,
  maybe: Date | null,
  all: Date[],
  either: { kind: 'day'; day: Date } | { kind: 'text'; day: string },
  map: Record<string, Date>,
  pair: [Date, string],
  node: Node,
) {}
`);
  const when = tools['when'] as ToolSignature;
  assert.deepEqual((when.input['properties'] as JsonObject)['at'], { type: 'string', format: 'date-time' });
  const at = '2026-11-21T08:00:00.000Z';
  const date = new Date(at);
  const input = {
    ...{ at, maybe: null, all: [at], either: { kind: 'day', day: at }, map: { a: at }, pair: [at, at] },
    node: { at, next: { at } },
  };
  assert.deepEqual(callArguments(when, input), [
    ...[date, null, [date], { kind: 'day', day: date }, { a: date }, [date, at]],
    { at: date, next: { at: date } },
  ]);
  const text = { ...input, maybe: at, either: { kind: 'text', day: at } };
  assert.deepEqual(callArguments(when, text).slice(1, 4), [date, [date], { kind: 'text', day: at }]);
  assert.equal(typeof input.at, 'string');
});

test('what the run hands in is hidden from the model', async () => {
  const contract = new URL('../../run/tool/contract.ts', import.meta.url).pathname;
  const { tools } = await read(`
import type { Context } from '${contract}';
export function a(x: string, context: Context, signal?: AbortSignal) {}
export function b({ x }: { x: string }, context: Context) {}
interface Own { a: string }
export function c(own: Own) {}
`);
  assert.deepEqual(Object.keys(propertiesOf(tools['a'])), ['x']);
  const context = { step: 1 };
  const { signal } = new AbortController();
  assert.deepEqual(callArguments(tools['a'] as ToolSignature, { x: 'y' }, { context, signal }), [
    'y',
    context,
    signal,
  ]);
  assert.deepEqual(callArguments(tools['b'] as ToolSignature, { x: 'y' }, { context }), [
    { x: 'y' },
    context,
  ]);
  assert.deepEqual(Object.keys(propertiesOf(tools['c'])), ['own']);
});

test('what cannot be said is refused, with file, line and reason', async () => {
  const text = `import type { Missing } from './nope.ts';
class Money { constructor(readonly cents: number) {} }
type Nest<T> = { value: T; inner?: Nest<T[]> };
interface Deep { list: { amount: bigint }[] }
export function big(x: bigint) {}
export function deep(order: Deep) {}
export function key(x: symbol) {}
export function never(x: never) {}
export function call(x: () => void) {}
export function method(x: { run(): void; a: string }) {}
export function money(x: Money) {}
export function map(x: Map<string, number>) {}
export function bytes(x: Uint8Array) {}
export function regex(x: RegExp | string) {}
export function missing(x: Missing) {}
export function nest(x: Nest<string>) {}
export function middle(x: [...number[], string]) {}
export function upper(x: Uppercase<string>) {}
export function either(x: Date | string) {}
export function over(x: string): void;
export function over(x: number): void;
export function over(x: unknown) {}
/** @param y what */
export function wrong(x: string) {}
/** @minimum 3 */
export function lost(x: string, n: number) {}
/** @param x what @minimum many */
export function many(x: number) {}
export default (x: number) => x;
`;
  const { tools, refusals } = await read(text);
  assert.deepEqual(tools, {});
  assert.deepEqual(
    refusals.map(({ tool, line, path, reason }) => [tool, line, path, reason]),
    [
      ['big', 5, 'x', 'JSON has no bigint: take a string, or a number where it is below 2^53'],
      [
        'deep',
        4,
        'order.list[].amount',
        'JSON has no bigint: take a string, or a number where it is below 2^53',
      ],
      ['key', 7, 'x', 'JSON has no symbol'],
      ['never', 8, 'x', 'no value is of type never'],
      ['call', 9, 'x', 'JSON has no functions'],
      ['method', 10, 'x.run', 'JSON has no functions'],
      ['money', 11, 'x', 'JSON has no Money: take its data, as an interface or as a text'],
      ['map', 12, 'x', 'JSON has no Map: take its data, as an interface or as a text'],
      ['bytes', 13, 'x', 'JSON has no Uint8Array: take its data, as an interface or as a text'],
      ['regex', 14, 'x', 'JSON has no RegExp: take its data, as an interface or as a text'],
      ['missing', 15, 'x', 'its type cannot be resolved'],
      ['nest', 3, 'x', 'its type has no end: it grows with every level'],
      ['middle', 17, 'x', 'a tuple whose open end is not its last cannot be said'],
      ['upper', 18, 'x', 'an upper- or lower-case mapping cannot be said: take string'],
      ['either', 19, 'x', 'a Date and a string are both a text in JSON: take one of the two'],
      ['over', 20, '', 'it has 2 signatures: a tool has one'],
      ['wrong', 24, '', '@param y names no parameter; there is x'],
      ['lost', 26, '', '@minimum 3 does not say which parameter it means'],
      ['many', 28, 'x', '@minimum needs a number, not "many"'],
      ['default', 29, '', 'the default export has no name: give the function one'],
    ],
  );
  assert.ok(refusals.every(({ file, column }) => file.startsWith(folder) && column > 0));
});

test('without a listener one refusal refuses the file, with signature_refused and all reasons', async () => {
  const path = written(
    `export function fine(x: string) {}\nexport function a(x: bigint) {}\nexport function b(x: symbol) {}`,
  );
  await assert.rejects(readSignatures(path), (error) => {
    assert.ok(isWhetstoneError(error));
    assert.equal(error.code, 'signature_refused');
    assert.match(error.message, /^2 functions cannot be a tool:/);
    assert.ok(error.message.includes(`${path}:2:19 a(x): JSON has no bigint`), error.message);
    assert.ok(error.message.includes(`${path}:3:19 b(x): JSON has no symbol`), error.message);
    assert.equal((error.details['refusals'] as Refusal[]).length, 2);
    return true;
  });
  const only = await readSignatures(path, { only: ['fine'] });
  assert.deepEqual(
    only.map(({ name }) => name),
    ['fine'],
  );
});

test('a project without strictNullChecks is refused: its types do not say whether null may come', async () => {
  const loose = mkdtempSync(join(folder, 'loose-'));
  writeFileSync(
    join(loose, 'tsconfig.json'),
    '{ "compilerOptions": { "strict": false }, "include": ["*.ts"] }',
  );
  writeFileSync(join(loose, 'tools.ts'), 'export function f(x: string | null) {}');
  await assert.rejects(readSignatures(join(loose, 'tools.ts')), /strictNullChecks off/);
});

test('a file that is not there, or no path at all, is refused with signature_file', async () => {
  for (const file of [join(folder, 'nowhere.ts'), 5 as never]) {
    await assert.rejects(
      readSignatures(file),
      (error) => isWhetstoneError(error) && error.code === 'signature_file',
    );
  }
});

test('refuses a function that wants a `this`, and a file that is not TypeScript (signature_file)', async () => {
  const { tools, refusals } = await read(`
/** Bound. */ export function bound(this: { db: string }, a: string) { return this.db + a; }
/** Free. */ export function free(this: void, a: string) { return a; }
/** Shop. */ export class Shop { /** Sells. */ sell(this: Shop, a: string) { return a; } }
`);
  assert.deepEqual(Object.keys(tools).sort(), ['free', 'sell']);
  assert.match(refusals.map(({ tool, reason }) => `${tool} ${reason}`).join(), /^bound it needs a `this`/);
  await assert.rejects(readSignatures(written('/** X. */\nexport function x(a: string { return a; }')), {
    code: 'signature_file',
    message: /:2 is not TypeScript/,
  });
});
