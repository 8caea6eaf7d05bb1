import type {
  auth,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  OAuthClientProvider,
  OAuthServerInfo,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ElicitRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ResultSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

import { WhetstoneError } from '../../base/host/errors.ts';

export type { OAuthClientProvider, OAuthServerInfo, Server, Transport };

/** What the client side takes from the SDK. */
export interface ClientSdk {
  readonly Client: typeof Client;
  readonly StdioClientTransport: typeof StdioClientTransport;
  readonly StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport;
  readonly ResultSchema: typeof ResultSchema;
  readonly ElicitRequestSchema: typeof ElicitRequestSchema;
  readonly auth: typeof auth;
  readonly discoverOAuthServerInfo: typeof discoverOAuthServerInfo;
  readonly extractWWWAuthenticateParams: typeof extractWWWAuthenticateParams;
  readonly ToolListChangedNotificationSchema: typeof ToolListChangedNotificationSchema;
  readonly McpError: typeof McpError;
}

/** What the server side takes from the SDK. */
export interface ServerSdk {
  readonly Server: typeof Server;
  readonly StdioServerTransport: typeof StdioServerTransport;
  readonly StreamableHTTPServerTransport: typeof StreamableHTTPServerTransport;
  readonly CallToolRequestSchema: typeof CallToolRequestSchema;
  readonly ListToolsRequestSchema: typeof ListToolsRequestSchema;
  readonly CompleteRequestSchema: typeof CompleteRequestSchema;
  readonly SetLevelRequestSchema: typeof SetLevelRequestSchema;
  readonly UnsubscribeRequestSchema: typeof UnsubscribeRequestSchema;
  readonly SubscribeRequestSchema: typeof SubscribeRequestSchema;
  readonly ResultSchema: typeof ResultSchema;
  readonly GetPromptRequestSchema: typeof GetPromptRequestSchema;
  readonly ListPromptsRequestSchema: typeof ListPromptsRequestSchema;
  readonly ListResourcesRequestSchema: typeof ListResourcesRequestSchema;
  readonly ListResourceTemplatesRequestSchema: typeof ListResourceTemplatesRequestSchema;
  readonly ReadResourceRequestSchema: typeof ReadResourceRequestSchema;
}

/** The only door to the MCP SDK, which is an optional peer. */
export async function loadClientSdk(): Promise<ClientSdk> {
  try {
    const [oauth, { Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }, types] =
      await Promise.all([
        import('@modelcontextprotocol/sdk/client/auth.js'),
        import('@modelcontextprotocol/sdk/client/index.js'),
        import('@modelcontextprotocol/sdk/client/stdio.js'),
        import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
        import('@modelcontextprotocol/sdk/types.js'),
      ]);
    return { ...types, ...oauth, Client, StdioClientTransport, StreamableHTTPClientTransport };
  } catch (cause) {
    throw missing(cause);
  }
}

/** The same for the server side. */
export async function loadServerSdk(): Promise<ServerSdk> {
  try {
    const [{ Server }, { StdioServerTransport }, { StreamableHTTPServerTransport }, types] =
      await Promise.all([
        import('@modelcontextprotocol/sdk/server/index.js'),
        import('@modelcontextprotocol/sdk/server/stdio.js'),
        import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
        import('@modelcontextprotocol/sdk/types.js'),
      ]);
    return { ...types, Server, StdioServerTransport, StreamableHTTPServerTransport };
  } catch (cause) {
    throw missing(cause);
  }
}

function missing(cause: unknown): WhetstoneError {
  return new WhetstoneError(
    'peer_missing',
    'MCP needs the package `@modelcontextprotocol/sdk`: npm install @modelcontextprotocol/sdk',
    { details: { peer: '@modelcontextprotocol/sdk' }, cause },
  );
}
