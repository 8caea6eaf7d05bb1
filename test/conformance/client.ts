import type { JsonObject } from '../../src/base/json/value.ts';
import { mcpTools } from '../../src/run/mcp/index.ts';
import type { McpAuthorization } from '../../src/run/mcp/index.ts';
import { call } from '../../src/run/mcp/testing/call.ts';

/** What the suite tells a client of the scenario that it plays. */
export interface Scenario {
  readonly name: string;
  readonly url: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

const redirectUrl = 'http://127.0.0.1:9/callback';

/** Reaches the suite's server as any program would, and calls what it offers. */
export async function playScenario(scenario: Scenario): Promise<void> {
  const { url, toolCalls } = scenario;
  await using mcp = await mcpTools(
    { suite: { url, auth: authorization(scenario) } },
    { elicit: () => ({ action: 'accept' }) },
  );
  const schemaOf = (name: string): JsonObject => {
    const spec = mcp.tools.find(`suite_${name}`)?.spec;
    return spec?.kind === 'function' ? (spec.input as JsonObject) : {};
  };
  const names = mcp.tools.names.map((name) => name.slice('suite_'.length));
  const calls = toolCalls ?? names.map((name) => ({ name, arguments: sampleOf(schemaOf(name), schemaOf) }));
  for (const { name, arguments: given } of calls) await call(mcp, `suite_${name}`, given);
}

function authorization({ name, client_id, client_secret }: Scenario): McpAuthorization {
  return {
    redirectUrl,
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    ...(client_id !== undefined && { clientId: client_id }),
    ...(client_secret !== undefined && { clientSecret: client_secret }),
    // Without a page to open, the program is authorized by itself.
    ...(!name.startsWith('auth/client-credentials') && { open: sayYes }),
  };
}

/** A person who says yes: the page sends the browser on at once. */
async function sayYes(page: URL): Promise<string> {
  const { headers } = await fetch(page, { redirect: 'manual' });
  return headers.get('location') ?? redirectUrl;
}

/** Something for every argument; a tool that wants a schema is given the one that the suite asks to see again. */
function sampleOf({ properties = {} }: JsonObject, schemaOf: (name: string) => JsonObject): JsonObject {
  const samples = { number: 2, integer: 2, boolean: true, object: {}, array: [] } as Readonly<
    Record<string, JsonObject[string]>
  >;
  const values = Object.entries(properties as JsonObject).map(([name, schema]) => [
    name,
    name === 'schema'
      ? schemaOf('json_schema_2020_12_tool')
      : (samples[String((schema as JsonObject)['type'])] ?? 'text'),
  ]);
  return Object.fromEntries(values) as JsonObject;
}
