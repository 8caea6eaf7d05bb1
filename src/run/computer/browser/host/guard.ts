import type { BrowserTab } from '../tab.ts';
import type { HostRules } from './hosts.ts';

/**
 * Stops a page from leaving for an address that is not allowed, by a link, a script or a redirect: it stays where it
 * is. The proxy would let nothing through either, but then the page would be gone.
 */
export async function guardDocuments(
  tab: BrowserTab,
  rules: HostRules,
  report: (url: string, why: string) => void,
): Promise<void> {
  const { cdp } = tab;
  cdp.on('Fetch.requestPaused', ({ requestId, request }) => {
    const refusal = URL.canParse(request.url) ? rules.refusal(request.url) : undefined;
    if (refusal !== undefined) report(request.url, refusal);
    const answered =
      refusal === undefined
        ? cdp.send('Fetch.continueRequest', { requestId })
        : cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    // The page may have gone on to another address meanwhile.
    void answered.catch(() => undefined);
  });
  await cdp.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] });
}
