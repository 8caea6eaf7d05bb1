import type { Adapter } from '../adapter.ts';
import { bearer } from '../bearer.ts';
import { statusOf } from '../reply/error.ts';
import { printUncached } from '../reply/print-usage.ts';
import { readRequest } from './read-request.ts';
import { readReply, writeReply } from './reply.ts';
import { api, writeRequest } from './request.ts';
import { reader, writer } from './stream.ts';

/** Amazon Bedrock's Converse and ConverseStream. */
export const adapter: Adapter = {
  api,
  framing: 'aws-event-stream',
  capabilities: { images: true, tools: true, parallelCalls: true, strict: true },
  access: {
    baseUrl: 'https://bedrock-runtime.{AWS_REGION:us-east-1}.amazonaws.com',
    baseUrlVariable: 'BEDROCK_BASE_URL',
    keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
    signing: 'aws',
    path: (model, stream) => `/model/${encodeURIComponent(model)}/${stream ? 'converse-stream' : 'converse'}`,
    headers: bearer,
  },
  writeRequest,
  readRequest,
  readReply,
  writeReply,
  reader,
  writer,
  printUsage: printUncached,
  writeError: (error) => ({ status: statusOf(error), body: { message: error.message } }),
};
