import type { Access, Adapter } from '../adapter.ts';
import { bearer } from '../bearer.ts';
import { statusCodeOf, writeErrorBody } from './error.ts';
import { readRequest } from './read-request.ts';
import { printUsage, readReply, writeReply } from './reply.ts';
import { api, writeRequest } from './request.ts';
import { reader, writer } from './stream.ts';

/** Google's generateContent, as the Gemini API serves it. */
export const adapter: Adapter = {
  api,
  framing: 'sse',
  capabilities: { images: true, tools: true, parallelCalls: true, strict: true },
  access: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    baseUrlVariable: 'GEMINI_BASE_URL',
    keyVariable: 'GEMINI_API_KEY',
    path: (model, stream) => `/models/${model}:${method(stream)}`,
    headers,
  },
  writeRequest,
  readRequest,
  readReply,
  writeReply,
  reader,
  writer,
  printUsage,
  writeError: (error) => ({ status: statusCodeOf(error), body: writeErrorBody(error) }),
};

/** The same API on Vertex AI: another address. The base URL holds the project and the region, if there are any. */
export const vertexAdapter: Adapter = {
  ...adapter,
  api: 'vertex-gemini',
  access: {
    baseUrl: 'https://aiplatform.googleapis.com/v1',
    baseUrlVariable: 'VERTEX_BASE_URL',
    keyVariable: 'VERTEX_API_KEY',
    path: (model, stream) => `/publishers/google/models/${model}:${method(stream)}`,
    headers,
  },
};

function method(stream: boolean): string {
  return stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
}

/** A key of the API, or the access token of an account. */
function headers(key: string | undefined): ReturnType<Access['headers']> {
  if (key === undefined) return {};
  return key.startsWith('ya29.') ? bearer(key) : { 'x-goog-api-key': key };
}
