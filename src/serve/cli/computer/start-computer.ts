import { openBrowser } from '../../../run/computer/browser/browser.ts';
import type { Computer } from '../../../run/computer/computer.ts';
import { type ComputerOptions, readMask } from './options.ts';

/** The computer that the command line asks for. */
export async function startComputer(options: ComputerOptions, signal: AbortSignal): Promise<Computer> {
  const masks = (options.mask ?? []).map(readMask);
  const screen = options.screen ?? options.display ?? { width: 1280, height: 800 };
  signal.throwIfAborted();
  return openBrowser({
    url: options.url ?? 'about:blank',
    screen,
    masks,
    ...(options.scale !== undefined && { scale: options.scale }),
    ...(options.allow !== undefined && { allow: options.allow }),
    ...(options.dialogs !== undefined && { dialogs: options.dialogs }),
    ...(options.downloads !== undefined && { downloads: options.downloads }),
  });
}
