import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Action } from '../src/base/message/action.ts';
import { openBrowser } from '../src/run/computer/browser/browser.ts';
import type { Computer } from '../src/run/computer/computer.ts';
import { readPng, writePng } from '../src/run/display/picture/png.ts';
import { scaleTo } from '../src/run/display/picture/scale.ts';
import { ComputerSession } from '../src/run/computer/session.ts';
import { type Claim, median, round, timeInTurn } from './harness.ts';

const page = `<!doctype html><body style="margin:0;height:5000px"><input id=name style="width:300px">
  <script>for (const kind of ['click', 'mousemove', 'wheel', 'keydown'])
    addEventListener(kind, () => document.body.dataset.last = performance.now())</script>
  ${'<p>Words and a <button>button</button> to look at.</p>'.repeat(60)}`;

const actions: Readonly<Record<string, Action>> = {
  click: { type: 'left_mouse_click', xy: [100, 10] },
  move: { type: 'move', xy: [300, 300] },
  'a letter': { type: 'type', text: 'a' },
  scroll: { type: 'scroll', direction: 'down', magnitude: 1, unit: 'notch' },
};

export const claim: Claim = {
  name: 'computer',
  title:
    'an action costs what the browser takes for it, and a picture is scaled before the page is painted again',
  alone: true,
  async measure({ rounds }) {
    const site = createServer((_asked, answer) => answer.setHeader('content-type', 'text/html').end(page));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    await using browser = await openBrowser({
      url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    });
    const { computer, spent } = timed(browser);
    const session = new ComputerSession(computer);
    const display = browser.screen;
    const rows: Record<string, string | number>[] = [];
    const own: number[] = [];
    for (const [name, action] of Object.entries(actions)) {
      const all: number[] = [];
      const ours: number[] = [];
      for (let each = 0; each < rounds * 4; each++) {
        spent.ms = 0;
        const begun = performance.now();
        // Each moves the pointer by a little, so that something is left to be done.
        const asked = action.type === 'move' ? { ...action, xy: [300 + (each % 9), 300] as const } : action;
        const { failure } = await session.perform({ actions: [asked], display });
        const took = performance.now() - begun;
        if (failure !== undefined) throw new Error(failure.message);
        all.push(took);
        ours.push(took - spent.ms);
      }
      own.push(median(ours));
      rows.push({ what: name, 'ms in all': round(median(all)), 'ms of our own': round(median(ours)) });
    }
    const signal = new AbortController().signal;
    const screen = await browser.look(signal);
    const png = writePng(screen);
    const large = scaleTo(screen, { width: 2560, height: 1600 });
    const timings = await timeInTurn(
      {
        'a picture of 1280x800 made 1024x640': (times) =>
          repeat(times, () => scaleTo(screen, { width: 1024, height: 640 })),
        'a picture of 2560x1600 made 1280x800': (times) => repeat(times, () => scaleTo(large, display)),
        'a PNG of 1280x800 read': (times) => repeat(times, () => readPng(png)),
        'a PNG of 1280x800 written': (times) => repeat(times, () => writePng(screen)),
      },
      { rounds },
    );
    for (const [what, timing] of Object.entries(timings))
      rows.push({ what, 'ms in all': round(timing.median), 'ms of our own': round(timing.median) });
    site.close();
    return {
      rows,
      limits: [
        { says: 'ms of our own for an action, the slowest', measured: round(Math.max(...own)), atMost: 2 },
        {
          says: 'ms to scale a picture at 1280x800',
          measured: round(timings['a picture of 1280x800 made 1024x640'].median),
          atMost: 30,
        },
      ],
      notes: [
        'What the browser takes for an action holds its input, 40 ms in which what it set off begins, and two glances at the page; where nothing has changed, up to 180 ms in which a late change is still seen.',
      ],
    };
  },
};

/** The computer, and how long its own work took. */
function timed(computer: Computer): { readonly computer: Computer; readonly spent: { ms: number } } {
  const spent = { ms: 0 };
  const watched = new Proxy(computer, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        const begun = performance.now();
        const answer: unknown = value.apply(target, given);
        if (!(answer instanceof Promise)) return answer;
        return answer.finally(() => (spent.ms += performance.now() - begun));
      };
    },
  });
  return { computer: watched, spent };
}

function repeat(times: number, work: () => unknown): void {
  for (let each = 0; each < times; each++) work();
}
