import { randomId } from '../../../base/host/random.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { OAuthClientProvider, OAuthServerInfo } from '../sdk.ts';
import type { McpAuthorization } from './setting.ts';

type Client = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>;
type Tokens = NonNullable<Awaited<ReturnType<OAuthClientProvider['tokens']>>>;

/** What is asked of the SDK, and the code that the browser brought back. */
export interface Flow {
  readonly provider: OAuthClientProvider;
  answer(): Promise<string>;
}

/** This program's registration with a server, and its tokens, as the SDK wants to read and write them. */
export class Credentials {
  readonly #setting: McpAuthorization;
  #client: Client | undefined;
  #tokens: Tokens | undefined;
  #loaded: Promise<void> | undefined;
  /** What was asked for last. */
  scope = '';

  constructor(setting: McpAuthorization) {
    this.#setting = setting;
    const { clientId, clientSecret } = setting;
    if (clientId !== undefined)
      this.#client = {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
      };
  }

  async tokens(): Promise<Tokens | undefined> {
    this.#loaded ??= this.#load();
    await this.#loaded;
    return this.#tokens;
  }

  /** For one authorization. With `more`, a token that is refreshed would be good for no more than before. */
  async provider(found: OAuthServerInfo, more: boolean): Promise<Flow> {
    await this.tokens();
    const { open, redirectUrl = 'http://127.0.0.1/callback', clientMetadataUrl, scope } = this.#setting;
    const state = randomId('state');
    let verifier = '';
    let page: URL | undefined;
    const provider: OAuthClientProvider = {
      redirectUrl: open === undefined ? undefined : redirectUrl,
      ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
      clientMetadata: {
        client_name: 'Whetstone',
        redirect_uris: open === undefined ? [] : [redirectUrl],
        grant_types: open === undefined ? ['client_credentials'] : ['authorization_code', 'refresh_token'],
        response_types: open === undefined ? [] : ['code'],
        // A program on somebody's own machine, as against one that serves many.
        ...({ application_type: 'native' } as object),
        ...(scope !== undefined && { scope }),
      },
      state: () => state,
      clientInformation: () => this.#client,
      saveClientInformation: (client) => this.#save({ client }),
      tokens: () =>
        more && this.#tokens !== undefined ? { ...this.#tokens, refresh_token: undefined } : this.#tokens,
      saveTokens: (tokens) => this.#save({ tokens }),
      redirectToAuthorization: (to) => void (page = to),
      saveCodeVerifier: (made) => void (verifier = made),
      codeVerifier: () => verifier,
      invalidateCredentials: (what) => this.#forget(what),
      discoveryState: () => ({ ...found, authorizationServerUrl: String(found.authorizationServerUrl) }),
      ...(open === undefined && {
        prepareTokenRequest: (asked?: string) =>
          new URLSearchParams({
            grant_type: 'client_credentials',
            ...(asked !== undefined && { scope: asked }),
          }),
      }),
    };
    const answer = async (): Promise<string> => {
      if (page === undefined || open === undefined) throw new Error('there is nobody to ask');
      return readCode(await open(page), state, found);
    };
    return { provider, answer };
  }

  async #load(): Promise<void> {
    const kept = await this.#setting.store?.load();
    const { client, tokens } = kept ?? {};
    // Our own words, as they were saved.
    if (isJsonObject(client) && this.#client === undefined) this.#client = client as unknown as Client;
    if (isJsonObject(tokens)) this.#tokens = tokens as unknown as Tokens;
  }

  async #save({
    client = this.#client,
    tokens = this.#tokens,
  }: {
    client?: Client;
    tokens?: Tokens;
  }): Promise<void> {
    this.#client = client;
    this.#tokens = tokens;
    const kept = { ...(client !== undefined && { client }), ...(tokens !== undefined && { tokens }) };
    await this.#setting.store?.save(JSON.parse(JSON.stringify(kept)) as JsonObject);
  }

  #forget(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (what === 'all' || what === 'tokens') this.#tokens = undefined;
    if ((what === 'all' || what === 'client') && this.#setting.clientId === undefined)
      this.#client = undefined;
  }
}

/** The code in the address that the browser was sent to, if it comes from whom it was asked of. */
function readCode(
  address: string | URL,
  state: string,
  { authorizationServerMetadata }: OAuthServerInfo,
): string {
  const { searchParams } = new URL(address);
  const said = searchParams.get('error');
  const issuer = searchParams.get('iss');
  const metadata = (authorizationServerMetadata ?? {}) as Readonly<Record<string, unknown>>;
  if (searchParams.get('state') !== state)
    throw new Error('the browser came back with the `state` of another request');
  const promised = metadata['authorization_response_iss_parameter_supported'] === true;
  if (issuer === null ? promised : issuer !== metadata['issuer'])
    throw new Error(
      `the browser came back from ${issuer ?? 'nobody'}, not from ${String(metadata['issuer'])}`,
    );
  if (said !== null) throw new Error(`it was refused: ${searchParams.get('error_description') ?? said}`);
  const code = searchParams.get('code');
  if (code === null) throw new Error('the browser came back without a code');
  return code;
}
