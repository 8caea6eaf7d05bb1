import { WhetstoneError } from '../../host/errors.ts';
import { isJsonObject } from '../../json/value.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { hasType } from '../../schema/check/explain.ts';
import { anyForm, neverForm, noLimits, noNotes, plainNode } from './ir.ts';
import type { Definition, Form, Limit, Node, Notes } from './ir.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { membersOf, withSometimes } from './conditional-members.ts';
import { kind, kindsIn, notesOf } from './keyword-kinds.ts';
import { mergeNodes } from './merge-nodes.ts';
import { allLimits, limitsOf } from './limits.ts';
import { draftOf } from '../../schema/prepare.ts';
import { readType, typesOf } from './read-type.ts';
import { References } from '../../schema/reference.ts';
import { escapeKey } from '../../schema/subschemas.ts';

/** Reads a schema as a form. A schema that leads back to itself with nothing between is refused. */
export function readNode(schema: JsonSchema, options: ReadOptions = {}): Node {
  return new NodeReader(schema, options).read(schema, '');
}

export interface ReadOptions {
  /** `nullable` counts and limits may be text, as in OpenAPI 3.0: a schema that was lowered before is read again. */
  readonly openApi?: boolean;
}

class NodeReader {
  readonly #openApi: boolean;
  #references: References | undefined;
  #old: boolean | undefined;
  readonly #root: JsonSchema;
  readonly #definitions = new Map<JsonSchema, Definition>();
  readonly #names = new Set<string>();
  /** The schemas that are being read, each inside the one before. */
  #reading: JsonSchema[] = [];
  readonly #read = (schema: JsonSchema, path: string): Node => this.read(schema, path);

  constructor(root: JsonSchema, options: ReadOptions) {
    this.#openApi = options.openApi === true;
    this.#root = root;
  }

