import type { Adapter } from '../adapter.ts';
import { statusOf } from '../reply/error.ts';
import { printUncached } from '../reply/print-usage.ts';
import { readRequest } from './read-request.ts';
import { api, readReply, writeReply } from './reply.ts';
import { writeRequest } from './request.ts';
import { errorType, reader, writer } from './stream.ts';

/** Anthropic's Messages API. */
export const adapter: Adapter = {
  api,
  framing: 'sse',
  capabilities: { images: true, tools: true, parallelCalls: true, strict: true },
  access: {
    baseUrl: 'https://api.anthropic.com',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    keyVariable: 'ANTHROPIC_API_KEY',
    path: () => '/v1/messages',
    headers: (key) => ({
      'anthropic-version': '2023-06-01',
      ...(key === undefined ? {} : { 'x-api-key': key }),
    }),
  },
  writeRequest,
  readRequest,
  readReply,
  writeReply,
  reader,
  writer,
  printUsage: printUncached,
  writeError: (error) => ({
    status: statusOf(error),
    body: { type: 'error', error: { type: errorType[error.kind] ?? 'api_error', message: error.message } },
  }),
};
