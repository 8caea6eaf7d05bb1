import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Action } from '../../../base/message/action.ts';
import { ComputerSession, type CallOutcome, type SessionOptions } from '../session.ts';
import type { Computer } from '../computer.ts';
import { openBrowser } from './browser.ts';
import type { BrowserAtOptions, OwnBrowserOptions } from './browser-options.ts';

/** A page that keeps what it received in `window.received`, together with what the test wants on it. */
export const reporter = `<script>
  window.received = [];
  const kinds = ['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'mousemove', 'wheel',
    'keydown', 'keyup', 'input', 'dragstart', 'drop'];
  for (const kind of kinds) addEventListener(kind, (event) => received.push({
    kind, trusted: event.isTrusted, button: event.button, detail: event.detail, key: event.key, data: event.data,
    x: event.clientX, y: event.clientY, deltaX: event.deltaX, deltaY: event.deltaY, buttons: event.buttons,
    held: ['ctrl', 'alt', 'shift', 'meta'].filter((name) => event[name + 'Key']).join('+'),
    value: event.target && event.target.value, at: performance.now(),
  }), true);
</script>`;

export interface Received {
  readonly kind: string;
  readonly trusted: boolean;
  readonly button?: number;
  readonly buttons?: number;
  readonly detail?: number;
  readonly key?: string;
  readonly data?: string | null;
  readonly x?: number;
  readonly y?: number;
  readonly deltaX?: number;
  readonly deltaY?: number;
  readonly held: string;
  readonly value?: string;
  readonly at: number;
}

export type RigOptions = SessionOptions & (Partial<OwnBrowserOptions> | BrowserAtOptions);

/** A server of pages, and a session in a browser that shows the first of them. */
export class PageRig implements AsyncDisposable {
  readonly url: string;
  readonly computer: Computer;
  readonly session: ComputerSession;
  readonly #close: () => void;

  private constructor(url: string, computer: Computer, session: ComputerSession, close: () => void) {
    this.url = url;
    this.computer = computer;
    this.session = session;
    this.#close = close;
  }

  static async open(
    pages: Readonly<Record<string, string>> | RequestListener,
    { timeout, ...browser }: RigOptions = {},
  ): Promise<PageRig> {
    const { url, close } = await servePages(pages);
    try {
      const computer = await openBrowser({ url: `${url}/`, ...browser });
      const session = new ComputerSession(computer, {
        javascript: true,
        ...(timeout !== undefined && { timeout }),
      });
      return new PageRig(url, computer, session, close);
    } catch (error) {
      close();
      throw error;
    }
  }

  do(...actions: readonly Action[]): Promise<CallOutcome> {
    return this.session.perform({ actions, display: this.computer.screen });
  }

  /** What a script in the page answers. */
  async ask(script: string): Promise<unknown> {
    const { texts, failure } = await this.do({ type: 'run_script', script });
    if (failure !== undefined) throw new Error(failure.message);
    return texts[0] === 'undefined' ? undefined : JSON.parse(texts[0] ?? 'null');
  }

  /** What the page received since it was last asked, of some kinds. */
  async received(...kinds: readonly string[]): Promise<readonly Received[]> {
    const all = (await this.ask('received.splice(0)')) as readonly Received[];
    return kinds.length === 0 ? all : all.filter(({ kind }) => kinds.includes(kind));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.computer[Symbol.asyncDispose]();
    this.#close();
  }
}

/** Serves pages by their paths on a port of this machine. */
export async function servePages(
  pages: Readonly<Record<string, string>> | RequestListener,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const listener: RequestListener =
    typeof pages === 'function'
      ? pages
      : (asked, answer) => {
          const page = pages[new URL(asked.url ?? '/', 'http://host').pathname];
          answer.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
          answer.end(page);
        };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
