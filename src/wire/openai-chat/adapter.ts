import type { Adapter } from '../adapter.ts';
import { bearer } from '../bearer.ts';
import { statusOf } from '../reply/error.ts';
import { writeErrorBody } from './error.ts';
import type { ChatHost } from './hosts.ts';
import { readRequest } from './read-request.ts';
import { printUsage, readReply, writeReply } from './reply.ts';
import { writeRequest } from './request.ts';
import { chatReader, chatWriter } from './stream.ts';

/** Chat Completions as one host speaks it. */
export function chatAdapter(host: ChatHost): Adapter {
  return {
    api: host.api,
    framing: 'sse',
    capabilities: { images: true, tools: true, parallelCalls: true, strict: host.strict },
    access: {
      baseUrl: host.baseUrl,
      baseUrlVariable: `${host.name.toUpperCase().replace(/\W/g, '_')}_BASE_URL`,
      ...(host.keyVariable === undefined ? {} : { keyVariable: host.keyVariable }),
      path: () => '/chat/completions',
      headers: (key): Readonly<Record<string, string>> => {
        if (key === undefined || host.name !== 'azure') return bearer(key);
        return { 'api-key': key };
      },
    },
    writeRequest: (request, options) => writeRequest(request, options, host),
    readRequest: (body) => readRequest(body, host),
    readReply: (body, context) => readReply(body, host, context),
    writeReply: (reply, options) => writeReply(reply, options, host),
    reader: chatReader(host),
    writer: chatWriter(host),
    printUsage,
    writeError: (error) => ({ status: statusOf(error), body: writeErrorBody(error) }),
  };
}