  read(schema: JsonSchema, path: string): Node {
    if (schema === true) return plainNode(anyForm, path);
    if (schema === false) return plainNode(neverForm, path);
    if (this.#reading.length > deepest) throw endless(path);
    this.#reading.push(schema);
    const node = this.#all(schema, path, kindsIn(schema));
    this.#reading.pop();
    return node;
  }

  #all(schema: JsonObject, path: string, kinds: number): Node {
    let node = this.#pointed(schema, path, kinds);
    // In draft 7 nothing next to a reference counts.
    if (node && (this.#old ??= draftOf(this.#root) === 'draft-07')) return node;
    const own = this.#own(schema, path, kinds);
    if (!node) node = own;
    else node = own.form.kind === 'any' ? beside(node, own) : mergeNodes(node, own);
    if (kinds & kind.choice) node = this.#choices(schema, path, node);
    return kinds & kind.condition ? this.#conditions(schema, path, node) : node;
  }

  /** What it points to, if it does. */
  #pointed(schema: JsonObject, path: string, kinds: number): Node | undefined {
    if ((kinds & kind.reference) === 0) return undefined;
    const reference = schema['$ref'] ?? schema['$dynamicRef'];
    return typeof reference === 'string' ? this.#reference(schema, reference, path) : undefined;
  }

  #choices(schema: JsonObject, path: string, own: Node): Node {
    let node = own;
    const parts = list(schema['allOf']);
    parts.forEach((part, index) => {
      node = mergeNodes(node, this.read(part, `${path}/allOf/${index}`));
    });
    if (parts.length > 0)
      node = withLimits(node, [{ keyword: 'allOf', value: parts as JsonValue, path, said: true }]);
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = list(schema[keyword]);
      if (branches.length === 0) continue;
      const value = branches as JsonValue;
      if (node.form.kind === 'object' && branches.every(onlyAsserts)) {
        node = withLimits(node, [{ keyword, value, path }]);
        continue;
      }
      const read = branches.map((branch, index) => this.read(branch, `${path}/${keyword}/${index}`));
      const said = keyword === 'anyOf' || read.length === 1;
      const union: Node = {
        form: read.every((branch) => branch.form.kind === 'never')
          ? neverForm
          : { kind: 'union', branches: read },
        path: `${path}/${keyword}`,
        notes: {},
        limits:
          keyword === 'oneOf' ? [{ keyword, value: said ? value : 'exactly one', path, said: true }] : [],
      };
      node = mergeNodes(node, union);
    }
    return node;
  }

  /** What only sometimes holds: the members that it speaks of may be there, the rest is a limit. */
  #conditions(schema: JsonObject, path: string, node: Node): Node {
    const limits: Limit[] = [];
    const sometimes: (readonly [JsonSchema, string])[] = [];
    for (const keyword of [
      'if',
      'then',
      'else',
      'not',
      'dependentRequired',
      'dependentSchemas',
      'dependencies',
    ]) {
      const value = schema[keyword];
      if (value === undefined) continue;
      limits.push({ keyword, value, path });
      if (keyword === 'then' || keyword === 'else')
        sometimes.push([value as JsonSchema, `${path}/${keyword}`]);
      if (keyword.startsWith('depend'))
        for (const [name, child] of Object.entries(value as JsonObject))
          sometimes.push([
            Array.isArray(child) ? othersNamed(child as readonly string[], schema) : (child as JsonSchema),
            `${path}/${keyword}/${escapeKey(name)}`,
          ]);
    }
    if (limits.length === 0) return node;
    if (saysAnything(schema['not'])) return { ...node, form: neverForm, limits: [...node.limits, ...limits] };
    const members = membersOf(sometimes.map(([child, place]) => this.read(child, place)));
    const isFree = node.form.kind === 'any' && members.size > 0;
    const read: Node = isFree
      ? { ...node, form: { kind: 'object', members, rest: undefined, listed: true, names: undefined } }
      : withSometimes(node, members);
    return withLimits(read, limits);
  }

  #reference(schema: JsonObject, reference: string, path: string): Node {
    const target = (this.#references ??= new References(this.#root)).resolve(schema);
    if (target === undefined)
      throw new WhetstoneError(
        'schema_invalid',
        `This is not a JSON Schema: at ${path}/$ref, there is nothing at "${reference}". References are never fetched.`,
        { details: { path: `${path}/$ref`, reason: 'there is nothing at that place', value: reference } },
      );
    if (typeof target === 'boolean') return plainNode(target ? anyForm : neverForm, path);
    let definition = this.#definitions.get(target);
    if (!definition) {
      let node: Node | undefined;
      definition = {
        name: this.#name(target === this.#root ? 'root' : reference),
        read: () =>
          (node ??= this.#fresh(target, target === this.#root ? '' : reference.replace(/^[^#]*#/, ''))),
        isBeingRead: () => this.#opening.has(target),
      };
      this.#definitions.set(target, definition);
    }
    return plainNode({ kind: 'reference', to: definition }, path);
  }

  /** A definition is read separately from the references to it, so that it may contain itself. */
  #fresh(schema: JsonSchema, path: string): Node {
    const above = this.#reading;
    if (above.includes(schema) && this.#opening.has(schema)) throw endless(path);
    this.#opening.add(schema);
    this.#reading = [];
    const node = this.read(schema, path);
    this.#reading = above;
    this.#opening.delete(schema);
    return node;
  }

  readonly #opening = new Set<JsonSchema>();

  #name(reference: string): string {
    const last = decode(reference).split(/[/#]/).at(-1) ?? '';
    const clean = last.replaceAll(/[^A-Za-z0-9_.-]/g, '_') || 'part';
    let name = clean;
    for (let number = 2; this.#names.has(name); number++) name = `${clean}_${number}`;
    this.#names.add(name);
    return name;
  }

  /** What the keywords next to references and choices say. */
  #own(schema: JsonObject, path: string, kinds: number): Node {
    const notes = kinds & kind.note ? notesOf(schema) : noNotes;
    const isNullable = this.#openApi && schema['nullable'] === true;
    if (kinds & kind.values && !isNullable) return this.#values(schema, path, notes);
    const types = typesOf(schema, kinds);
    if (isNullable && types.length > 0) return this.#nullable(schema, path, kinds);
    if (types.length === 0) return { form: anyForm, path, notes, limits: noLimits };
    // Next to a choice, a limit applies to the branches that it speaks of, and excludes no other.
    if (schema['type'] === undefined && kinds & (kind.choice | kind.reference) && !(kinds & structure))
      return { form: anyForm, path, notes, limits: limitsOf(schema, path, [...allLimits]) };
    const read = this.#read;
    if (typeof types === 'string') return readType(types, schema, { path, notes, kinds, read });
    const branches = types.map((type) => readType(type, schema, { path, notes: noNotes, kinds, read }));
    return { form: { kind: 'union', branches }, path, notes, limits: noLimits };
  }

  #nullable(schema: JsonObject, path: string, kinds: number): Node {
    const { nullable: _, ...rest } = schema;
    const own = this.#own(rest, path, kinds);
    const branches = [{ ...own, notes: {} }, plainNode({ kind: 'null' }, path)];
    return { form: { kind: 'union', branches }, path, notes: own.notes, limits: [] };
  }

  #values(schema: JsonObject, path: string, notes: Notes): Node {
    const constant = schema['const'];
    const values = constant !== undefined ? [constant] : (schema['enum'] as readonly JsonValue[]);
    const fitting = values.filter((value) => hasType(schema['type'], value));
    const limits = Object.keys(schema)
      .filter((keyword) => allLimits.has(keyword))
      .map((keyword): Limit => ({ keyword, value: schema[keyword] as JsonValue, path, said: true }));
    if (constant !== undefined) limits.push({ keyword: 'const', value: constant, path, said: true });
    if (fitting.length === 0) return { form: neverForm, path, notes, limits };
    const form: Form = fitting.every((value) => value === null)
      ? { kind: 'null' }
      : { kind: 'enum', values: fitting };
    return { form, path, notes, limits };
  }
}

