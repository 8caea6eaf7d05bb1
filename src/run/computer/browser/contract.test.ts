/** The contract of computers over a browser of our own, and over one that runs already at an address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { computerContract, contractMasks } from '../contract.fixture.ts';
import { ComputerSession } from '../session.ts';
import { openBrowser } from './browser.ts';
import { BrowserAt } from './browser-at.fixture.ts';
import { servePages } from './page.fixture.ts';
import { pageSubject, subjectPage } from './page-subject.fixture.ts';

const screen = { width: 900, height: 700 };

computerContract('a browser of our own', async () => pageSubject({ screen, masks: contractMasks }));

computerContract('a browser at an address, in a window of its own', async () => {
  const browser = await BrowserAt.start();
  return pageSubject({ cdp: browser.address, screen, masks: contractMasks }, browser);
});

test('the page that is there is used as it is, and it and its browser are left running', async () => {
  await using browser = await BrowserAt.start();
  const { url, close } = await servePages({ '/': subjectPage, '/other': '<title>Other</title>' });
  using _ends = { [Symbol.dispose]: close };
  await browser.open(`${url}/`);
  {
    await using computer = await openBrowser({ cdp: browser.address, screen });
    assert.equal(computer.address(), `${url}/`);
    const session = new ComputerSession(computer, { javascript: true, timeout: 5 });
    const perform = (action: Parameters<typeof session.perform>[0]['actions'][number]) =>
      session.perform({ actions: [action], display: screen });
    assert.equal((await perform({ type: 'left_mouse_click', xy: [50, 50] })).failure, undefined);
    assert.equal((await perform({ type: 'type', text: 'from outside' })).failure, undefined);
    assert.deepEqual((await perform({ type: 'run_script', script: 'text.value' })).texts, ['"from outside"']);
    const refused = await perform({ type: 'navigate', url: 'http://127.0.0.1:9/' });
    assert.equal(refused.failure?.code, 'host_refused');
    // What is not named is not reached by a script of the page either: `localhost` is another name.
    const { port } = new URL(url);
    const fetched = async (host: string): Promise<string | undefined> => {
      const asked = `fetch('http://${host}:${port}/other', { mode: 'no-cors' })`;
      const script = `await ${asked}.then(() => 'came', () => 'refused')`;
      return (await perform({ type: 'run_script', script })).texts[0];
    };
    assert.equal(await fetched('127.0.0.1'), '"came"');
    assert.equal(await fetched('localhost'), '"refused"');
  }
  assert.deepEqual(await browser.pages(), [`${url}/`]);
});

test('a browser at an address that has gone fails calls, and is found again where it has come back', async () => {
  const { url, close } = await servePages({ '/': subjectPage });
  using _ends = { [Symbol.dispose]: close };
  const first = await BrowserAt.start();
  const computer = await openBrowser({ cdp: first.address, url, screen });
  await using _computer = computer;
  const session = new ComputerSession(computer, { timeout: 10 });
  const move = () => session.perform({ actions: [{ type: 'move', xy: [5, 5] }], display: screen });
  assert.equal((await move()).failure, undefined);
  await first[Symbol.asyncDispose]();
  assert.equal((await move()).failure?.code, 'computer_lost');
  assert.equal((await move()).failure?.code, 'computer_missing');
  await using _second = await BrowserAt.start({ port: first.port });
  const again = await move();
  assert.equal(again.failure, undefined);
  assert.deepEqual(again.events, [{ type: 'restarted' }]);
});

test('an address where no browser is, or that is none, is told without the key that it holds', async () => {
  for (const [cdp, code] of [
    ['http://127.0.0.1:9/?token=secret', 'computer_missing'],
    ['secret', 'computer_option_invalid'],
  ] as const)
    await assert.rejects(openBrowser({ cdp }), (error: Error & { code?: string }) => {
      assert.equal(error.code, code);
      assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /secret/);
      return true;
    });
});
