import type { Adapter } from '../adapter.ts';
import { bearer } from '../bearer.ts';
import { statusOf } from '../reply/error.ts';
import { printUsage } from '../reply/print-usage.ts';
import { readRequest } from './read-request.ts';
import { readReply, writeReply } from './reply.ts';
import { api, writeRequest } from './request.ts';
import { reader, writer } from './stream.ts';

/** Ollama's own chat API; its other door, `/v1`, is a host of Chat Completions. */
export const adapter: Adapter = {
  api,
  framing: 'ndjson',
  capabilities: { images: true, tools: true, parallelCalls: true, strict: false },
  access: {
    baseUrl: 'http://localhost:11434',
    baseUrlVariable: 'OLLAMA_HOST',
    path: () => '/api/chat',
    headers: bearer,
  },
  writeRequest,
  readRequest,
  readReply,
  writeReply,
  reader,
  writer,
  printUsage,
  writeError: (error) => ({ status: statusOf(error), body: { error: error.message } }),
};
