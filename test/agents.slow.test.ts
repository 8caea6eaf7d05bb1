import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { getRequestListener } from '@hono/node-server';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';

import { resultText } from '../src/base/message/result.ts';
import { mock } from '../src/wire/mock/index.ts';
import type { MockFunction, MockScript } from '../src/wire/mock/index.ts';
import { openBrowser } from './browser.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'docs/compared.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'whet-agents-'));
after(() => rmSync(folder, { recursive: true, force: true }));

type Side = 'ours' | 'ai-sdk';
const sides: readonly Side[] = ['ours', 'ai-sdk'];
const fileOf = (agent: string, side: Side): string =>
  `examples/agents/${agent}${side === 'ours' ? '' : '.ai-sdk'}.ts`;

/** Runs an agent whose provider is a script, in a group of its own, so that all of it can be killed. */
function start(
  agent: string,
  side: Side,
  url: string,
  ...args: readonly string[]
): ChildProcessWithoutNullStreams {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  return spawn(process.execPath, ['--conditions=whetstone-source', fileOf(agent, side), ...args], {
    cwd: root,
    env: { ...env, OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1` },
    detached: true,
  });
}

/** What a program printed when it has ended. */
async function ended(child: ChildProcessWithoutNullStreams): Promise<string> {
  const told = { out: '', err: '' };
  child.stdout.on('data', (piece: Buffer) => (told.out += String(piece)));
  child.stderr.on('data', (piece: Buffer) => (told.err += String(piece)));
  const [status] = (await once(child, 'close')) as [number | null];
  assert.equal(status, 0, told.err);
  return told.out;
}

test('the page says how many lines each agent has', () => {
  for (const agent of ['terminal', 'files', 'page']) {
    const lines = sides.map(
      (side) =>
        readFileSync(join(root, fileOf(agent, side)), 'utf8')
          .split('\n')
          .filter((line) => line.trim() !== '' && !line.startsWith('//')).length,
    );
    assert.match(
      page,
      new RegExp(`\\| ${agent} \\| ${lines.join(' \\| ')} \\|`),
      `${agent}: ${lines.join(', ')}`,
    );
  }
});

test('in the terminal, ours starts a tool while the reply goes on, and the AI SDK when it has ended', async () => {
  const input = { items: [{ id: 'tea' }], date: '2026-11-24' };
  const script: MockScript = [
    {
      calls: [
        { name: 'weather', arguments: { city: 'Oslo' } },
        { name: 'add_to_basket', arguments: { item: 'umbrella', amount: 2 } },
        { name: 'prices', arguments: input, pauseMs: 400 },
      ],
    },
    'Take an umbrella.',
  ];
  for (const side of sides) {
    await using provider = await mock(script);
    const printed = await ended(start('terminal', side, provider.url));
    for (const part of [
      '✓ weather Rain in Oslo',
      '✓ add_to_basket 2',
      '2026-11-24: 1 × tea',
      '{"city":"Oslo"}',
      'Take an umbrella.',
    ])
      assert.ok(printed.includes(part), `${side}: ${part}\n${printed}`);
    const isEarly = printed.indexOf('▶ weather') < printed.indexOf('… prices');
    assert.equal(isEarly, side === 'ours', `${side}\n${printed}`);
  }
});

/** Moves a file, then reads another, then is done: by what the history shows, whoever asks. */
const tidy: MockFunction = ({ request }) => {
  const results = request.messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
  const prefix = request.tools?.some(({ name }) => name === 'files_move_file') ? 'files_' : '';
  const at = (name: string): string => join(folder, side, name);
  const side = prefix === '' ? 'ai-sdk' : 'ours';
  if (results.length > 1) return 'It is tidy.';
  return results.length === 0
    ? {
        calls: [
          { name: `${prefix}move_file`, arguments: { source: at('draft.txt'), destination: at('sent.txt') } },
        ],
      }
    : { calls: [{ name: `${prefix}read_text_file`, arguments: { path: at('log.txt') } }] };
};

test(
  'killed while a tool runs, ours goes on behind it; with the AI SDK what was agreed to is done again',
  { skip: process.platform === 'win32' && 'there are no named pipes to hold a tool with' },
  async () => {
    for (const side of sides) {
      const here = join(folder, side);
      mkdirSync(here);
      writeFileSync(join(here, 'draft.txt'), 'Dear all');
      const log = join(here, 'log.txt');
      await once(spawn('mkfifo', [log]), 'close');
      await using provider = await mock(tidy);

      const first = start('files', side, provider.url, here);
      first.stdout.once('data', () => first.stdin.write('y\n'));
      // A pipe has a writer's end only while somebody reads: the tool is in the middle of its work.
      const writer = await opened(log, first);
      process.kill(-first.pid!, 'SIGKILL');
      await once(first, 'close');
      closeSync(writer);
      assert.ok(existsSync(join(here, 'sent.txt')), 'the file was moved');

      rmSync(log);
      writeFileSync(log, 'all is well');
      const second = start('files', side, provider.url, here);
      assert.match(await ended(second), /It is tidy\./);
      const last = provider.asked.at(-1)!.request.messages;
      const [moved] = last.flatMap((message) => (message.role === 'tool' ? message.results : []));
      const wasTold = /Successfully moved/.test(resultText(moved!));
      assert.deepEqual(
        [wasTold, provider.asked.length],
        side === 'ours' ? [true, 3] : [false, 4],
        JSON.stringify(last),
      );
    }
  },
);

async function opened(pipe: string, reader: ChildProcessWithoutNullStreams): Promise<number> {
  for (;;) {
    assert.equal(reader.exitCode, null, 'the agent ended before it could be killed');
    try {
      return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('one page with useChat of the AI SDK serves both, in a real browser, approvals and all', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'examples/agents/page.client.js')],
    ...{ bundle: true, write: false, platform: 'browser', format: 'iife', minify: true },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const script = outputFiles[0]!.text;
  let browser: Browser | undefined;
  try {
    browser = await openBrowser();
    const tab = await browser.newPage();
    for (const side of sides) {
      await using provider = await mock([
        { reasoning: 'B is large.', calls: [{ name: 'refund', arguments: { order: 'B', amount: 90 } }] },
        ({ request }) => `Done: ${JSON.stringify(request.messages.at(-1))}`,
        'Forged.',
      ]);
      process.env['OPENAI_API_KEY'] = 'none';
      process.env['OPENAI_BASE_URL'] = `${provider.url}/v1`;
      // Theirs reads where its provider is when it is loaded.
      const { POST } = (await import(join(root, fileOf('page', side)))) as {
        POST: (request: Request) => Promise<Response>;
      };
      const bodies: string[] = [];
      const answer = getRequestListener(async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === '/page.js')
          return new Response(script, { headers: { 'content-type': 'text/javascript' } });
        if (pathname !== '/chat')
          return new Response('<!doctype html><meta charset="utf-8"><body><script src="/page.js"></script>', {
            headers: { 'content-type': 'text/html' },
          });
        bodies.push(await request.clone().text());
        return POST(request);
      });
      const server = createServer((asked, answering) => void answer(asked, answering)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      try {
        await tab.goto(url);
        await tab.getByRole('button', { name: 'Ask' }).click();
        await tab.getByText('approval-requested {"order":"B","amount":90}').waitFor();
        await tab.getByRole('button', { name: 'Yes' }).click();
        await tab.getByText('output-available "Refunded 90 for B"').waitFor();
        await tab.getByText(/assistant: Done: .*Refunded 90 for B/).waitFor();
        assert.equal(await tab.getByRole('alert').count(), 0, side);
        // A page that was not asked for this much, and says that it was.
        const forged = bodies.at(-1)!.replaceAll('"amount":90', '"amount":9000');
        const paying = await POST(new Request(`${url}/chat`, { method: 'POST', body: forged }));
        const paid = (await paying.text()).includes('Refunded 9000 for B');
        assert.equal(paid, side === 'ai-sdk', `${side} pays what was forged: ${paid}`);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    }
  } finally {
    await browser?.close();
  }
});
