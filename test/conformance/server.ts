import type { JsonObject } from '../../src/base/json/value.ts';
import { mcpClient, serveMcp } from '../../src/run/mcp/index.ts';
import type { McpClient, McpServing, ServedPrompt, ServedResource } from '../../src/run/mcp/index.ts';
import type { Context } from '../../src/run/tool/contract.ts';
import { tool } from '../../src/run/tool/define-tool.ts';

/** What the suite of the protocol asks for by name, made with nothing but what every user has. */
export function serveConformance(): Promise<McpServing> {
  return serveMcp([...plain, ...asking], { transport: 'http', resources, prompts });
}

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { type: 'image', source: { kind: 'base64', data: png, mediaType: 'image/png' } } as const;
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const block = (raw: JsonObject) => ({ type: 'other', api: 'mcp', raw }) as const;
const embedded = (uri: string, mimeType: string, text: string) =>
  block({ type: 'resource', resource: { uri, mimeType, text } });
const answers = (
  name: string,
  run: (input: JsonObject, context: Context) => unknown,
  input: JsonObject = {},
) => tool({ name, description: `The tool ${name} of the suite`, input: { type: 'object', ...input }, run });

const plain = [
  answers('test_simple_text', () => 'This is a simple text response for testing.'),
  answers('test_image_content', () => [image]),
  answers('test_audio_content', () => [block({ type: 'audio', data: wav, mimeType: 'audio/wav' })]),
  answers('test_embedded_resource', () => [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  answers('test_multiple_content_types', () => [
    { type: 'text', text: 'Multiple content types test:' },
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  answers('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
  answers('test_tool_with_progress', async function* () {
    for (const progress of [0, 50, 100]) yield await Promise.resolve({ progress, total: 100 });
    return 'done';
  }),
  answers('test_tool_with_logging', (_input, context) => {
    for (const note of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
      context.note(note);
    return 'done';
  }),
  answers('test_logging_tool', (_input, context) => {
    context.note('Somebody may want to know.');
    return 'done';
  }),
  answers('json_schema_2020_12_tool', () => 'fits', {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
  answers('test_headers', () => 'heard', {
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  }),
];

const form = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const askName = (client: McpClient, key: string, message = 'What is your name?') =>
  client.elicit(key, { message, schema: form({ name: { type: 'string' } }) });
const sample = (client: McpClient, key: string, text: string, maxTokens = 100) =>
  client.ask(key, 'sampling/createMessage', {
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens,
  });
const asks = (
  name: string,
  run: (client: McpClient, input: JsonObject) => Promise<unknown>,
  input: JsonObject = {},
) => answers(name, (given, context) => run(mcpClient(context)!, given), input);
const text = (answer: JsonObject): string => JSON.stringify(answer['content']);
const completed = (answer: object): string => `Elicitation completed: ${JSON.stringify(answer)}`;

const asking = [
  asks(
    'test_sampling',
    async (client, { prompt }) => `LLM response: ${text(await sample(client, 'said', String(prompt)))}`,
    form({ prompt: { type: 'string' } }),
  ),
  asks('test_missing_capability', (client) => sample(client, 'said', 'Are you there?')),
  asks(
    'test_elicitation',
    async (client, { message }) => {
      const schema = form({
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      });
      return `User response: ${JSON.stringify(await client.elicit('user', { message: String(message), schema }))}`;
    },
    form({ message: { type: 'string' } }),
  ),
  asks('test_elicitation_sep1034_defaults', async (client) => {
    const properties = {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    };
    return completed(
      await client.elicit('user', { message: 'Who?', schema: { type: 'object', properties } }),
    );
  }),
  asks('test_elicitation_sep1330_enums', async (client) => {
    const named = (values: readonly string[], titles: readonly string[]) =>
      values.map((value, at) => ({ const: value, title: titles[at]! }));
    const [values, titles] = [
      ['value1', 'value2', 'value3'],
      ['First Option', 'Second Option', 'Third Option'],
    ];
    const options = ['option1', 'option2', 'option3'];
    const properties = {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: named(values, titles) },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: {
        type: 'array',
        items: { anyOf: named(values, ['First Choice', 'Second Choice', 'Third Choice']) },
      },
    };
    return completed(
      await client.elicit('choice', { message: 'Which?', schema: { type: 'object', properties } }),
    );
  }),
  asks('test_streaming_elicitation', async (client) => completed(await askName(client, 'user_name'))),
  asks('test_input_required_result_elicitation', async (client) => {
    const answer = await askName(client, 'user_name');
    return answer.action === 'accept' ? `Hello, ${String(answer.content?.['name'])}!` : 'Hello, stranger!';
  }),
  asks('test_input_required_result_sampling', async (client) =>
    text(await sample(client, 'capital_question', 'What is the capital of France?')),
  ),
  asks('test_input_required_result_list_roots', async (client) =>
    JSON.stringify(await client.ask('client_roots', 'roots/list')),
  ),
  asks('test_input_required_result_request_state', async (client) => {
    const schema = form({ ok: { type: 'boolean' } });
    await client.elicit('confirm', { message: 'Please confirm', schema });
    return 'state-ok';
  }),
  asks('test_input_required_result_multiple_inputs', async (client) =>
    JSON.stringify(
      await Promise.all([
        askName(client, 'user_name'),
        sample(client, 'greeting', 'Generate a greeting', 50),
        client.ask('client_roots', 'roots/list'),
      ]),
    ),
  ),
  asks('test_input_required_result_multi_round', async (client) => {
    const name = await askName(client, 'step1', 'Step 1: What is your name?');
    const schema = form({ color: { type: 'string' } });
    const color = await client.elicit('step2', { message: 'Step 2: What is your favorite color?', schema });
    return JSON.stringify([name, color]);
  }),
  asks('test_input_required_result_tampered_state', async (client) =>
    completed(await askName(client, 'user_name')),
  ),
  asks('test_input_required_result_capabilities', async (client) =>
    JSON.stringify(
      await Promise.all([
        ...('sampling' in client.capabilities ? [sample(client, 'greeting', 'Generate a greeting')] : []),
        ...('elicitation' in client.capabilities ? [askName(client, 'user_name')] : []),
      ]),
    ),
  ),
];

const resources: readonly ServedResource[] = [
  {
    uri: 'test://static-text',
    name: 'Static text',
    description: 'A text that stays the same',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  },
  {
    uri: 'test://static-binary',
    name: 'Static picture',
    description: 'A picture that stays the same',
    mimeType: 'image/png',
    read: () => Buffer.from(png, 'base64'),
  },
  {
    uri: 'test://watched-resource',
    name: 'Watched',
    description: 'A text that somebody may wait for',
    read: () => 'Still the same.',
    watch: () => () => undefined,
  },
  {
    uri: 'test://template/{id}/data',
    name: 'Data',
    description: 'The data of an id',
    mimeType: 'application/json',
    read: (_uri, { id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  },
];

const prompts: readonly ServedPrompt[] = [
  { name: 'test_simple_prompt', description: 'Simple', get: () => 'This is a simple prompt for testing.' },
  {
    name: 'test_prompt_with_arguments',
    description: 'With gaps',
    arguments: [
      {
        name: 'arg1',
        required: true,
        complete: (begun) => ['paris', 'park', 'party'].filter((each) => each.startsWith(begun)),
      },
      { name: 'arg2', required: true },
    ],
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'With a resource',
    arguments: [{ name: 'resourceUri', required: true }],
    get: ({ resourceUri }) => [
      {
        role: 'user',
        content: [
          embedded(resourceUri!, 'text/plain', 'Embedded resource content for testing.'),
          { type: 'text', text: 'Please process the embedded resource above.' },
        ],
      },
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'With a picture',
    get: () => [
      { role: 'user', content: [image, { type: 'text', text: 'Please analyze the image above.' }] },
    ],
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'With a question',
    get: async (_values, client) => {
      const schema = form({ context: { type: 'string' } });
      const answer = await client.elicit('user_context', {
        message: 'What context should the prompt use?',
        schema,
      });
      return JSON.stringify(answer);
    },
  },
];
