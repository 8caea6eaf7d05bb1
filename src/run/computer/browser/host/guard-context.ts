import type { BrowserContext, Page, Request } from '../playwright.ts';
import type { HostRules } from './hosts.ts';

/**
 * Keeps the pages of a browser that is not ours to the rules. There is no proxy between it and the network, so an
 * address is judged by its name alone, before it is asked for. Pages of the person who owns the browser are left alone.
 */
export async function guardContext(
  context: BrowserContext,
  { rules, others }: { readonly rules: () => HostRules; readonly others: ReadonlySet<Page> },
): Promise<void> {
  const isRefused = (url: string): boolean => URL.canParse(url) && rules().refusal(url) !== undefined;
  // Where nobody listens, Playwright dismisses the dialogs of every page, those of the person too.
  context.on('dialog', () => undefined);
  await context.route('**/*', async (route) => {
    const request = route.request();
    const page = pageOf(request);
    const isOurs = page === undefined || !others.has(page);
    // The page may have gone on to another address meanwhile.
    await (isOurs && isRefused(request.url()) ? route.abort('blockedbyclient') : route.continue()).catch(
      () => undefined,
    );
  });
  await context.routeWebSocket(/.*/, async (socket) => {
    if (isRefused(socket.url())) await socket.close({ code: 1008, reason: 'This host is not allowed.' });
    else socket.connectToServer();
  });
}

/** None for what a service worker asks for, and for the first request of a page that is still being made. */
function pageOf(request: Request): Page | undefined {
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}
