import type { JsonObject } from '../../../base/json/value.ts';
import { approvalForm, asksByForm, decisionFrom } from './ask-by-form.ts';
import type { Server, ServerSdk } from '../sdk.ts';
import type { McpService } from './service.ts';
import { writeMcpResult } from './write-result.ts';

/** Until a person has answered: only the call's own end is sooner. */
const longestQuestion = 2 ** 31 - 1;

/** The server side of one session of the protocols up to 2025-11-25. */
export function mcpSession(sdk: ServerSdk, service: McpService): Server {
  const { name, version, instructions } = service.options;
  const server = new sdk.Server(
    { name, version },
    { capabilities: service.capabilities, ...(instructions !== undefined && { instructions }) },
  );
  const mistakes = new Map<string, number>();

  server.setRequestHandler(sdk.ListToolsRequestSchema, ({ params }) =>
    // Our own schemas, which were read when the tools were defined.
    service.track(service.list(params?.cursor) as Promise<never>),
  );

  const call = async (
    { name: tool, arguments: given }: { name: string; arguments?: unknown },
    extra: CallExtra,
  ): Promise<never> => {
    const token = extra._meta?.progressToken;
    const asked = {
      id: extra.requestId,
      name: tool,
      arguments: (given ?? {}) as JsonObject,
      signal: extra.signal,
      ...(asksByForm(server.getClientCapabilities()?.elicitation) && {
        person: async (request: Parameters<typeof approvalForm>[0], signal: AbortSignal) => {
          const question = { method: 'elicitation/create', params: approvalForm(request) } as const;
          const options = { signal, timeout: longestQuestion };
          return decisionFrom(await extra.sendRequest(question, sdk.ElicitResultSchema, options));
        },
      }),
      ...(token !== undefined && {
        onProgress: (progress: { readonly progress: number }) => {
          const params = { progressToken: token, ...progress };
          // Whoever has gone away hears no progress, and loses nothing by it.
          extra.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
        },
      }),
    };
    const { result } = await service.call(asked, mistakes);
    return writeMcpResult(result) as never;
  };
  server.setRequestHandler(sdk.CallToolRequestSchema, ({ params }, extra) =>
    service.track(call(params, extra as unknown as CallExtra)),
  );
  const offer = async ({ method, params }: { method: string; params?: unknown }): Promise<never> =>
    (await service.offer(method, (params ?? {}) as JsonObject)) as never;
  const { resources, prompts } = service.capabilities;
  if (resources !== undefined) {
    server.setRequestHandler(sdk.ListResourcesRequestSchema, offer);
    server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, offer);
    server.setRequestHandler(sdk.ReadResourceRequestSchema, offer);
  }
  if (prompts !== undefined) {
    server.setRequestHandler(sdk.ListPromptsRequestSchema, offer);
    server.setRequestHandler(sdk.GetPromptRequestSchema, offer);
  }
  return server;
}

/** What the SDK gives the handlers, as far as they use it. */
interface CallExtra {
  readonly requestId: string | number;
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly sendNotification: (notification: {
    method: 'notifications/progress';
    params: { progressToken: string | number; progress: number };
  }) => Promise<void>;
  readonly sendRequest: (
    request: { method: 'elicitation/create'; params: JsonObject },
    schema: ServerSdk['ElicitResultSchema'],
    options: { signal: AbortSignal; timeout: number },
  ) => Promise<unknown>;
}
