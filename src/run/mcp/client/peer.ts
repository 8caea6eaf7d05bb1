import type { Fetch } from '../../../base/host/fetch.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { ClientSdk } from '../sdk.ts';
import type { McpServerSetting } from './server-setting.ts';

/** A server that was reached, whichever protocol it speaks. */
export interface Peer {
  /** It keeps no session: arguments may have to be sent as headers too. */
  readonly stateless: boolean;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  request(method: string, params: JsonObject, options: PeerRequest): Promise<JsonObject>;
  /** Rejects where the server does not answer any more. */
  ping(signal: AbortSignal): Promise<void>;
  /** Whether it went away by itself. */
  isGone(): boolean;
  /** Says goodbye, and resolves when a server that was started here has ended. */
  close(): Promise<void>;
}

export interface PeerRequest {
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: JsonObject) => void) | undefined;
  /** For servers without sessions: arguments that are sent as headers too. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface PeerOptions {
  readonly sdk: ClientSdk;
  readonly setting: McpServerSetting;
  readonly fetch: Fetch;
  readonly maxMessageBytes: number;
  /** Puts a question of the server to a person; absent where nobody can be asked. */
  readonly ask: ((question: JsonObject) => Promise<JsonObject>) | undefined;
  /** Waits for a goodbye, but not for long. */
  readonly briefly: (work: Promise<unknown>) => Promise<void>;
  readonly onListChanged: () => void;
  readonly onStderr: (text: string) => void;
  readonly onError: (error: Error) => void;
  readonly onClose: () => void;
}

/** What this client can do for servers. */
export function capabilitiesOf({ ask }: PeerOptions): JsonObject {
  return ask === undefined ? {} : { elicitation: { form: {}, url: {} } };
}
