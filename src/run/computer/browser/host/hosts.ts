import { BlockList, isIP } from 'node:net';

import { WhetstoneError } from '../../../../base/host/errors.ts';

/** Which hosts a browser may reach. */
export class HostRules {
  readonly #start: URL;
  readonly #named: readonly Place[] | undefined;

  /** `allow` absent: every public host, and the host and port of the first page. */
  constructor(url: string, allow: readonly string[] | undefined) {
    this.#start = new URL(url);
    this.#named = allow?.map(readPlace);
  }

  /** Why an address may not be opened; undefined where it may, as far as the address alone says. */
  refusal(address: string): string | undefined {
    const url = new URL(address);
    if (url.href === 'about:blank' || url.href === this.#start.href) return undefined;
    if (url.protocol === 'data:' && this.#named === undefined) return undefined;
    if (this.#named?.some(({ host }) => host === url.protocol)) return undefined;
    if (!/^(https?|wss?):$/.test(url.protocol))
      return `Addresses that begin with ${url.protocol} are not opened unless they are named.`;
    return this.refusalOf(url.hostname, portOf(url));
  }

  refusalOf(hostname: string, port: number): string | undefined {
    const host = normalHost(hostname);
    if (this.isNamed(host, port)) return undefined;
    if (this.#named !== undefined)
      return `${host}:${port} is not among the hosts that are allowed: ${this.#list()}.`;
    return isInternalHost(host)
      ? `${host}:${port} is an internal address, and those are opened only if they are named.`
      : undefined;
  }

  /** Named by the user: then it may be internal. */
  isNamed(hostname: string, port: number): boolean {
    const host = normalHost(hostname);
    const places = [
      ...(this.#named ?? []),
      { host: normalHost(this.#start.hostname), port: portOf(this.#start) },
    ];
    return places.some((place) => place.host !== '' && place.host === host && (place.port ?? port) === port);
  }

  #list(): string {
    const named = (this.#named ?? []).map(({ host, port }) =>
      port === undefined ? host : `${host}:${port}`,
    );
    return [this.#start.host, ...named].filter((each) => each !== '').join(', ');
  }
}

interface Place {
  readonly host: string;
  readonly port: number | undefined;
}

/** `HOST`, `HOST:PORT`, `[::1]:PORT`, or a scheme such as `file:`. Throws where it is none. */
function readPlace(text: string): Place {
  if (/^[a-z-]+:$/.test(text)) return { host: text, port: undefined };
  const port = /:(\d+)$/.exec(text)?.[1];
  const isBare = isIP(text) === 6;
  const address = `http://${isBare ? `[${text}]` : text}`;
  if (!/^[\w.[\]:-]+$/.test(text) || !URL.canParse(address))
    throw new WhetstoneError(
      'computer_option_invalid',
      `"${text}" is not a host to allow. Write HOST or HOST:PORT, such as example.com or 127.0.0.1:8080.`,
    );
  const url = new URL(address);
  return { host: normalHost(url.hostname), port: isBare || port === undefined ? undefined : Number(port) };
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' || url.protocol === 'wss:' ? 443 : 80;
}

/** As a URL writes it, so that all notations of an address are one. */
function normalHost(hostname: string): string {
  try {
    const bare = hostname.replace(/^\[|\]$/g, '');
    const url = new URL(`http://${isIP(bare) === 6 ? `[${bare}]` : hostname}`);
    return url.hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '');
  } catch {
    return hostname.toLowerCase();
  }
}

const internalNames =
  /^(?:localhost|[^.]+)$|\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;

/** An internal address, or a name that only means something in one's own network. */
function isInternalHost(host: string): boolean {
  return isIP(host) === 0 ? internalNames.test(host) : isInternalAddress(host);
}

const internal = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  internal.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  internal.addSubnet(net, bits, 'ipv6');

/** Loopback, private, link-local and the like, also as IPv4 inside IPv6. */
export function isInternalAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return internal.check(address, 'ipv4');
  return internal.check(address, 'ipv6');
}
