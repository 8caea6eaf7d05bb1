import { systemClock } from '../../base/host/clock.ts';
import type { Clock } from '../../base/host/clock.ts';
import { readEnvironment, requireEnvironment } from '../../base/host/environment.ts';
import { WhetstoneError } from '../../base/host/errors.ts';
import type { Fetch } from '../../base/host/fetch.ts';
import { checkHeaders } from '../../base/host/headers.ts';
import type { ModelError } from '../../base/message/model.ts';
import type { Adapter, WriteOptions } from '../adapter.ts';
import { type AwsCredentials, regionOfHost, signAws } from './aws-signature.ts';
import { checkModelOptions } from './check-options.ts';
import type { Timeouts } from './http.ts';
import type { RetryOptions } from './retry.ts';

/** How a provider is reached. Everything has a default; a key comes from the environment. */
export interface ModelOptions {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** Sent with every request, over the adapter's own. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeouts?: Timeouts;
  readonly retry?: RetryOptions;
  /** What becomes of a tool that the provider cannot take. */
  readonly unfitTools?: WriteOptions['unfitTools'];
  /** False: this model cannot see, and is sent no images nor words about them. */
  readonly images?: boolean;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  /** Names calls that the provider gives no id. */
  readonly makeId?: () => string;
}

/** Everything that is settled before the first request. The key stays in the closures of `headers` and `redact`. */
export interface Connection {
  readonly adapter: Adapter;
  readonly model: string;
  readonly options: ModelOptions;
  readonly clock: Clock;
  readonly url: (stream: boolean) => string;
  readonly headers: (url: string, body: string) => Readonly<Record<string, string>>;
  /** The error without the key, wherever a server may have repeated it. */
  readonly redact: (error: ModelError) => ModelError;
}

export function connect(adapter: Adapter, model: string, options: ModelOptions): Connection {
  checkModelOptions(options);
  const { access } = adapter;
  const ownUrl = options.baseUrl || readEnvironment(access.baseUrlVariable);
  const baseUrl = (
    ownUrl ??
    (fromEnvironment(access.baseUrl) || requireEnvironment(access.baseUrlVariable, 'baseUrl'))
  ).replace(/\/+$/, '');
  checkAddress(baseUrl, options.baseUrl ? 'The option baseUrl' : access.baseUrlVariable);
  const clock = options.clock ?? systemClock;
  const credentials = access.signing === 'aws' ? awsCredentials() : undefined;
  const isOptional = ownUrl !== undefined || credentials !== undefined;
  const key = options.apiKey ?? keyOf(access.keyVariable, isOptional, access.signing);
  const keySource = options.apiKey === undefined ? (access.keyVariable ?? 'the key') : 'apiKey';
  checkHeaders(
    { ...access.headers(key), ...options.headers },
    `Look at ${keySource} and at the option headers.`,
  );
  return {
    adapter,
    model,
    options,
    clock,
    url: (streamed) => baseUrl + access.path(model, streamed),
    headers: (url, body) => {
      const headers = { ...access.headers(key), ...options.headers };
      if (key !== undefined || credentials === undefined) return headers;
      const region = regionOfHost(new URL(url).host);
      return signAws(
        { method: 'POST', url, headers, body, region, service: 'bedrock', now: clock.now() },
        credentials,
      );
    },
    redact: (error) => (key === undefined || key.length < 4 ? error : without(key, error)),
  };
}

function checkAddress(baseUrl: string, from: string): void {
  if (URL.canParse(baseUrl) && /^https?:/i.test(baseUrl)) return;
  throw new WhetstoneError(
    'base_url_invalid',
    `${from} is "${baseUrl}", which is not an address. Write it in full, as in http://localhost:8000/v1.`,
    { details: { baseUrl } },
  );
}

/** A server of one's own may need no key. */
function keyOf(
  variable: string | undefined,
  optional: boolean,
  signing: 'aws' | undefined,
): string | undefined {
  if (variable === undefined) return undefined;
  const instead = signing === 'aws' ? 'apiKey, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY' : 'apiKey';
  return optional ? readEnvironment(variable) : requireEnvironment(variable, instead);
}

function awsCredentials(): AwsCredentials | undefined {
  const accessKeyId = readEnvironment('AWS_ACCESS_KEY_ID');
  const secretAccessKey = readEnvironment('AWS_SECRET_ACCESS_KEY');
  const sessionToken = readEnvironment('AWS_SESSION_TOKEN');
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

function fromEnvironment(address: string): string {
  return address.replace(
    /\{(\w+):([^}]*)\}/g,
    (_, name: string, fallback: string) => readEnvironment(name) ?? fallback,
  );
}

function without(key: string, error: ModelError): ModelError {
  const text = JSON.stringify(error);
  const written = JSON.stringify(key).slice(1, -1);
  return text.includes(written) ? (JSON.parse(text.replaceAll(written, '[key]')) as ModelError) : error;
}
