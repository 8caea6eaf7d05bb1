import type { JsonObject } from '../../../base/json/value.ts';
import type { Server, ServerSdk } from '../sdk.ts';
import { resourceAt } from '../offer/resource.ts';
import { clientOf } from './mcp-client.ts';
import type { McpAsked, McpClient } from './mcp-client.ts';
import type { McpService } from './service.ts';
import { writeMcpResult } from './write-result.ts';

/** Until a person has answered: only the call's own end is sooner. */
const longestQuestion = 2 ** 31 - 1;

/** The server side of one session of the protocols up to 2025-11-25. */
export function mcpSession(sdk: ServerSdk, service: McpService, onEnd?: () => void): Server {
  const { name, version, instructions } = service.options;
  const watched = service.options.resources.some(({ watch }) => watch !== undefined);
  const capabilities: JsonObject = {
    ...service.capabilities,
    ...(watched && { resources: { subscribe: true } }),
  };
  const server = new sdk.Server(
    { name, version },
    { capabilities, ...(instructions !== undefined && { instructions }) },
  );
  const mistakes = new Map<string, number>();

  server.setRequestHandler(sdk.ListToolsRequestSchema, ({ params }) =>
    // Our own schemas, which were read when the tools were defined.
    service.track(service.list(params?.cursor) as Promise<never>),
  );

  let logLevel: unknown = 'info';
  server.setRequestHandler(sdk.SetLevelRequestSchema, ({ params }) => {
    logLevel = params.level;
    return {};
  });
  server.setRequestHandler(sdk.CallToolRequestSchema, ({ params }, extra) => {
    const { requestId: id, signal, _meta } = extra;
    const calling = service.call(
      {
        id,
        name: params.name,
        arguments: (params.arguments ?? {}) as JsonObject,
        signal,
        client: clientBehind(sdk, server, extra as unknown as Extra),
        listener: {
          progressToken: _meta?.progressToken,
          logLevel,
          // A client that has gone hears nothing, and loses nothing by it.
          send: (method, said) =>
            void extra.sendNotification({ method, params: said } as never).catch(() => undefined),
        },
      },
      mistakes,
    );
    return service.track(calling.then(({ result }) => writeMcpResult(result) as never));
  });
  const offer = async (
    { method, params }: { method: string; params?: unknown },
    extra: unknown,
  ): Promise<never> => {
    const client = clientBehind(sdk, server, extra as Extra);
    return (await service.offer(method, (params ?? {}) as JsonObject, client)) as never;
  };
  const { resources, prompts, completions } = capabilities;
  const stopWatching = watched ? watchResources(sdk, server, service) : undefined;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- The SDK's server is not an EventTarget.
  server.onclose = () => {
    stopWatching?.();
    onEnd?.();
  };
  if (resources !== undefined) {
    server.setRequestHandler(sdk.ListResourcesRequestSchema, offer);
    server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, offer);
    server.setRequestHandler(sdk.ReadResourceRequestSchema, offer);
  }
  if (prompts !== undefined) {
    server.setRequestHandler(sdk.ListPromptsRequestSchema, offer);
    server.setRequestHandler(sdk.GetPromptRequestSchema, offer);
  }
  if (completions !== undefined) server.setRequestHandler(sdk.CompleteRequestSchema, offer);
  return server;
}

/** Tells the client of the resources that it watches, until what this returns is called. */
function watchResources(sdk: ServerSdk, server: Server, { options }: McpService): () => void {
  const watches = new Map<string, () => void>();
  const leave = (uri: string): void => {
    watches.get(uri)?.();
    watches.delete(uri);
  };
  server.setRequestHandler(sdk.SubscribeRequestSchema, ({ params: { uri } }) => {
    const { resource } = resourceAt(options.resources, uri);
    const changed = (): void => void server.sendResourceUpdated({ uri }).catch(() => undefined);
    leave(uri);
    const stop = resource.watch?.(uri, changed);
    if (stop !== undefined) watches.set(uri, stop);
    return {};
  });
  server.setRequestHandler(sdk.UnsubscribeRequestSchema, ({ params: { uri } }) => {
    leave(uri);
    return {};
  });
  return () => watches.forEach((_stop, uri) => leave(uri));
}

/** Who sent a request, asked over the same session while the request waits. */
function clientBehind(sdk: ServerSdk, server: Server, { signal, sendRequest }: Extra): McpClient {
  const capabilities = (server.getClientCapabilities() ?? {}) as JsonObject;
  return clientOf(capabilities, async (_key, method, params = {}) => {
    const options = { signal, timeout: longestQuestion };
    return (await sendRequest({ method, params }, sdk.ResultSchema, options)) as JsonObject;
  });
}

/** What the SDK gives the handlers, as far as questions use it. */
interface Extra {
  readonly signal: AbortSignal;
  readonly sendRequest: (
    request: { method: McpAsked; params: JsonObject },
    schema: ServerSdk['ResultSchema'],
    options: { signal: AbortSignal; timeout: number },
  ) => Promise<unknown>;
}
