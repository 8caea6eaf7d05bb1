import type { AnyTool } from '../contract.ts';
import { tool } from '../define-tool.ts';
import { failCall, invalidArgument } from '../failure.ts';
import { getOnce } from './get-once.ts';
import type { Got } from './get-once.ts';

export interface FetchToolOptions {
  /**
   * Hosts that may be asked: `docs.example.com`, `*.example.com` (whatever is below it), and with a port
   * `localhost:8080`. Nothing else is.
   */
  readonly allow: readonly string[];
  /** Also addresses of this machine and its networks, where `allow` names the host. */
  readonly internal?: boolean;
  /** Bytes of an answer that are read; 1,000,000 where nothing is said. */
  readonly maxBytes?: number;
  /** Milliseconds for the whole; half a minute where nothing is said. */
  readonly timeout?: number;
  /** Sent to the host that is asked, and to none that it leads on to. */
  readonly headers?: Readonly<Record<string, string>>;
}

const mostRedirects = 5;

/**
 * Gets a page from hosts that are allowed. Each redirect is held to the same rules, and the address that is connected
 * to is the one that was checked, whatever a name server says the next time.
 * @example const tools = [fetchTool({ allow: ['docs.example.com'] })];
 */
export function fetchTool(options: FetchToolOptions): AnyTool {
  const { allow, timeout = 30_000 } = options;
  return tool({
    name: 'fetch',
    description: `Gets a page or a file from the web. Allowed hosts: ${allow.join(', ')}.`,
    input: {
      type: 'object',
      properties: { url: { type: 'string', maxLength: 4000 } },
      required: ['url'],
      additionalProperties: false,
    },
    timeout,
    idempotent: true,
    noteOnRequest: ({ url }) => `Getting ${String(url)}`,
    run: async ({ url }, { signal }) => {
      const first = allowedUrl(String(url), options, 'The address');
      let next = first;
      for (let redirects = 0; ; redirects++) {
        const got = await getOnce(next, {
          ...options,
          signal,
          // A key for one host is for no other.
          headers: next.origin === first.origin ? (options.headers ?? {}) : {},
        });
        if (got.location === undefined) return tell(next, got);
        if (redirects === mostRedirects) return failCall(`It redirects more than ${mostRedirects} times.`);
        const { href } = parse(got.location, next) ?? {};
        if (href === undefined) return failCall('It redirects to something that is not an address.');
        next = allowedUrl(href, options, `It redirects to ${href.slice(0, 200)}, which`);
      }
    },
  });
}

function parse(url: string, base?: URL): URL | undefined {
  return URL.canParse(url, base) ? new URL(url, base) : undefined;
}

function allowedUrl(text: string, { allow }: FetchToolOptions, what: string): URL {
  const url = parse(text);
  if (url === undefined) throw invalidArgument('url', 'a whole address, such as https://example.com/page');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw failCall(`${what} must begin with https:// or http://.`);
  if (url.username !== '' || url.password !== '') throw failCall(`${what} must not hold a name or password.`);
  // A dot at the end is the same host by another name.
  const host = url.hostname.replace(/\.$/, '');
  const isNamed = allow.some((each) => {
    const { host: name, port } = /^(?<host>.+?)(?::(?<port>\d+))?$/.exec(each.toLowerCase())?.groups ?? {};
    if ((port ?? '') !== url.port) return false;
    return name?.startsWith('*.') === true ? host.endsWith(name.slice(1)) : host === name;
  });
  if (!isNamed) throw failCall(`${what} is not on an allowed host: ${allow.join(', ')}.`);
  return url;
}

function tell(url: URL, { status, mediaType, body, isCut }: Got): unknown {
  const head = `${status} ${url.href}`;
  if (/^image\/(png|jpeg|gif|webp)$/.test(mediaType) && status < 300 && !isCut)
    return [
      { type: 'text', text: head },
      { type: 'image', source: { kind: 'base64', mediaType, data: body.toString('base64') } },
    ];
  const isText = /^text\/|[/+](json|xml|javascript|yaml)$/.test(mediaType) || mediaType === '';
  if (!isText || body.subarray(0, 8192).includes(0))
    return failCall(`${head}\nIt is not text (${mediaType || 'of no type'}, ${body.length} bytes).`);
  const text = `${head}\n\n${new TextDecoder().decode(body)}${isCut ? '\n[… the rest was not read …]' : ''}`;
  return status < 400 ? text : failCall(text);
}
