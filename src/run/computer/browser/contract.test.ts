/** The contract of computers over a browser of our own, and over one that runs already at an address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Arrival, computerContract, contractMasks, type ContractSubject } from '../contract.fixture.ts';
import type { Button } from '../computer.ts';
import { ComputerSession } from '../session.ts';
import { openBrowser } from './browser.ts';
import { BrowserAt } from './browser-at.fixture.ts';
import { PageRig, type Received, reporter, servePages } from './page.fixture.ts';

const page = `<!doctype html><title>Contract</title><body style="margin:0">
  <textarea id=text style="position:absolute;left:10px;top:10px;width:100px;height:80px"></textarea>${reporter}`;
const screen = { width: 900, height: 700 };

const buttons: readonly Button[] = ['left', 'middle', 'right', 'back', 'forward'];

async function subjectOf(rig: PageRig, ends: AsyncDisposable): Promise<ContractSubject> {
  await rig.ask("addEventListener('contextmenu', (event) => event.preventDefault())");
  return {
    computer: rig.computer,
    async received(work) {
      await rig.received();
      await work();
      return (await rig.received()).flatMap(arrival);
    },
    async typed(work) {
      await rig.ask("void (text.value = '', text.focus())");
      await work();
      return String(await rig.ask('text.value'));
    },
    [Symbol.asyncDispose]: async () => {
      await rig[Symbol.asyncDispose]();
      await ends[Symbol.asyncDispose]();
    },
  };
}

function arrival(seen: Received): readonly Arrival[] {
  const at = `${seen.x},${seen.y}`;
  const held = seen.held.replace('ctrl', 'Control');
  switch (seen.kind) {
    case 'mousedown':
    case 'mouseup':
      return [
        { kind: seen.kind === 'mousedown' ? 'press' : 'release', button: buttons[seen.button!]!, at, held },
      ];
    case 'mousemove':
      return seen.buttons === 1 ? [{ kind: 'drag', at }] : [];
    case 'wheel':
      if (seen.deltaY !== 0) return [{ kind: 'wheel', way: seen.deltaY! > 0 ? 'down' : 'up' }];
      return [{ kind: 'wheel', way: seen.deltaX! > 0 ? 'right' : 'left' }];
    case 'keydown':
    case 'keyup':
      return [{ kind: seen.kind === 'keydown' ? 'down' : 'up', key: seen.key! }];
    default:
      return [];
  }
}

computerContract('a browser of our own', async () =>
  subjectOf(await PageRig.open({ '/': page }, { screen, masks: contractMasks }), new AsyncDisposableStack()),
);

computerContract('a browser at an address, in a window of its own', async () => {
  const browser = await BrowserAt.start();
  return subjectOf(
    await PageRig.open({ '/': page }, { cdp: browser.address, screen, masks: contractMasks }),
    browser,
  );
});

test('the page that is there is used as it is, and it and its browser are left running', async () => {
  await using browser = await BrowserAt.start();
  const { url, close } = await servePages({ '/': page, '/other': '<title>Other</title>' });
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
  const { url, close } = await servePages({ '/': page });
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
