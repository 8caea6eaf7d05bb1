import { version } from '../../../base/host/version.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import { capabilitiesOf } from './peer.ts';
import type { Peer, PeerOptions } from './peer.ts';
import { stdioTransport } from '../stdio-transport.ts';

/** The SDK's own clock is not used: silence is measured where progress and questions are known. */
const longest = 2 ** 31 - 1;

/** Reaches a server in the protocols up to 2025-11-25: a handshake, then a session, by the SDK. */
export async function openSession(options: PeerOptions, signal: AbortSignal): Promise<Peer> {
  const { sdk, setting, ask } = options;
  const client = new sdk.Client(
    { name: 'whetstone', version },
    { capabilities: capabilitiesOf(options) as object },
  );
  let gone = false;
  const ended = Promise.withResolvers<void>();
  // oxlint-disable unicorn/prefer-add-event-listener -- The SDK's client is not an EventTarget.
  client.onerror = options.onError;
  client.onclose = () => {
    gone = true;
    ended.resolve();
    options.onClose();
  };
  // oxlint-enable unicorn/prefer-add-event-listener
  client.setNotificationHandler(sdk.ToolListChangedNotificationSchema, options.onListChanged);
  if (ask !== undefined)
    client.setRequestHandler(
      sdk.ElicitRequestSchema,
      ({ params }) => ask(params as unknown as JsonObject) as Promise<never>,
    );
  const transport =
    setting.url === undefined
      ? stdioTransport(options)
      : new sdk.StreamableHTTPClientTransport(new URL(setting.url), {
          requestInit: { headers: { ...setting.headers } },
          fetch: options.fetch,
        });
  const limits = { signal, timeout: longest };
  try {
    // The SDK's interfaces differ in optional members under exact types; they are its own classes.
    await client.connect(transport as never, limits);
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
  return {
    stateless: false,
    capabilities: (client.getServerCapabilities() ?? {}) as JsonObject,
    instructions: client.getInstructions(),
    request: async (method, params, asked) => {
      const answer = await client.request({ method, params } as never, sdk.ResultSchema, {
        signal: asked.signal,
        timeout: longest,
        ...(asked.onProgress !== undefined && { onprogress: asked.onProgress as never }),
      });
      return answer as JsonObject;
    },
    ping: async (within) => void (await client.ping({ signal: within, timeout: longest })),
    isGone: () => gone,
    close: async () => {
      // A server that keeps sessions forgets ours at once.
      if (!gone && 'terminateSession' in transport)
        await options.briefly(transport.terminateSession().catch(() => undefined));
      // The SDK kills a process that does not end, and does not wait for its death.
      await client.close();
      await options.briefly(ended.promise);
    },
  };
}
