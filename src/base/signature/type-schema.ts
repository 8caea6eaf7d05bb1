import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Node, OpenFile, Type, TypeSymbol } from './compiler.ts';
import { docOf } from './doc.ts';
import type { Doc } from './doc.ts';
import { type Refusals, type Spot, declarationOf, touch } from './signature-error.ts';
import { isKeywordTag, withTags } from './tag-keywords.ts';
import { templatePattern } from './template-pattern.ts';
import { joinAlternatives } from './union-schema.ts';

/** Marks the schema of a `Date`: JSON has a text in its place. Taken off before a schema is given out. */
export const dateMark: unique symbol = Symbol('date');

/** A type deeper than this grows with every step, as `type Nest<T> = { inner?: Nest<T[]> }` does. */
const deepest = 40;

/**
 * Writes types as JSON Schema, for one tool. What cannot be said is told to `refusals`, and writing goes on, so that
 * a person reads all of it at once. Types that lead back to themselves become definitions.
 */
export class TypeWriter {
  readonly definitions: Record<string, JsonObject> = {};
  readonly #open: OpenFile;
  readonly #refusals: Refusals;
  /** Types that are being written, and the name under which one is asked for again. */
  readonly #inside = new Map<number, { name?: string }>();
  readonly #defined = new Map<number, string>();
  #isEndless = false;

  constructor(open: OpenFile, refusals: Refusals) {
    this.#open = open;
    this.#refusals = refusals;
  }

