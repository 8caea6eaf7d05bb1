import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { JsonValue } from '../../../base/json/value.ts';
import { loadCatalog } from '../../../grade/scenario/load/catalog.ts';
import { SqliteStore } from '../../../grade/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../grade/store/store.ts';
import { startServer, type RunningServer, type ServerOptions } from '../server.ts';

export const bundledCatalog = loadCatalog(fileURLToPath(new URL('../../../../scenarios', import.meta.url)));

export const lumbar = { collection_slug: 'case-management', scenario_slug: 'lumbar-strain' } as const;

/** What came back: the status, the headers, and the body as text and as JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests look into answers freely; a wrong guess fails them.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface TestServer extends RunningServer {
  readonly store: Store;
  readonly file: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  send(
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers?: Record<string, string>,
  ): Promise<Answer>;
}

/** A real server on a free port with a real SQLite file; stopped when the tests of the file have ended. */
export async function testServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'whet-server-'));
  const file = join(folder, 'data.db');
  const store = options.store ?? new SqliteStore(file);
  const server = await startServer({ catalog: bundledCatalog, ...options, store });
  after(async () => {
    await server.close();
    if (options.store === undefined) await store[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const send: TestServer['send'] = async (method, path, body, headers = {}) => {
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = body as NonNullable<RequestInit['body']>;
    const response = await fetch(`${server.url}${path}`, init);
    const text = await response.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      // Not every answer is JSON; the text is there too.
    }
    return { status: response.status, headers: response.headers, text, body: parsed };
  };
  return {
    ...server,
    store,
    file,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) =>
      send('POST', path, JSON.stringify(body), { 'content-type': 'application/json', ...headers }),
  };
}

/** One message of the model. */
export function say(content: string, ...calls: readonly { name: string; input: JsonValue }[]) {
  return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
}
