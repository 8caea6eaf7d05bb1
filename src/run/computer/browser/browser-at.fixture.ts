import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sleep } from '../../../base/host/clock.ts';
import { platformFetch } from '../../../base/host/fetch.ts';
import { Child } from '../desktop/child.ts';
import { findChromium } from './find-chromium.ts';

/** A real Chromium with its DevTools protocol at a port, as a person or a cloud would have started it. */
export class BrowserAt implements AsyncDisposable {
  readonly port: number;
  readonly #child: Child;
  readonly #folder: string;

  private constructor(port: number, child: Child, folder: string) {
    this.port = port;
    this.#child = child;
    this.#folder = folder;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  static async start({ port = 0 }: { readonly port?: number } = {}): Promise<BrowserAt> {
    const folder = await mkdtemp(join(tmpdir(), 'whet-cdp-'));
    const child = await Child.start(await findChromium(undefined), [
      '--headless=new',
      '--no-sandbox',
      '--no-first-run',
      '--no-zygote',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      `--remote-debugging-port=${port}`,
      `--user-data-dir=${folder}`,
      'about:blank',
    ]);
    for (let tries = 0; tries < 400 && !child.hasEnded; tries++) {
      const told = await readFile(join(folder, 'DevToolsActivePort'), 'utf8').catch(() => '');
      const found = Number(told.split('\n')[0]);
      if (told.includes('\n') && found > 0) return new BrowserAt(found, child, folder);
      await sleep(50);
    }
    await child[Symbol.asyncDispose]();
    throw new Error('Chromium did not open its port.');
  }

  /** The addresses of its pages. */
  async pages(): Promise<readonly string[]> {
    return (await this.#list()).map(({ url }) => url);
  }

  /** Shows this address in the only page. */
  async open(url: string): Promise<void> {
    const old = await this.#list();
    await this.#ask(`new?${encodeURIComponent(url)}`, 'PUT');
    for (const { id } of old) await this.#ask(`close/${id}`);
    for (let tries = 0; tries < 200 && (await this.pages()).join(' ') !== url; tries++) await sleep(20);
  }

  async #list(): Promise<readonly { readonly id: string; readonly url: string }[]> {
    const all = (await (await this.#ask('list')).json()) as readonly Target[];
    return all.filter(({ type }) => type === 'page');
  }

  #ask(what: string, method = 'GET'): Promise<Response> {
    return platformFetch(`${this.address}/json/${what}`, { method });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Target {
  readonly id: string;
  readonly type: string;
  readonly url: string;
}
