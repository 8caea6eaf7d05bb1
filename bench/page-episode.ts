import { type Claim, median, round } from './harness.ts';
import { keepLongEpisode } from '../test/long-episode.ts';
import { openLook } from './page/look.ts';
import { serveFilled } from './page/serve.ts';

const turns = Number(process.env['WHET_TURNS'] ?? 5000);
const middle = Math.ceil(turns / 2);

/** What a person does on the page of an episode, and what she then sees. */
const clicks: Readonly<Record<string, readonly [script: string, seen: string]>> = {
  'a turn in the middle': [`location.hash += '?turn=${middle}'`, `#turn-${middle}.shown`],
  'the last turn': [
    `document.querySelector('.outline ol').scrollTop = 1e9; location.hash = location.hash.replace('=${middle}', '=${turns}')`,
    `#turn-${turns}.shown`,
  ],
  'a call': [
    `document.querySelector('#turn-${turns} summary').click()`,
    `#turn-${turns} details[open] .output`,
  ],
  'a turn of the outline': [
    `[...document.querySelectorAll('.outline button')].at(-30).click()`,
    `.turn.shown:not(#turn-${turns})`,
  ],
  'a place on the curve': [
    `const line = document.querySelector('.sparkline'), { left, width, top } = line.getBoundingClientRect();
    line.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: left + width / 3, clientY: top + 5 }))`,
    `.turn.shown[id^="turn-${String(Math.round(turns / 3)).slice(0, 2)}"]`,
  ],
  'the tab of calls': [
    `document.querySelector('.tabs a[href*="calls"]').click()`,
    'section[aria-label=Calls] tbody tr',
  ],
  'later calls': [
    `document.querySelectorAll('.range button')[1].click()`,
    '.range button:first-of-type:enabled',
  ],
  'the tab of facts': [
    `document.querySelector('.tabs a[href*="facts"]').click()`,
    '.middle section[aria-label=Facts]',
  ],
  'the raw tab': [`document.querySelector('.tabs a[href*="raw"]').click()`, 'section[aria-label=Raw] pre'],
  'back to the transcript': [`document.querySelector('.tabs a').click()`, '#turn-1'],
};

export const claim: Claim = {
  name: 'page-episode',
  alone: true,
  title: `the page shows an episode of ${turns.toLocaleString('en')} turns with four calls each as soon as a short one`,
  async measure({ rounds }) {
    let bytes = 0;
    await using served = await serveFilled(async (store, catalog) => {
      bytes = await keepLongEpisode(store, catalog, { id: 'ep_long', turns });
      await keepLongEpisode(store, catalog, { id: 'ep_short', turns: 10 });
    });
    await using look = await openLook();
    const waits = new Map<string, number[]>();
    const keep = (what: string, ms: number): void => void waits.set(what, [...(waits.get(what) ?? []), ms]);
    let megabytes = 0;
    for (let time = 0; time < Math.min(rounds, 5); time++) {
      keep('opening a short one', await look.open(`${served.url}/#/episodes/ep_short`, '#turn-1'));
      keep('opening it', await look.open(`${served.url}/#/episodes/ep_long`, '#turn-1'));
      // Clicks are of somebody who has read the grade.
      keep('its grade explained', await look.act('', '.why .equation'));
      for (const [what, [script, seen]] of Object.entries(clicks)) {
        keep(what, await look.act(script, seen));
        megabytes = Math.max(megabytes, await look.megabytes());
      }
    }
    const medians = new Map([...waits].map(([what, all]) => [what, round(median(all))]));
    const slowest = Object.keys(clicks).toSorted((one, other) => medians.get(other)! - medians.get(one)!)[0]!;
    return {
      rows: [...waits].map(([what, all]) => ({
        what,
        'median, ms': medians.get(what)!,
        'slowest, ms': round(Math.max(...all)),
      })),
      limits: [
        { says: 'ms until its first turn is painted', measured: medians.get('opening it')!, atMost: 1000 },
        { says: `ms for the slowest click, ${slowest}`, measured: medians.get(slowest)!, atMost: 100 },
        { says: 'MB that the page holds, unswept', measured: round(megabytes), atMost: 80 },
      ],
      notes: [
        `In Chromium, 1280 × 900, over HTTP on one machine. The turns are ${round(bytes / 1e6)} MB of JSON.`,
      ],
    };
  },
};
