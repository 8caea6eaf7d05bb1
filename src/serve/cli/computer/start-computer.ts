import { openBrowser } from '../../../run/computer/browser/browser.ts';
import type { Computer } from '../../../run/computer/computer.ts';
import { openDesktop } from '../../../run/computer/desktop/desktop.ts';
import { type ComputerOptions, readMask, usage } from './options.ts';

/** The computer that the command line asks for. */
export async function startComputer(options: ComputerOptions, signal: AbortSignal): Promise<Computer> {
  const masks = (options.mask ?? []).map(readMask);
  const screen = options.screen ?? options.display ?? { width: 1280, height: 800 };
  const { url, cdp, desktop, run } = options;
  if (desktop !== undefined) {
    const regions = masks.map((mask) => {
      if ('selector' in mask) throw usage('A display has no CSS selectors: give its masks as x,y,w,h.');
      return mask;
    });
    if (typeof desktop === 'string' && desktop.startsWith('vnc://'))
      return openDesktop({ vnc: desktop, masks: regions });
    return openDesktop({
      screen,
      masks: regions,
      ...(typeof desktop === 'string' && { display: Number.parseInt(desktop.slice(1)) }),
      ...(run !== undefined && { run }),
    });
  }
  const page = {
    screen,
    masks,
    signal,
    ...(options.scale !== undefined && { scale: options.scale }),
    ...(options.allow !== undefined && { allow: options.allow }),
    ...(options.dialogs !== undefined && { dialogs: options.dialogs }),
    ...(options.downloads !== undefined && { downloads: options.downloads }),
  };
  if (cdp !== undefined) return openBrowser({ ...page, cdp, ...(url !== undefined && { url }) });
  if (url === undefined) throw usage('There is no --url for the browser to open.');
  return openBrowser({ ...page, url });
}
