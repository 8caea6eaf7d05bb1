import { createHmac, hash } from 'node:crypto';

/** Who signs. A session token belongs to credentials that expire. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface AwsRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly region: string;
  readonly service: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The headers of a request, signed by AWS Signature Version 4. */
export function signAws(request: AwsRequest, credentials: AwsCredentials): Readonly<Record<string, string>> {
  const url = new URL(request.url);
  const moment = new Date(request.now).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = moment.slice(0, 8);
  const signed: Record<string, string> = { host: url.host, 'x-amz-date': moment };
  for (const [name, value] of Object.entries(request.headers)) signed[name.toLowerCase()] = value;
  if (credentials.sessionToken !== undefined) signed['x-amz-security-token'] = credentials.sessionToken;
  const names = Object.keys(signed).toSorted();
  const canonical = [
    request.method,
    url.pathname.split('/').map(encodeSegment).join('/'),
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${signed[name]!.trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    hash('sha256', request.body),
  ].join('\n');
  const scope = `${day}/${request.region}/${request.service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', moment, scope, hash('sha256', canonical)].join('\n');
  const key = [day, request.region, request.service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  );
  const { host: _host, ...headers } = signed;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${hmac(key, toSign).toString('hex')}`,
  };
}

/** The region in the name of a service's host. */
export function regionOfHost(host: string): string {
  return /^[\w-]+\.([a-z]{2}(?:-[a-z]+)+-\d)\./.exec(host)?.[1] ?? 'us-east-1';
}

/** The path in the URL is encoded once; the signature wants it encoded once more. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, percent);
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${encodeSegment(name)}=${encodeSegment(value)}`)
    .toSorted()
    .join('&');
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
