import { untilAborted } from '../../display/deadline.ts';
import type { Browser, Page } from './playwright.ts';

/** Makes a WebP of a PNG in the browser itself, on an empty page in a window of its own. */
export class WebpEncoder implements AsyncDisposable {
  #browser: Browser | undefined;
  #page: Promise<Page> | undefined;

  async encode(png: Buffer, browser: Browser, signal: AbortSignal): Promise<Buffer> {
    // Another browser has come since: the page has gone with the one before.
    if (this.#browser !== browser) this.#page = undefined;
    this.#browser = browser;
    this.#page ??= browser.newContext().then((context) => context.newPage());
    const page = await untilAborted(this.#page, signal);
    return Buffer.from(await untilAborted(page.evaluate(toWebp, png.toString('base64')), signal), 'base64');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const page = await this.#page?.catch(() => undefined);
    await page
      ?.context()
      .close()
      .catch(() => undefined);
  }
}

/** Runs in the page, so it may use nothing of this file. */
async function toWebp(png: string): Promise<string> {
  const bytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
  const url = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.readAsDataURL(blob);
  });
  return url.slice(url.indexOf(',') + 1);
}
