import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { JsonSchema } from './json-schema.ts';
import { eachSubschema } from './subschemas.ts';

/**
 * Follows the `$ref`s of one document: pointers, anchors and `$id`s, whatever their base. Remote documents are
 * never fetched; those that were registered are given as `remotes`, by their URI.
 */
export class References {
  readonly #root: JsonSchema;
  readonly #remotes: Readonly<Record<string, JsonSchema>>;
  #named: Map<string, JsonSchema> | undefined;
  #bases: WeakMap<object, string> | undefined;

  constructor(root: JsonSchema, remotes: Readonly<Record<string, JsonSchema>> = {}) {
    this.#root = root;
    this.#remotes = remotes;
  }

  /** What the `$ref` (or `$dynamicRef`) of this node points to; undefined where nothing is there. */
  resolve(node: JsonObject): JsonSchema | undefined {
    const reference = node['$ref'] ?? node['$dynamicRef'];
    if (typeof reference !== 'string') return undefined;
    if (reference === '#' && !this.#hasIds()) return this.#root;
    if (reference.startsWith('#/') && !this.#hasIds()) return follow(this.#root, reference.slice(1));
    const named = this.#index();
    const target = join(reference, this.#bases?.get(node) ?? noBase);
    const hash = target.indexOf('#');
    const uri = hash < 0 ? target : target.slice(0, hash);
    const fragment = hash < 0 ? '' : target.slice(hash + 1);
    if (fragment !== '' && !fragment.startsWith('/')) return named.get(`${uri}#${fragment}`);
    const resource = named.get(uri);
    return resource === undefined ? undefined : follow(resource, fragment);
  }

  #idsFound: boolean | undefined;

  #hasIds(): boolean {
    this.#idsFound ??= anyId(this.#root);
    return this.#idsFound;
  }

  #index(): Map<string, JsonSchema> {
    if (this.#named) return this.#named;
    this.#named = new Map();
    this.#bases = new WeakMap();
    for (const [uri, schema] of Object.entries(this.#remotes)) this.#enter(schema, uri.replace(/#$/, ''));
    this.#enter(this.#root, noBase);
    return this.#named;
  }

  #enter(schema: JsonSchema, base: string): void {
    this.#named?.set(base, schema);
    this.#visit(schema, base);
  }

  #visit(schema: JsonSchema, outer: string): void {
    if (!isJsonObject(schema)) return;
    let base = outer;
    const id = schema['$id'];
    if (typeof id === 'string') {
      const uri = join(id, outer);
      if (id.startsWith('#')) this.#named?.set(uri, schema);
      else {
        base = uri.replace(/#.*$/, '');
        this.#named?.set(base, schema);
      }
    }
    this.#bases?.set(schema, base);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = schema[keyword];
      if (typeof anchor === 'string') this.#named?.set(`${base}#${anchor}`, schema);
    }
    eachSubschema(schema, (child) => this.#visit(child, base));
  }
}

/** A document without an `$id` has this base; it is never seen outside. */
const noBase = 'whetstone://schema/';

function join(reference: string, base: string): string {
  if (URL.canParse(reference, base)) return new URL(reference, base).href.replace(/#$/, '');
  return reference;
}

function follow(root: JsonSchema, pointer: string): JsonSchema | undefined {
  let at: JsonValue | undefined = root;
  for (const key of pointer.split('/').slice(1)) {
    const name = unescape(key);
    if (Array.isArray(at)) at = (at as readonly JsonValue[])[Number(name)];
    else if (isJsonObject(at) && Object.hasOwn(at, name)) at = at[name];
    else return undefined;
  }
  return isJsonObject(at) || typeof at === 'boolean' ? at : undefined;
}

function unescape(key: string): string {
  let text = key;
  try {
    text = decodeURIComponent(key);
  } catch {
    // A lone percent sign is the character itself.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function anyId(schema: JsonSchema): boolean {
  if (!isJsonObject(schema)) return false;
  if (typeof schema['$id'] === 'string') return true;
  let found = false;
  eachSubschema(schema, (child) => {
    found ||= anyId(child);
  });
  return found;
}
