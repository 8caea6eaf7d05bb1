import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { run } from 'whetstone';
import { ComputerSession, computerTool, openBrowser, readRecord, Recorder, Replay } from 'whetstone/computer';
import { mock } from 'whetstone/mock';
import { anthropic } from 'whetstone/wire';

// A form to fill in; any page stands in its place.
const form = `<title>Form</title><form style="margin:0" onsubmit="document.title = 'Sent for ' + who.value; return false">
  <input name=who id=who style="width:300px"><button>Send</button></form>`;
const site = createServer((_asked, answer) => answer.setHeader('content-type', 'text/html').end(form));
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;

// Anthropic's API, from a script and over real HTTP, so that this needs no key.
const act = (input: Record<string, string | number[]>) => ({
  calls: [{ name: 'computer', arguments: input }],
});
await using provider = await mock([
  act({ action: 'left_click', coordinate: [100, 10] }),
  act({ action: 'type', text: 'Ada\n' }),
  act({ action: 'screenshot' }),
  'The form is sent.',
]);
const model = anthropic('claude-test', { baseUrl: provider.url });

const folder = mkdtempSync('/tmp/whet-example-');
await using browser = await openBrowser({ url });
const recorder = await Recorder.open(new ComputerSession(browser), folder);
const entry = { type: 'computer_20251124', name: 'computer', display_width_px: 1280, display_height_px: 800 };
const screen = computerTool(browser, { api: 'anthropic', entry, performer: recorder });
const { text } = await run({ model, tools: [screen], prompt: 'Send the form for Ada.' });
console.log(text, await browser.tabs?.list(new AbortController().signal));

// The record answers the same actions without a browser.
const replay = new Replay(await readRecord(folder));
const again = await replay.perform({
  actions: [{ type: 'left_mouse_click', xy: [104, 12] }],
  display: replay.display,
});
console.log('replayed:', again.failure === undefined);
rmSync(folder, { recursive: true });
site.close();
