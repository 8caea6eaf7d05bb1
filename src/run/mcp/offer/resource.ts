import type { JsonObject } from '../../../base/json/value.ts';
import { invalidParams, RpcError } from '../rpc-error.ts';
import type { Complete } from './completion.ts';

/** Something that clients may read: a file, a page, a record. */
export interface ServedResource {
  /** Its address, such as `notes://today`. With `{names}` in it, it matches all addresses of that form. */
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** What may come for a name in `uri`, from what has been written of it. */
  readonly complete?: Readonly<Record<string, Complete>>;
  /** Calls `changed` whenever it is another than before, until what this returns is called. */
  watch?(uri: string, changed: () => void): () => void;
  /** Text, or bytes. `values` are those of the names in `uri`. */
  read(
    uri: string,
    values: Readonly<Record<string, string>>,
  ): string | Uint8Array | Promise<string | Uint8Array>;
}

/** What is listed: addresses as they are, or forms of addresses. */
export function listResources(resources: readonly ServedResource[], form: boolean): JsonObject {
  const listed = resources
    .filter(({ uri }) => uri.includes('{') === form)
    .map(({ uri, name, description, mimeType }) => ({
      [form ? 'uriTemplate' : 'uri']: uri,
      name,
      ...(description !== undefined && { description }),
      ...(mimeType !== undefined && { mimeType }),
    }));
  return form ? { resourceTemplates: listed } : { resources: listed };
}

/** One resource as it is now. */
export async function readResource(resources: readonly ServedResource[], uri: unknown): Promise<JsonObject> {
  const { resource, values } = resourceAt(resources, uri);
  const read = await resource.read(String(uri), values);
  const { mimeType } = resource;
  const content = typeof read === 'string' ? { text: read } : { blob: toBase64(read) };
  return { contents: [{ uri: String(uri), ...(mimeType !== undefined && { mimeType }), ...content }] };
}

/** The first one that an address is of, with the values of its names. */
export function resourceAt(
  resources: readonly ServedResource[],
  uri: unknown,
): { readonly resource: ServedResource; readonly values: Readonly<Record<string, string>> } {
  if (typeof uri !== 'string')
    throw new RpcError(invalidParams, 'params.uri must be the address of a resource.');
  for (const resource of resources) {
    const values = valuesIn(resource.uri, uri);
    if (values !== undefined) return { resource, values };
  }
  throw new RpcError(invalidParams, `There is no resource ${JSON.stringify(uri)}.`, { data: { uri } });
}

/** The values of the names in a form of addresses; undefined where an address does not have that form. */
function valuesIn(form: string, uri: string): Readonly<Record<string, string>> | undefined {
  if (!form.includes('{')) return form === uri ? {} : undefined;
  const names: string[] = [];
  const pattern = form
    .split(/(\{\w+\})/)
    .map((piece) => {
      if (!/^\{\w+\}$/.test(piece)) return piece.replaceAll(/[^\w]/g, '\\$&');
      names.push(piece.slice(1, -1));
      return '([^/]+)';
    })
    .join('');
  const found = new RegExp(`^${pattern}$`).exec(uri);
  if (found === null) return undefined;
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
  } catch {
    return undefined;
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
