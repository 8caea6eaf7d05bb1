import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Fetch } from '../../../base/host/fetch.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { ClientSdk, OAuthServerInfo } from '../sdk.ts';
import { Credentials } from './credentials.ts';
import type { McpAuthorization } from './setting.ts';

export interface AuthorizerOptions {
  readonly sdk: ClientSdk;
  readonly server: string;
  readonly url: string;
  readonly fetch: Fetch;
  readonly setting: McpAuthorization;
  /** A person may take long: whatever waits for an answer meanwhile is not too late. */
  readonly whileAsking: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** What a server wants before it answers: the scope, and where its metadata is. */
interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
  /** The token is good, and not for this. */
  readonly more: boolean;
}

/** A request that was authorized again this often and is still refused will always be refused. */
const mostAttempts = 3;

/** `fetch` with the token of one server, which is asked for when the server first wants it. */
export function authorizedFetch(options: AuthorizerOptions): Fetch {
  const authorizer = new Authorizer(options);
  return async (input, init) => {
    for (let attempt = 1; ; attempt++) {
      const token = await authorizer.token();
      const headers = new Headers(init?.headers);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      const response = await options.fetch(input, { ...init, headers });
      const challenge = challengeOf(response, options.sdk);
      if (challenge === undefined) return response;
      await response.body?.cancel();
      if (attempt === mostAttempts)
        throw authorizer.refused(`it refused a token that it had issued (${response.status})`);
      await authorizer.renew(token, challenge);
    }
  };
}

function challengeOf(response: Response, sdk: ClientSdk): Challenge | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  const { resourceMetadataUrl, scope, error } = sdk.extractWWWAuthenticateParams(response);
  const more = response.status === 403;
  if (more && error !== 'insufficient_scope') return undefined;
  return {
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
    ...(scope !== undefined && { scope }),
    more,
  };
}

class Authorizer {
  readonly #options: AuthorizerOptions;
  readonly #credentials: Credentials;
  #renewing: Promise<void> | undefined;

  constructor(options: AuthorizerOptions) {
    this.#options = options;
    this.#credentials = new Credentials(options.setting);
  }

  async token(): Promise<string | undefined> {
    const token = (await this.#credentials.tokens())?.access_token;
    return token;
  }

  /** Requests that were refused together are authorized once. */
  async renew(refused: string | undefined, challenge: Challenge): Promise<void> {
    if (this.#renewing === undefined && (await this.token()) !== refused) return;
    this.#renewing ??= this.#options
      .whileAsking(() => this.#authorize(challenge))
      .finally(() => (this.#renewing = undefined));
    await this.#renewing;
  }

  refused(why: string, cause?: unknown): WhetstoneError {
    const { server, url } = this.#options;
    return new WhetstoneError(
      'mcp_unauthorized',
      `The MCP server "${server}" at ${url} wants an authorization: ${why}.`,
      {
        details: { server },
        cause,
      },
    );
  }

  async #authorize({ resourceMetadataUrl, scope: wanted, more }: Challenge): Promise<void> {
    const { sdk, url, fetch } = this.#options;
    try {
      const found = await sdk.discoverOAuthServerInfo(url, {
        ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
        fetchFn: fetch,
      });
      checkIssuer(found);
      const { provider, answer } = await this.#credentials.provider(found, more);
      const scope = this.#scopeOf(found, wanted, more);
      const asking = {
        serverUrl: url,
        ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
        ...(scope !== undefined && { scope }),
        fetchFn: fetch,
      };
      const done = await sdk.auth(provider, asking);
      if (done === 'AUTHORIZED') return;
      const authorizationCode = await answer();
      await sdk.auth(provider, { ...asking, authorizationCode });
    } catch (cause) {
      throw this.refused(cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  /** What the server wants now, with what it gave before: a token for more must not be good for less. */
  #scopeOf(found: OAuthServerInfo, wanted: string | undefined, more: boolean): string | undefined {
    const { setting } = this.#options;
    const named = wanted ?? found.resourceMetadata?.scopes_supported?.join(' ') ?? setting.scope;
    const scopes = new Set(
      `${more ? this.#credentials.scope : ''} ${named ?? ''}`.split(' ').filter(Boolean),
    );
    // A token that outlives its hour is only given out where it is asked for.
    const offered = found.authorizationServerMetadata?.scopes_supported ?? [];
    if (setting.open !== undefined && offered.includes('offline_access')) scopes.add('offline_access');
    this.#credentials.scope = [...scopes].join(' ');
    return scopes.size === 0 ? undefined : this.#credentials.scope;
  }
}

/** Metadata that speaks for another server than it was fetched from could lead a code to a stranger. */
function checkIssuer({ authorizationServerUrl, authorizationServerMetadata }: OAuthServerInfo): void {
  if (authorizationServerMetadata === undefined) return;
  const { issuer } = authorizationServerMetadata as unknown as JsonObject;
  const plain = (value: unknown): string => String(value).replace(/\/$/, '');
  if (!isJsonObject(authorizationServerMetadata as never) || plain(issuer) === plain(authorizationServerUrl))
    return;
  throw new Error(`the metadata of ${String(authorizationServerUrl)} is that of ${JSON.stringify(issuer)}`);
}
