import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

import type { PageWorld } from '../../scenario/task.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

/** Serves the pages of one world at a time, on a port of this machine. */
export class PageServer implements Disposable {
  readonly #server: Server;
  #page: PageWorld | undefined;

  private constructor() {
    this.#server = createServer((asked, answer) => {
      void this.#read(new URL(asked.url ?? '/', 'http://page').pathname).then(({ status, headers, body }) => {
        answer.writeHead(status, { 'cache-control': 'no-store', ...headers });
        answer.end(body);
      });
    });
  }

  static async listen(): Promise<PageServer> {
    const server = new PageServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Shows these pages from now on. Whoever opens `/begin` finds nothing that was kept before. */
  show(page: PageWorld): void {
    this.#page = page;
  }

  async #read(path: string): Promise<Answer> {
    const page = this.#page;
    if (page === undefined) return missing;
    if (path === '/begin')
      return { status: 302, headers: { location: '/', 'clear-site-data': '"cookies", "storage"' } };
    if (path === '/given.js')
      return { status: 200, headers: { 'content-type': types['.js']! }, body: givenScript(page) };
    // It begins with a slash, so nothing upwards is left of it.
    const name = normalize(decoded(path));
    const type = types[extname(name) || '.html'];
    if (type === undefined) return missing;
    try {
      const body = await readFile(join(page.folder, name.endsWith('/') ? `${name}index.html` : name));
      return { status: 200, headers: { 'content-type': type }, body };
    } catch {
      return missing;
    }
  }

  [Symbol.dispose](): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const missing: Answer = {
  status: 404,
  headers: { 'content-type': types['.html']! },
  body: '<!doctype html><title>Not found</title><p>There is no such page.',
};

/** A text of the world could end the script that it is in. */
function givenScript({ given }: PageWorld): string {
  return `globalThis.given = ${JSON.stringify(given).replaceAll('<', '\\u003c')};`;
}

function decoded(path: string): string {
  try {
    return `/${decodeURIComponent(path)}`;
  } catch {
    return '/';
  }
}
