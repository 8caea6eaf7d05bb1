import { lookup } from 'node:dns/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { type HostRules, isInternalAddress } from './hosts.ts';

/**
 * Everything that a browser fetches goes through here: pages and their redirects, frames, windows, the requests and
 * sockets of scripts. So nothing connects to what is refused, no matter who asks for it or how.
 */
export class HostProxy implements AsyncDisposable {
  readonly #rules: HostRules;
  readonly #server = createServer();
  readonly #sockets = new Set<Duplex>();
  /** Why the newest request to a host was not answered, by `host:port`. */
  readonly #reasons = new Map<string, string>();

  constructor(rules: HostRules) {
    this.#rules = rules;
    this.#server.on('connection', (socket) => this.#keep(socket));
    this.#server.on('request', (asked, answer) => void this.#forward(asked, answer));
    this.#server.on('connect', (asked, socket: Duplex, head) => void this.#tunnel(asked, socket, head));
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Why nothing came from there, where that is known. */
  reason(url: string): string | undefined {
    const { hostname, port, protocol } = new URL(url);
    return this.#reasons.get(`${bare(hostname)}:${port === '' ? defaultPort(protocol) : port}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }

  /** The address to connect to: looked up here, so that a name cannot mean one thing now and another then. */
  async #place(hostname: string, port: number): Promise<string> {
    const host = bare(hostname);
    const refusal = this.#rules.refusalOf(host, port);
    if (refusal !== undefined) throw new Refused(refusal);
    const found = await lookup(host, { all: true });
    const isNamed = this.#rules.isNamed(host, port);
    const usable = found.filter(({ address }) => isNamed || !isInternalAddress(address));
    const first = usable[0];
    if (first === undefined)
      throw new Refused(
        `${host} is a name of an internal address, and those are opened only if they are named.`,
      );
    return first.address;
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    let key = '';
    try {
      const url = new URL(asked.url ?? '');
      const port = url.port === '' ? 80 : Number(url.port);
      key = `${bare(url.hostname)}:${port}`;
      const host = await this.#place(url.hostname, port);
      this.#reasons.delete(key);
      const headers = asked.rawHeaders.filter((_each, index, all) => {
        const name = all[index - (index % 2)]!.toLowerCase();
        return !name.startsWith('proxy-');
      });
      const onward = request({
        host,
        port,
        method: asked.method ?? 'GET',
        path: `${url.pathname}${url.search}`,
        headers,
        setHost: false,
        agent: false,
      });
      onward.on('socket', (socket) => this.#keep(socket));
      onward.on('response', (given) => {
        answer.writeHead(given.statusCode ?? 502, given.statusMessage, given.rawHeaders);
        given.on('error', () => answer.destroy());
        given.on('aborted', () => answer.destroy());
        given.pipe(answer);
      });
      onward.on('error', (error) => this.#fail(key, error, answer));
      answer.on('close', () => onward.destroy());
      asked.on('error', () => onward.destroy());
      asked.pipe(onward);
    } catch (error) {
      this.#fail(key, error as Error, answer);
    }
  }

  async #tunnel(asked: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { hostname, port } = new URL(`http://${asked.url ?? ''}`);
    const number = port === '' ? 80 : Number(port);
    const key = `${bare(hostname)}:${number}`;
    try {
      const host = await this.#place(hostname, number);
      this.#reasons.delete(key);
      const onward: Socket = connect({ host, port: number });
      this.#keep(onward);
      onward.on('connect', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        if (head.length > 0) onward.write(head);
        onward.pipe(socket);
        socket.pipe(onward);
      });
      onward.on('error', (error) => {
        this.#reasons.set(key, error.message);
        socket.destroy();
      });
      onward.on('close', () => socket.destroy());
      socket.on('close', () => onward.destroy());
    } catch (error) {
      this.#reasons.set(key, (error as Error).message);
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    }
  }

  /** Without an answer the browser shows that nothing came; what was refused it is told in words. */
  #fail(key: string, error: Error, answer: ServerResponse): void {
    this.#reasons.set(key, error.message);
    if (!(error instanceof Refused) || answer.headersSent) {
      answer.destroy();
      return;
    }
    answer.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
    answer.end(error.message);
  }
}

class Refused extends Error {}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' || protocol === 'wss:' ? '443' : '80';
}
