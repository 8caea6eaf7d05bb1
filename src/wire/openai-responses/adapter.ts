import type { Adapter } from '../adapter.ts';
import { bearer } from '../bearer.ts';
import { statusOf } from '../reply/error.ts';
import { printUsage } from '../reply/print-usage.ts';
import { readRequest } from './read-request.ts';
import { readReply, writeReply } from './reply.ts';
import { api } from './items.ts';
import { writeRequest } from './request.ts';
import { reader } from './stream.ts';
import { writer } from './write-stream.ts';

/** OpenAI's Responses API, stateless: the whole history goes with each request. */
export const adapter: Adapter = {
  api,
  framing: 'sse',
  capabilities: { images: true, tools: true, parallelCalls: true, strict: true },
  access: {
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    keyVariable: 'OPENAI_API_KEY',
    path: () => '/responses',
    headers: bearer,
  },
  writeRequest,
  readRequest,
  readReply,
  writeReply,
  reader,
  writer,
  printUsage,
  writeError: (error) => ({
    status: statusOf(error),
    body: {
      error: { message: error.message, type: error.kind, param: error.field ?? null, code: error.kind },
    },
  }),
};
