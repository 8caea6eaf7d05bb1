/** What the command line of `whet computer` takes, and how a wrong one is told, before anything is started. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { main } from '../main.ts';
import { readMask } from './options.ts';

const shot = '{"type":"tool_use","id":"a","name":"computer","input":{"action":"screenshot"}}';
const browser = ['--url', 'http://127.0.0.1:9/'];

const wrong: readonly (readonly [argv: readonly string[], told: RegExp])[] = [
  [['perform', shot, ...browser], /required option '--api <api>' not specified/],
  [['perform', shot, ...browser, '--api', 'foo'], /There is no API "foo"\. Known: anthropic/],
  [
    ['perform', shot, ...browser, '--api', 'cohere'],
    /have no tool for a computer\. Those that have: anthropic/,
  ],
  [
    ['perform', shot, ...browser, '--tool', 'computer'],
    /"computer" is not a computer tool of anthropic\. Known: computer_20241022/,
  ],
  [['perform', shot], /either --url ADDRESS .* or --desktop for a display/],
  [['perform', shot, ...browser, '--desktop'], /either --url ADDRESS .* or --desktop for a display/],
  [['perform', ...browser], /There is no call: give it as an argument, or with --jsonl/],
  [['perform', shot, ...browser, '--jsonl'], /With --jsonl the calls come on standard input/],
  [['perform', shot, shot, ...browser], /too many arguments/],
  [['perform', shot, ...browser, '--bogus'], /unknown option '--bogus'/],
  [['perform', shot, ...browser, '--run', 'xterm'], /--run starts a program in a display/],
  [['perform', shot, ...browser, '--out', 'here'], /unknown option '--out'/],
  ...['--scale=2', '--allow=a.b', '--dialogs=accept', '--javascript', '--downloads=here'].map(
    (option) =>
      [['perform', shot, '--desktop', option], /is for a browser: it goes with --url or --cdp/] as const,
  ),
  [['perform', shot, '--desktop', '99'], /A display is written as :N, such as :1/],
  [['perform', shot, '--desktop', ':1', '--screen', '5x5'], /--screen is for a new display/],
  [['perform', shot, '--desktop', ':4711'], /There is no display :4711 on this machine/],
  [['perform', shot, '--desktop', '--mask', '#a'], /A display has no CSS selectors/],
  ...['0x0', 'big', '12', '1280x', '99999x1'].flatMap((size) =>
    ['--screen', '--display'].map(
      (option) =>
        [['perform', shot, ...browser, option, size], /must be a width and a height from 1 to/] as const,
    ),
  ),
  ...['0.4', '4.1', 'x', ''].map(
    (scale) =>
      [['perform', shot, ...browser, '--scale', scale], /must be a number from 0\.5 to 4\./] as const,
  ),
  ...['0', '-1', 'x', '3601'].map(
    (seconds) =>
      [['perform', shot, ...browser, '--timeout', seconds], /number of seconds above 0, up to 3600/] as const,
  ),
  [['perform', shot, ...browser, '--dialogs', 'maybe'], /Allowed choices are accept, dismiss/],
  [['perform', shot, ...browser, '--mask', ''], /x,y,w,h or a CSS selector; this one is empty/],
  [['perform', shot, ...browser, '--mask', '0,0,0,9'], /The mask 0,0,0,9 is empty/],
  [['perform', shot, ...browser, '--mask', '1280,0,9,9'], /The mask 1280,0,9,9 is outside .* from 0 to 1279/],
  [['perform', shot, ...browser, '--mask', '-9,0,9,9'], /The mask -9,0,9,9 is outside the screen/],
  [['perform', shot, ...browser, '--allow', 'no host'], /"no host" is not a host to allow/],
  [['perform', shot, '--url', ''], /"" is not an address/],
  [['perform', shot, ...browser, '--downloads', ''], /must be the path of a folder/],
  [['perform', shot, ...browser, '--downloads', '/etc/passwd'], /\/etc\/passwd cannot be made/],
  [['perform', shot, ...browser, '--downloads', '/proc/whet'], /\/proc\/whet cannot be made/],
  [['record', shot, ...browser], /required option '--out <folder>' not specified/],
  [['record', shot, ...browser, '--out', ''], /must be the path of a folder/],
  [['replay', '/nowhere', shot], /\/nowhere holds no record that can be replayed/],
  [['replay', '/nowhere'], /There is no call/],
  [['replay', '/nowhere', shot, '--jsonl'], /With --jsonl the calls come on standard input/],
  [['replay', '/nowhere', shot, ...browser], /unknown option '--url'/],
];

for (const [argv, told] of wrong)
  test(`computer ${argv.map((each) => (each === shot ? 'CALL' : each || "''")).join(' ')}`, async () => {
    let said = '';
    const errors = mock.method(process.stderr, 'write', (text: string) => Boolean((said += text)));
    const isAboutApi = argv.includes('--api') || /--api/.test(told.source);
    const status = await main(['computer', ...argv, ...(isAboutApi ? [] : ['--api', 'anthropic'])]);
    errors.mock.restore();
    process.exitCode = undefined;
    assert.match(said, told);
    assert.equal(status, 2, said);
  });

test('a mask is four numbers, or else a selector', () => {
  assert.deepEqual(readMask('1, 2,30,40'), { x: 1, y: 2, width: 30, height: 40 });
  assert.deepEqual(readMask('input[type=password], .secret'), { selector: 'input[type=password], .secret' });
});
