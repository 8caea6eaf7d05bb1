import type { Adapter } from '../adapter.ts';
import { statusOf } from '../reply/error.ts';
import { readRequest } from './read-request.ts';
import { printUsage, readReply, writeReply } from './reply.ts';
import { api, writeRequest } from './request.ts';
import { reader, writer } from './stream.ts';

/** Google's Interactions API. */
export const adapter: Adapter = {
  api,
  framing: 'sse',
  capabilities: { images: true, tools: true, parallelCalls: true, strict: true },
  access: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    baseUrlVariable: 'GEMINI_BASE_URL',
    keyVariable: 'GEMINI_API_KEY',
    path: () => '/interactions',
    headers: (key): Readonly<Record<string, string>> => (key === undefined ? {} : { 'x-goog-api-key': key }),
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
    body: { error: { code: error.kind, message: error.message } },
  }),
};
