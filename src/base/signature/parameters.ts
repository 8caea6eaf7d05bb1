import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Node, OpenFile, Signature, Type, TypeSymbol } from './compiler.ts';
import { type Doc, docOf } from './doc.ts';
import { literalValue } from './literal.ts';
import { type ParameterDocs, takenApartAs } from './parameter-docs.ts';
import { type Refusals, type Spot, declarationOf, fileOf } from './signature-error.ts';
import type { SignatureParameter } from './signature.ts';
import type { TypeWriter } from './type-schema.ts';

interface Parameters {
  readonly parameters: readonly SignatureParameter[];
  readonly length: number;
  /** `properties`, `required`, `additionalProperties`. */
  readonly shape: JsonObject;
}

interface ParameterNode {
  readonly name?: { readonly elements?: readonly BindingElement[] };
  readonly initializer?: Node;
  readonly questionToken?: Node;
  readonly dotDotDotToken?: Node;
}

interface BindingElement {
  readonly name?: { readonly text?: string };
  readonly propertyName?: { readonly text?: string };
  readonly initializer?: Node;
}

/** The parameters of one function, as the properties of its input. */
export function readParameters(
  signature: Signature,
  docs: ParameterDocs,
  writer: TypeWriter,
  open: OpenFile,
  refusals: Refusals,
  spot: Spot,
): Parameters {
  const parameters: SignatureParameter[] = [];
  const properties: [string, JsonObject][] = [];
  const required: string[] = [];
  const symbols = signature.getParameters();
  const told = symbols.filter((symbol) => injectedKind(typeOf(symbol, open), open) === undefined);
  for (const symbol of symbols) {
    const node = declarationOf(symbol, open);
    const parts = (node ?? {}) as ParameterNode;
    const type = typeOf(symbol, open);
    const at = { node: node ?? spot.node, path: symbol.name };
    const injected = injectedKind(type, open);
    if (injected !== undefined) {
      parameters.push({ name: symbol.name, kind: injected });
      continue;
    }
    if (type === undefined) {
      refusals.add(at, 'its type cannot be resolved');
      continue;
    }
    const apart = takenApartAs(node, open);
    if (apart === 'object' && told.length === 1) {
      return wholeObject(type, parts, docs, parameters, { writer, open, refusals, spot: at, symbols });
    }
    // Together with others it needs a name, and has one only in its comment.
    const name = apart ? nameForApart(docs, symbols) : symbol.name;
    at.path = name;
    const isRest = parts.dotDotDotToken !== undefined;
    const written = writer.write(type, at);
    const value = apart ? withElementDefaults(written, parts, open) : written;
    const doc = apart ? (docs.get(name) ?? noDoc) : docOfParameter(symbol, docs, open);
    const schema = writer.describe(withDefault(value, parts.initializer, open), doc, at);
    parameters.push({ name, kind: isRest ? 'rest' : 'value' });
    properties.push([name, withInnerDocs(schema, name, docs)]);
    const optional =
      isRest ||
      parts.initializer !== undefined ||
      parts.questionToken !== undefined ||
      writer.mayBeAbsent(type);
    if (!optional) required.push(name);
  }
  return { parameters, length: lengthOf(symbols, open), shape: shapeOf(properties, required) };
}

/** `f({ city, days = 3 }: {…})`: the properties of the one object are the parameters of the tool. */
function wholeObject(
  type: Type,
  node: ParameterNode,
  docs: ParameterDocs,
  before: readonly SignatureParameter[],
  {
    writer,
    open,
    refusals,
    spot,
    symbols,
  }: {
    readonly writer: TypeWriter;
    readonly open: OpenFile;
    readonly refusals: Refusals;
    readonly spot: Spot;
    readonly symbols: readonly TypeSymbol[];
  },
): Parameters {
  const at = { node: spot.node, path: '' };
  const inner = open.checker.getNonNullableType(type) ?? type;
  if (inner.isUnionType())
    refusals.add(at, 'an object that is taken apart must be one type, not a union: give it a name');
  // Its comment calls the object anything (`@param options.city`), or names the property alone.
  const docOfProperty = (name: string): Doc | undefined =>
    [...docs].find(([path]) => path === name || path.split('.').slice(1).join('.') === name)?.[1];
  const { type: _type, ...members } = writer.members(inner, at, docOfProperty);
  const shape = withElementDefaults({ properties: {}, ...members }, node, open);
  const after = symbols.slice(before.length + 1).map((symbol): SignatureParameter => ({
    name: symbol.name,
    kind: injectedKind(typeOf(symbol, open), open) ?? 'value',
  }));
  return {
    parameters: [...before, { name: '', kind: 'whole' }, ...after],
    length: lengthOf(symbols, open),
    shape,
  };
}

