import { sleep, systemClock } from '../../../base/host/clock.ts';
import type { Size } from '../../../base/message/frame.ts';
import { untilAborted, within } from '../../display/deadline.ts';
import { paint, type Picture, type Region } from '../../display/picture/picture.ts';
import { readPng } from '../../display/picture/png.ts';
import type { Mask } from './mask.ts';
import type { BrowserTab } from './tab.ts';

const longestSettling = 3000;
const moment = 100;

/**
 * The page when it is quiet: no request under way, and two pictures a moment apart the same. A page that never is
 * quiet is shown as it is after three seconds.
 */
export async function capture(
  tabOf: () => BrowserTab,
  {
    masks,
    screen,
    signal,
  }: { readonly masks: () => Promise<readonly Mask[]>; readonly screen: Size; readonly signal: AbortSignal },
): Promise<Picture> {
  const end = systemClock.monotonic() + longestSettling;
  const isLate = (): boolean => systemClock.monotonic() >= end;
  let before = '';
  for (;;) {
    await quietNetwork(tabOf, end, signal);
    const tab = tabOf();
    const hidden = await maskedRegions(tab, await untilAborted(masks(), signal), signal);
    const shot = systemClock.monotonic();
    const now = await shoot(tab, isLate(), signal);
    if (now !== '' && ((now === before && tab.open.size === 0) || isLate())) {
      // What moves while the picture is taken is covered where it was and where it is.
      const after = await maskedRegions(tab, await untilAborted(masks(), signal), signal);
      const picture = readPng(Buffer.from(now, 'base64'));
      const scale = picture.width / screen.width;
      return paint(
        picture,
        [...hidden, ...after].map((region) => scaled(region, scale)),
      );
    }
    before = now;
    await sleep(Math.max(0, shot + moment - systemClock.monotonic()), { signal });
  }
}

/** Waits until no request has been under way for some time, or the end has come. */
export async function quietNetwork(tabOf: () => BrowserTab, end: number, signal: AbortSignal): Promise<void> {
  while (tabOf().open.size > 0 && systemClock.monotonic() < end) await sleep(25, { signal });
}

const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** A browser drops a click on a document that it has not painted yet. */
export async function firstPaint(tabOf: () => BrowserTab, end: number, signal: AbortSignal): Promise<void> {
  while (tabOf().isFresh && systemClock.monotonic() < end) {
    const tab = tabOf();
    tab.isFresh = false;
    const painted = tab.cdp
      .send('Runtime.evaluate', { expression: twoFrames, awaitPromise: true })
      .catch(() => undefined);
    await untilAborted(within(painted, end - systemClock.monotonic()), signal);
  }
}

/** A picture as it is encoded; an empty text where the page has none yet, as long as there is time for one. */
async function shoot(tab: BrowserTab, isLast: boolean, signal: AbortSignal): Promise<string> {
  const taken = tab.cdp.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  const { data } = await untilAborted(taken, signal).catch((error: unknown) => {
    if (isLast || signal.aborted || !/Unable to capture/.test(String(error))) throw error;
    return { data: '' };
  });
  return data;
}

async function maskedRegions(
  tab: BrowserTab,
  masks: readonly Mask[],
  signal: AbortSignal,
): Promise<readonly Region[]> {
  const regions: Region[] = [];
  for (const mask of masks) {
    if (!('selector' in mask)) {
      regions.push(mask);
      continue;
    }
    for (const frame of tab.page.frames()) {
      const found = await untilAborted(frame.locator(`css=${mask.selector}`).all(), signal);
      for (const each of found) {
        const box = await untilAborted(
          each.boundingBox({ timeout: 1000 }).catch(() => null),
          signal,
        );
        if (box !== null) regions.push(box);
      }
    }
  }
  return regions;
}

function scaled(region: Region, scale: number): Region {
  return {
    x: region.x * scale,
    y: region.y * scale,
    width: region.width * scale,
    height: region.height * scale,
  };
}