  /** The schema of a type. `undefined` among its alternatives is left out: the caller says whether it may be absent. */
  write(type: Type, spot: Spot): JsonObject {
    const { TypeFlags } = this.#open.api;
    touch(type.getAliasSymbol(), this.#open);
    touch(type.getSymbol(), this.#open);
    if (type.isErrorType()) return this.#refuse(spot, 'its type cannot be resolved');
    const { flags } = type;
    if (flags & TypeFlags.AnyOrUnknown) return {};
    if (flags & TypeFlags.Null) return { type: 'null' };
    if (flags & TypeFlags.Boolean) return { type: 'boolean' };
    if (flags & TypeFlags.String) return { type: 'string' };
    if (flags & TypeFlags.Number) return { type: 'number' };
    if (flags & TypeFlags.NonPrimitive) return { type: 'object' };
    if (flags & TypeFlags.BigIntLike) {
      return this.#refuse(spot, 'JSON has no bigint: take a string, or a number where it is below 2^53');
    }
    if (flags & TypeFlags.ESSymbolLike) return this.#refuse(spot, 'JSON has no symbol');
    if (flags & TypeFlags.Never) return this.#refuse(spot, 'no value is of type never');
    if (flags & TypeFlags.VoidLike) return this.#refuse(spot, 'JSON has no undefined');
    if (type.isLiteralType() && !type.isUnionType()) return literal(type.value as JsonValue);
    if (type.isTemplateLiteralType()) return this.#template(type, spot);
    if (type.isStringMappingType()) {
      return this.#refuse(spot, 'an upper- or lower-case mapping cannot be said: take string');
    }
    if (flags & (TypeFlags.Instantiable as number)) return this.#constraint(type, spot);
    return this.#guarded(type, spot);
  }

  /** What a property or a parameter is, with its comment. */
  describe(schema: JsonObject, doc: Doc, spot: Spot): JsonObject {
    const described = doc.text === '' ? schema : { ...schema, description: doc.text };
    return withTags(described, doc.tags.filter(isKeywordTag), (reason) => this.#refusals.add(spot, reason));
  }

  /** Whether a value of this type may be absent. */
  mayBeAbsent(type: Type): boolean {
    const { TypeFlags } = this.#open.api;
    if (type.flags & (TypeFlags.VoidLike as number)) return true;
    return type.isUnionType() && type.getTypes().some((each) => (each.flags & TypeFlags.VoidLike) !== 0);
  }

  /** The properties of an object type, as `properties` and `required`. */
  #properties(type: Type, spot: Spot, docs: (name: string) => Doc | undefined = () => undefined): JsonObject {
    const { checker } = this.#open;
    const properties: [string, JsonObject][] = [];
    const required: string[] = [];
    for (const property of checker.getPropertiesOfType(type)) {
      const { name } = property;
      // Keys that are symbols do not reach JSON; those that begin with two underscores are brands.
      if (name.startsWith('__@') || (name.startsWith('__') && type.isIntersectionType())) continue;
      const at = { node: this.#nodeOf(property, spot), path: join(spot.path, name) };
      const inner = checker.getTypeOfSymbol(property);
      if (inner === undefined) {
        this.#refusals.add(at, 'its type cannot be resolved');
        continue;
      }
      const optional =
        (property.flags & this.#open.api.SymbolFlags.Optional) !== 0 || this.mayBeAbsent(inner);
      if (optional && this.#isNothing(inner)) continue;
      const doc = docOf(property, this.#open);
      const told = docs(name);
      const both =
        told === undefined ? doc : { text: told.text || doc.text, tags: [...doc.tags, ...told.tags] };
      properties.push([name, this.describe(this.write(inner, at), both, at)]);
      if (!optional) required.push(name);
    }
    return {
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : undefined),
    };
  }

  /** Writes what has an inside, and notices when that leads back to itself. */
  #guarded(type: Type, spot: Spot): JsonObject {
    const known = this.#defined.get(type.id);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const open = this.#inside.get(type.id);
    if (open !== undefined) return { $ref: `#/$defs/${(open.name ??= this.#newName(type))}` };
    // Told once: a type without end has no end of places where it goes on.
    if (this.#isEndless && this.#inside.size > 0) return {};
    if (this.#inside.size >= deepest) {
      this.#isEndless = true;
      const [start = ''] = spot.path.split(/[.[{]/);
      return this.#refuse({ ...spot, path: start }, 'its type has no end: it grows with every level');
    }
    const entry: { name?: string } = {};
    this.#inside.set(type.id, entry);
    const schema = type.isUnionType() ? this.#union(type, spot) : this.#object(type, spot);
    this.#inside.delete(type.id);
    if (entry.name === undefined) return schema;
    this.definitions[entry.name] = schema;
    this.#defined.set(type.id, entry.name);
    return { $ref: `#/$defs/${entry.name}` };
  }

  #union(type: Type & { getTypes(): readonly Type[] }, spot: Spot): JsonObject {
    const { TypeFlags } = this.#open.api;
    const members = type.getTypes().filter((member) => !(member.flags & TypeFlags.VoidLike));
    const schemas = members.map((member) => this.write(member, spot));
    const texts = schemas.filter((schema) => schema['type'] === 'string');
    if (schemas.some((schema) => dateMark in schema) && texts.length > 1) {
      return this.#refuse(spot, 'a Date and a string are both a text in JSON: take one of the two');
    }
    return joinAlternatives(schemas);
  }

  #object(type: Type, spot: Spot): JsonObject {
    const { checker, api } = this.#open;
    if (checker.isTupleType(type)) return this.#tuple(type, spot);
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as never);
      const at = { node: spot.node, path: `${spot.path}[]` };
      return { type: 'array', items: item === undefined ? {} : this.write(item, at) };
    }
    if (type.isIntersectionType()) {
      const primitives = type.getTypes().filter((member) => member.flags & api.TypeFlags.Primitive);
      // A brand is a promise of the program that JSON cannot make: the value beneath is what a model writes.
      if (primitives.length > 0) return this.write(primitives[0] as Type, spot);
    }
    const foreign = this.#foreign(type);
    if (foreign === 'Date') return { type: 'string', format: 'date-time', [dateMark]: true } as JsonObject;
    if (foreign !== undefined) return this.#refuse(spot, foreign);
    for (const kind of [api.SignatureKind.Call, api.SignatureKind.Construct]) {
      if (checker.getSignaturesOfType(type, kind).length > 0)
        return this.#refuse(spot, 'JSON has no functions');
    }
    const methods = checker.getPropertiesOfType(type).filter(({ flags }) => flags & api.SymbolFlags.Method);
    // One function in an object is a slip; many are a thing that is not data.
    if (methods.length > 3) return this.#refuse(spot, noData(type.getSymbol()?.name ?? 'such object'));
    return this.members(type, spot);
  }

  /** An object type as it is; `docs` knows more of its properties than they say themselves. */
  members(type: Type, spot: Spot, docs: (name: string) => Doc | undefined = () => undefined): JsonObject {
    const shape = this.#properties(type, spot, docs);
    const maps: JsonObject[] = [];
    for (const { keyType, valueType } of this.#open.checker.getIndexInfosOfType(type)) {
      const at = { node: spot.node, path: `${spot.path}{}` };
      const values = this.write(valueType, at);
      if (keyType.flags & this.#open.api.TypeFlags.String) maps.push({ additionalProperties: values });
      else if (keyType.flags & this.#open.api.TypeFlags.Number)
        maps.push({ patternProperties: { '^-?[0-9.]+$': values } });
      else if (keyType.isTemplateLiteralType()) {
        const pattern = templatePattern(keyType, this.#open);
        if (pattern === undefined)
          return this.#refuse(spot, 'the template of its keys cannot be said as a pattern');
        maps.push({ patternProperties: { [pattern]: values } });
      } else return this.#refuse(spot, 'JSON has only texts as keys');
    }
    const isEmpty = Object.keys(shape['properties'] as JsonObject).length === 0;
    // `{}` is anything that has properties; an object of which nothing is known is open as well.
    if (isEmpty && maps.length === 0) return { type: 'object' };
    const patterns = maps.flatMap((map) => Object.entries((map['patternProperties'] ?? {}) as JsonObject));
    return {
      type: 'object',
      ...(isEmpty ? undefined : shape),
      ...(patterns.length > 0 ? { patternProperties: Object.fromEntries(patterns) } : undefined),
      additionalProperties:
        maps.find((map) => 'additionalProperties' in map)?.['additionalProperties'] ?? false,
    };
  }

  #tuple(type: Type, spot: Spot): JsonObject {
    const { checker, api } = this.#open;
    const items = checker.getTypeArguments(type as never);
    const flags = (type as unknown as { getTarget(): { elementFlags: readonly number[] } }).getTarget()
      .elementFlags;
    const at = (index: number): Spot => ({ node: spot.node, path: `${spot.path}[${index}]` });
    const restAt = flags.findIndex((flag) => (flag & api.ElementFlags.Variable) !== 0);
    if (
      restAt !== -1 &&
      (restAt < flags.length - 1 || (flags[restAt] as number) & api.ElementFlags.Variadic)
    ) {
      return this.#refuse(spot, 'a tuple whose open end is not its last cannot be said');
    }
    const fixed = restAt === -1 ? items.length : restAt;
    const needed = flags.filter((flag) => (flag & api.ElementFlags.Required) !== 0).length;
    const rest = items[restAt];
    return {
      type: 'array',
      prefixItems: items.slice(0, fixed).map((item, index) => this.write(item, at(index))),
      items: rest === undefined ? false : this.write(rest, at(restAt)),
      minItems: needed,
      ...(rest === undefined ? { maxItems: fixed } : undefined),
    };
  }

  #template(type: Type & { isTemplateLiteralType(): boolean }, spot: Spot): JsonObject {
    const pattern = type.isTemplateLiteralType() ? templatePattern(type, this.#open) : undefined;
    return pattern === undefined
      ? this.#refuse(spot, 'its template cannot be said as a pattern')
      : { type: 'string', pattern };
  }

  /** A type that is not settled before the function is called: what is known of it is its constraint. */
  #constraint(type: Type, spot: Spot): JsonObject {
    const { checker } = this.#open;
    const constraint = type.isTypeParameter()
      ? checker.getConstraintOfTypeParameter(type)
      : type.isIndexType()
        ? undefined
        : checker.getBaseConstraintOfType(type);
    const name = checker.typeToString(type);
    if (
      constraint === undefined ||
      constraint.id === type.id ||
      constraint.flags & this.#open.api.TypeFlags.AnyOrUnknown
    ) {
      return this.#refuse(spot, `the type ${name} is open: nothing says what it may be (a constraint would)`);
    }
    return this.write(constraint, spot);
  }

  /** Things of the language and of classes, which are not data: `Date` by its name, else the reason. */
  #foreign(type: Type): string | undefined {
    const { SymbolFlags } = this.#open.api;
    const symbol = type.getSymbol();
    if (symbol === undefined || !(symbol.flags & (SymbolFlags.Class | SymbolFlags.Interface)))
      return undefined;
    const isOwn = !this.#isOfLanguage(symbol);
    if (!isOwn && symbol.name === 'Date') return 'Date';
    if (symbol.flags & SymbolFlags.Class || !isOwn) {
      return noData(symbol.name);
    }
    return undefined;
  }

  #isOfLanguage(symbol: TypeSymbol): boolean {
    return symbol.declarations.some((handle) => {
      const { program } = this.#open.project;
      return program.getSourceFileMetadataByPath(handle.path)?.isDefaultLibrary ?? false;
    });
  }

  #isNothing(type: Type): boolean {
    return (type.flags & this.#open.api.TypeFlags.VoidLike) !== 0;
  }

  #nodeOf(symbol: TypeSymbol, spot: Spot): Node | undefined {
    return declarationOf(symbol, this.#open) ?? spot.node;
  }

  #newName(type: Type): string {
    const given = type.getAliasSymbol()?.name ?? type.getSymbol()?.name ?? '';
    const base = /^[A-Za-z]\w*$/.test(given) ? given : 'Type';
    const taken = new Set([
      ...Object.keys(this.definitions),
      ...[...this.#inside.values()].map(({ name }) => name),
    ]);
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
    return name;
  }

  #refuse(spot: Spot, reason: string): JsonObject {
    this.#refusals.add(spot, reason);
    return {};
  }
}

function noData(name: string): string {
  return `JSON has no ${name}: take its data, as an interface or as a text`;
}

function literal(value: JsonValue): JsonObject {
  return { type: typeof value as string, const: value };
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
