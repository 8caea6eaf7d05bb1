/**
 * An MCP server by the official SDK, over stdio, that does what servers do at their worst. `node odd-server.ts`.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const object = { type: 'object' };
const tools: object[] = [
  { name: 'hang', description: 'Never answers, whatever it is told.', inputSchema: object },
  { name: 'die', description: 'Ends the server in the middle of a call.', inputSchema: object },
  {
    name: 'process_id',
    description: 'The id of the process.',
    inputSchema: object,
    annotations: { readOnlyHint: true },
  },
  { name: 'cancellations', description: 'How many calls were cancelled.', inputSchema: object },
  { name: 'grow', description: 'Adds a tool and says that the list has changed.', inputSchema: object },
  { name: 'shrink', description: 'Takes that tool away again.', inputSchema: object },
  { name: 'lose_list', description: 'Says that the list has changed, and refuses it.', inputSchema: object },
  { name: 'beat', description: 'Tells its progress, beat by beat.', inputSchema: object },
  { name: 'huge', description: 'Answers with megabytes, twice.', inputSchema: object },
  { name: 'summary', description: 'Text and other data next to it.', inputSchema: object },
  { name: 'sound', description: 'Answers with audio.', inputSchema: object },
  { name: 'refuse', description: 'Says that it could not do it.', inputSchema: object },
  { name: 'nothing', description: 'Answers with nothing.', inputSchema: object },
  { name: 'protocol_error', description: 'Answers with a protocol error.', inputSchema: object },
  {
    name: 'nullable',
    description: 'Takes null in every way that it is written.',
    inputSchema: {
      type: 'object',
      properties: {
        a: { type: 'null' },
        b: { type: ['string', 'null'] },
        c: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
        d: { enum: ['x', null] },
        e: { const: null },
      },
    },
  },
  {
    name: 'keyed',
    description: 'Takes keys of one form only.',
    inputSchema: {
      type: 'object',
      properties: {
        labels: {
          type: 'object',
          propertyNames: { pattern: '^[a-z]+$' },
          additionalProperties: { type: 'string' },
        },
      },
      required: ['labels'],
    },
  },
  { name: 'files/read file (fast)…', inputSchema: object },
  { name: 'type_is_null', inputSchema: { type: 'object', properties: { a: { type: null } } } },
  {
    name: 'pattern_is_none',
    inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } },
  },
  { name: 'points_nowhere', inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/none' } } } },
  { name: 'schema_is_null', inputSchema: null },
  { name: 'without_schema', description: 'Has no schema at all.' },
  { description: 'Has no name.', inputSchema: object },
  { name: 'hang', description: 'The same name again.', inputSchema: object },
];
const grown = { name: 'grown', description: 'Was not there before.', inputSchema: object };
const pageSize = 5;
let cancellations = 0;
let lost = false;

const server = new Server({ name: 'odd', version: '1' }, { capabilities: { tools: { listChanged: true } } });
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
  if (lost) throw new Error('the list is away');
  const from = Number(params?.cursor ?? 0);
  const rest = from + pageSize < tools.length ? { nextCursor: String(from + pageSize) } : {};
  return { tools: tools.slice(from, from + pageSize) as never, ...rest };
});
server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, _meta }) => {
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
  const { name } = params;
  if (name === 'hang') {
    signal.addEventListener('abort', () => (cancellations += 1));
    const progressToken = _meta?.progressToken ?? 0;
    await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 0 } });
    return new Promise<never>(() => undefined);
  }
  if (name === 'die') process.exit(7);
  if (name === 'process_id') return text(String(process.pid));
  if (name === 'cancellations') return text(String(cancellations));
  if (name === 'grow' || name === 'shrink') {
    if (name === 'grow') tools.unshift(grown);
    else tools.shift();
    await server.sendToolListChanged();
    return text('done');
  }
  if (name === 'lose_list') {
    lost = true;
    await server.sendToolListChanged();
    return text('done');
  }
  if (name === 'beat') {
    for (let beat = 1; beat <= 3; beat++) {
      const progressToken = _meta?.progressToken ?? 0;
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: beat, total: 3, message: `beat ${beat}` },
      });
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    return text('beaten');
  }
  if (name === 'huge') {
    const rows = Array.from({ length: 20_000 }, (_, row) => ({
      row,
      text: 'the same words again and again',
    }));
    return { ...text(JSON.stringify({ rows })), structuredContent: { rows } };
  }
  if (name === 'summary') return { ...text('2 rows'), structuredContent: { rows: [1, 2] } };
  if (name === 'sound') return { content: [{ type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }] };
  if (name === 'refuse') return { ...text('No such file: a.txt'), isError: true };
  if (name === 'nothing') return { content: [] };
  if (name === 'protocol_error') throw new Error('the database is away');
  return text(JSON.stringify(params.arguments ?? null));
});
// What many servers do, although standard output is for the protocol.
console.log('The odd server is ready.');
await server.connect(new StdioServerTransport());
