import { access } from 'node:fs/promises';

import { readEnvironment } from '../../../base/host/environment.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { packedChromium } from './packed-chromium.ts';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** A Chromium: the one that is named, one that is installed, or the one inside the npm package `@sparticuz/chromium`. */
export async function findChromium(
  named: string | undefined,
  { headed = false }: { readonly headed?: boolean } = {},
): Promise<string> {
  const told = named ?? readEnvironment('WHET_BROWSER');
  if (told !== undefined) {
    if (await isThere(told)) return told;
    throw new WhetstoneError('computer_missing', `There is no browser at ${told}.`);
  }
  // The packed one has no windows.
  const packed = headed ? undefined : await packedChromium();
  if (packed !== undefined) return packed;
  for (const path of installed) if (await isThere(path)) return path;
  throw new WhetstoneError(
    'computer_missing',
    headed
      ? 'A window needs an installed Chrome or Chromium, and there is none. Install one, or name it in WHET_BROWSER.'
      : 'There is no Chromium on this machine. Install Chrome or Chromium, or (on x86-64 Linux) the npm package @sparticuz/chromium, or name one in WHET_BROWSER.',
  );
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
