import { openBrowser } from '../../test/browser.ts';

/** A tab of a real Chromium that says how long a person waits for what she sees. */
export interface Look extends AsyncDisposable {
  /** Milliseconds until something is painted, from the moment in which the address is opened anew. */
  open(url: string, selector: string): Promise<number>;
  /**
   * Milliseconds until something is painted, from what is done in the page, in JavaScript: the first of what the
   * selector finds, with this text in it.
   */
  act(script: string, selector: string, text?: string): Promise<number>;
  /** What its scripts hold, in megabytes, as it is: nothing is swept before. */
  megabytes(): Promise<number>;
  nodes(): Promise<number>;
}

/** When something is painted that was not there: the frame after the one in which it is in the page. */
const painted = `globalThis.painted = (selector, text = '') => new Promise((done) => {
  const look = () => {
    if (document.querySelector(selector)?.textContent.includes(text)) requestAnimationFrame(() => setTimeout(() => done(performance.now())));
    else requestAnimationFrame(look);
  };
  look();
});`;

export async function openLook(viewport = { width: 1280, height: 900 }): Promise<Look> {
  const browser = await openBrowser();
  const page = await browser.newPage({ viewport, bypassCSP: true });
  await page.addInitScript(painted);
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable');
  return {
    open: async (url, selector) => {
      await page.goto('about:blank');
      // A second later Chromium takes down what it painted of the last page; in software that stops it for a while.
      await page.waitForTimeout(1500);
      await page.goto(url, { waitUntil: 'commit' });
      return page.evaluate<number>(`painted(${JSON.stringify(selector)})`);
    },
    act: (script, selector, text = '') =>
      page.evaluate<number>(
        `(async () => { const from = performance.now(); ${script}; return (await painted(${JSON.stringify(selector)}, ${JSON.stringify(text)})) - from; })()`,
      ),
    megabytes: async () => {
      const { metrics } = await protocol.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN) / 1e6;
    },
    nodes: () => page.evaluate<number>(`document.querySelectorAll('*').length`),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
