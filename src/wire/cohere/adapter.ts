import type { Adapter } from '../adapter.ts';
import { bearer } from '../bearer.ts';
import { statusOf } from '../reply/error.ts';
import { printUsage } from '../reply/print-usage.ts';
import { readRequest } from './read-request.ts';
import { readReply, writeReply } from './reply.ts';
import { api, writeRequest } from './request.ts';
import { reader, writer } from './stream.ts';

/** Cohere's Chat v2. */
export const adapter: Adapter = {
  api,
  framing: 'sse',
  capabilities: { images: true, tools: true, parallelCalls: true, strict: true },
  access: {
    baseUrl: 'https://api.cohere.com',
    baseUrlVariable: 'COHERE_BASE_URL',
    keyVariable: 'COHERE_API_KEY',
    path: () => '/v2/chat',
    headers: bearer,
  },
  writeRequest,
  readRequest,
  readReply,
  writeReply,
  reader,
  writer,
  printUsage,
  writeError: (error) => ({ status: statusOf(error), body: { message: error.message } }),
};