const structure = kind.member | kind.item;

/** Nesting beyond this is refused; recursion through definitions is not nesting. */
const deepest = 400;

/** A branch that adds no structure: it only says which of the members must be there. */
function onlyAsserts(branch: JsonSchema): boolean {
  return (
    isJsonObject(branch) &&
    Object.keys(branch).every((key) => assertions.has(key)) &&
    branch['type'] !== 'array'
  );
}

const assertions = new Set([
  'required',
  'not',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'title',
  'description',
]);

/** Its opposite is a schema that no value fits, as Zod writes `never`. */
function saysAnything(schema: JsonValue | undefined): boolean {
  return schema === true || (isJsonObject(schema) && Object.keys(schema).length === 0);
}

/** Members that a list names: where they are not listed themselves, they are what the others are. */
function othersNamed(required: readonly string[], { additionalProperties }: JsonObject): JsonSchema {
  return additionalProperties === undefined ? { required } : { required, additionalProperties };
}

function beside(target: Node, own: Node): Node {
  return { ...target, notes: { ...target.notes, ...own.notes }, limits: [...target.limits, ...own.limits] };
}

function withLimits(node: Node, limits: readonly Limit[]): Node {
  return { ...node, limits: [...node.limits, ...limits] };
}

function list<Item = JsonSchema>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? (value as readonly Item[]) : [];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll('~1', '_').replaceAll('~0', '_');
  } catch {
    return text;
  }
}

function endless(path: string): WhetstoneError {
  const place = path === '' ? 'the root' : path;
  return new WhetstoneError(
    'schema_invalid',
    `This schema leads back to itself at ${place} with nothing between, or is nested deeper than ${deepest} levels.`,
    { details: { path, reason: 'it leads back to itself' } },
  );
}
