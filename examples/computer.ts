import { createServer } from 'node:http';
import { mkdtempDisposable } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { run } from 'whetstone';
import { ComputerSession, computerTool, openBrowser, readRecord, Recorder, Replay } from 'whetstone/computer';
import { mock } from 'whetstone/mock';
import { anthropic } from 'whetstone/wire';

// A form to fill in, in place of any page.
const form = `<form style="margin:0" onsubmit="document.title = 'Sent for ' + who.value; return false">
  <input name=who id=who style="width:300px"><button>Send</button></form>`;
const site = createServer((_asked, answer) => answer.setHeader('content-type', 'text/html').end(form));
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;

// Anthropic's API, from a script and over real HTTP, so that this needs no key.
const act = (input: object) => ({ calls: [{ name: 'computer', arguments: { ...input } }] });
await using provider = await mock([
  act({ action: 'left_click', coordinate: [100, 10] }),
  act({ action: 'type', text: 'Ada\n' }),
  act({ action: 'screenshot' }),
  'The form is sent.',
]);
const model = anthropic('claude-sonnet-4-6', { baseUrl: provider.url });
await using folder = await mkdtempDisposable('/tmp/whet-');
await using browser = await openBrowser({ url });
const recorder = await Recorder.open(new ComputerSession(browser), folder.path);
const tools = [computerTool(browser, { performer: recorder })];
const { text } = await run({ model, tools, prompt: 'Send the form for Ada.' });
console.log(text, await browser.tabs?.list(new AbortController().signal));

// The record answers the same actions without a browser.
const replay = new Replay(await readRecord(folder.path));
const click = { type: 'left_mouse_click', xy: [104, 12] } as const;
const { failure } = await replay.perform({ actions: [click], display: replay.display });
console.log('replayed:', failure === undefined);
site.close();
