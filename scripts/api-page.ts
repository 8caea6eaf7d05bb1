import { restEndpoints } from '../src/serve/server/rest/rest-app.ts';
import type { ServerContext } from '../src/serve/http/context.ts';
import { openApiDocument } from '../src/serve/api/open-api.ts';
import { version } from '../src/base/host/version.ts';

/** What this page reads of an OpenAPI document. */
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Record<string, { readonly description: string; readonly content: Content }>;
}

type Content = Record<string, { readonly schema: Schema }>;

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** An operation cannot answer so, since it is of another method. */
const wrongMethod = ['405', 'The path takes other methods: `Allow` names them'];

/** docs/reference/api.md, from the document that the server gives out at `/api/v1/openapi.json`. */
export function apiPage(
  // Endpoints look into their context when they are asked, and here they are only described.
  document: unknown = openApiDocument(restEndpoints({} as ServerContext), version),
): string {
  const { paths, components } = document as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationText(method, path, operation)),
  );
  const [{ responses }] = Object.values(Object.values(paths)[0]!) as [Operation];
  const refusals = Object.entries(responses).filter(([status]) => status !== '200');
  return (
    [
      '# The HTTP API',
      'The Labs API, as a running server describes it at `/api/v1/openapi.json`; what it is for is in [the guide](../guide/13-server.md). A key goes into `Authorization: Bearer …`; every answer carries `X-Request-ID`, and `X-RateLimit-Limit`, `-Remaining` and `-Reset` where the key has a limit. A field with `?` may be absent. Written by `npm run docs` from the contract that server and client share.',
      '## Refusals',
      'Every other status than 200 answers with a [Refusal](#refusal).',
      table(
        ['status', 'means'],
        [...[...refusals.map(([status, { description }]) => [status, description]), wrongMethod].toSorted()],
      ),
      '## Endpoints',
      ...operations,
      '## Bodies and answers',
      ...Object.entries(components.schemas).map(([name, schema]) => schemaText(name, schema)),
    ].join('\n\n') + '\n'
  );
}

function operationText(method: string, path: string, operation: Operation): string {
  const { summary, parameters = [], requestBody, responses } = operation;
  const answer = Object.entries(responses['200']!.content)[0]!;
  const said = (place: string): string =>
    parameters
      .filter((one) => one.in === place)
      .map(({ name }) => `\`${name}\``)
      .join(', ');
  const lines = [
    `### ${method.toUpperCase()} ${path}`,
    `${summary}.`,
    [
      ...(said('query') ? [`- query: ${said('query')}`] : []),
      ...(said('header') ? [`- header: ${said('header')}`] : []),
      ...(requestBody ? [`- body: ${typeOf(requestBody.content['application/json']!.schema)}`] : []),
      `- answer: ${answer[0] === 'application/json' ? typeOf(answer[1].schema) : `\`${answer[0]}\``}`,
    ].join('\n'),
  ];
  return lines.join('\n\n');
}

function schemaText(name: string, schema: Schema): string {
  const fields = fieldsOf(schema, '');
  const shown = fields.length > 0 ? table(['field', 'holds'], fields) : `${typeOf(schema)}.`;
  return `### ${name}\n\n${shown}`;
}

/** Each field with its place, also those of objects within. */
function fieldsOf(schema: Schema, above: string): string[][] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const place = `${above}${name}`;
    const told = field.description === undefined ? '' : `: ${field.description}`;
    const row = [`\`${place}\`${required.includes(name) ? '' : '?'}`, typeOf(field) + told];
    return [row, ...within(field, place)];
  });
}

function within(schema: Schema, place: string): string[][] {
  if (schema.properties) return fieldsOf(schema, `${place}.`);
  if (schema.items) return within(schema.items, `${place}[]`);
  return [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((one) => within(one, place));
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!;
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.enum) return schema.enum.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}${countOf(schema)}`;
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return `object of ${typeOf(schema.additionalProperties)}`;
  return `${schema.type ?? 'anything'}${rangeOf(schema)}`;
}

function countOf({ minItems = 0, maxItems }: Schema): string {
  if (maxItems !== undefined) return `, ${minItems} to ${maxItems}`;
  return minItems > 0 ? `, at least ${minItems}` : '';
}

function rangeOf({ minimum, maximum, maxLength }: Schema): string {
  if (maxLength !== undefined) return `, at most ${maxLength} characters`;
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? '' : `, from ${minimum}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
