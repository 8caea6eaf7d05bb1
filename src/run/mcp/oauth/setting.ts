import type { JsonObject } from '../../../base/json/value.ts';

/** How this program is authorized at a server that wants it (OAuth 2.1). */
export interface McpAuthorization {
  /**
   * Shows the page on which a person says yes, and answers with the address that the browser was sent to afterwards.
   * Without it the program authorizes itself, with `clientId` and `clientSecret`.
   */
  readonly open?: (page: URL) => string | URL | Promise<string | URL>;
  /** Where the browser is sent afterwards. `http://127.0.0.1/callback` by default. */
  readonly redirectUrl?: string;
  /** As registered with the server; without it this program registers itself, where the server lets it. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** An https address of a document that describes this client, for servers that take that for a registration. */
  readonly clientMetadataUrl?: string;
  /** What to ask for where the server does not say what it wants. */
  readonly scope?: string;
  /** Keeps registration and tokens beyond this process. They are secrets. */
  readonly store?: CredentialStore;
}

export interface CredentialStore {
  load(): JsonObject | undefined | Promise<JsonObject | undefined>;
  save(credentials: JsonObject): void | Promise<void>;
}
