import { sha256 } from '../base/json/sha256.ts';

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
    sha256(request.body),
  ].join('\n');
  const scope = `${day}/${request.region}/${request.service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n');
  const start = new TextEncoder().encode(`AWS4${credentials.secretAccessKey}`);
  const key = [day, request.region, request.service, 'aws4_request'].reduce(hmac, start);
  const { host: _host, ...headers } = signed;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${hex(hmac(key, toSign))}`,
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

const blockLength = 64;

/** HMAC-SHA-256, as bytes. */
function hmac(key: Uint8Array, text: string): Uint8Array {
  const block = new Uint8Array(blockLength);
  block.set(key.length > blockLength ? bytes(sha256(key)) : key);
  const message = new TextEncoder().encode(text);
  const inner = sha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return bytes(
    sha256(
      joined(
        block.map((byte) => byte ^ 0x5c),
        bytes(inner),
      ),
    ),
  );
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

function bytes(hexadecimal: string): Uint8Array {
  return Uint8Array.from(hexadecimal.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function hex(value: Uint8Array): string {
  return Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