/** `{ retry = 3 }`: a property with a default may be absent. */
function withElementDefaults(shape: JsonObject, node: ParameterNode, open: OpenFile): JsonObject {
  if (!('properties' in shape)) return shape;
  const properties = { ...(shape['properties'] as Record<string, JsonObject>) };
  const required = new Set((shape['required'] ?? []) as readonly string[]);
  for (const element of node.name?.elements ?? []) {
    const name = element.propertyName?.text ?? element.name?.text;
    const property = name === undefined ? undefined : properties[name];
    if (name === undefined || property === undefined || element.initializer === undefined) continue;
    properties[name] = withDefault(property, element.initializer, open);
    required.delete(name);
  }
  const { required: _required, ...rest } = shape;
  return { ...rest, properties, ...(required.size > 0 ? { required: [...required] } : undefined) };
}

/** The first name in the comment that is not a parameter's, else `options`. */
function nameForApart(docs: ParameterDocs, symbols: readonly TypeSymbol[]): string {
  const names = new Set(symbols.map(({ name }) => name));
  return (
    [...docs.keys()].map((path) => path.split('.')[0] as string).find((name) => !names.has(name)) ?? 'options'
  );
}

const noDoc: Doc = { text: '', tags: [] };

/** Parameters up to the first with a default, as `Function.length` counts them. */
function lengthOf(symbols: readonly TypeSymbol[], open: OpenFile): number {
  const end = symbols.findIndex((symbol) => {
    const node = (declarationOf(symbol, open) ?? {}) as ParameterNode;
    return node.initializer !== undefined || node.dotDotDotToken !== undefined;
  });
  return end === -1 ? symbols.length : end;
}

function shapeOf(
  properties: readonly (readonly [string, JsonObject])[],
  required: readonly string[],
): JsonObject {
  return {
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : undefined),
    additionalProperties: false,
  };
}

function docOfParameter(symbol: TypeSymbol, docs: ParameterDocs, open: OpenFile): Doc {
  const own = docOf(symbol, open);
  const told = docs.get(symbol.name);
  return { text: told?.text || own.text, tags: [...own.tags, ...(told?.tags ?? [])] };
}

/** `@param place.name …` speaks of a property, where the type itself says nothing. */
function withInnerDocs(schema: JsonObject, name: string, docs: ParameterDocs): JsonObject {
  const properties = schema['properties'] as Record<string, JsonObject> | undefined;
  if (properties === undefined) return schema;
  const told = Object.entries(properties).map(([key, property]): [string, JsonObject] => {
    const doc = docs.get(`${name}.${key}`);
    return [
      key,
      doc === undefined || 'description' in property ? property : { ...property, description: doc.text },
    ];
  });
  return { ...schema, properties: Object.fromEntries(told) };
}

function withDefault(schema: JsonObject, initializer: Node | undefined, open: OpenFile): JsonObject {
  const value: JsonValue | undefined = initializer && literalValue(initializer, open);
  return value === undefined ? schema : { ...schema, default: value };
}

function typeOf(symbol: TypeSymbol, open: OpenFile): Type | undefined {
  return open.checker.getTypeOfSymbol(symbol);
}

/** What a run hands in: its context, or the signal alone. */
function injectedKind(type: Type | undefined, open: OpenFile): 'context' | 'signal' | undefined {
  const settled = type === undefined ? undefined : (open.checker.getNonNullableType(type) ?? type);
  const symbol = settled?.getSymbol();
  if (symbol?.name === 'AbortSignal') return 'signal';
  if (symbol?.name !== 'Context') return undefined;
  const node = declarationOf(symbol, open);
  const file = node === undefined ? undefined : fileOf(node);
  return file !== undefined && contextFile.test(file.fileName) ? 'context' : undefined;
}

/** Where `Context` of a run is declared, in our source and in the package as it is published. */
export const contextFile = /\/run\/tool\/contract\.(d\.)?ts$/;
