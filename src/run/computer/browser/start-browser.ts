import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Size } from '../../../base/message/frame.ts';
import { findChromium } from './find-chromium.ts';
import { guardContext } from './host/guard-context.ts';
import type { HostRules } from './host/hosts.ts';
import {
  attachChromium,
  type Browser,
  type BrowserContext,
  launchChromium,
  type Page,
} from './playwright.ts';
import { HostProxy } from './host/proxy.ts';

export interface StartOptions {
  readonly screen: Size;
  readonly scale: number;
  readonly executablePath: string | undefined;
  readonly headed: boolean;
}

/** A browser that runs, and the window of it that is used. */
export interface StartedBrowser {
  readonly browser: Browser;
  readonly context: BrowserContext;
  /** Present where the browser is ours. */
  readonly proxy?: HostProxy;
  /** The page that was there already. */
  readonly page?: Page;
}

/** A browser of our own. Everything that it fetches goes through a proxy, which keeps to the rules. */
export async function startBrowser(options: StartOptions, rules: HostRules): Promise<StartedBrowser> {
  await using undone = new AsyncDisposableStack();
  const proxy = undone.use(new HostProxy(rules));
  const port = await proxy.listen();
  const browser = await launchChromium({
    executablePath: await findChromium(options.executablePath, { headed: options.headed }),
    headless: !options.headed,
    args: [
      `--proxy-server=http://127.0.0.1:${port}`,
      '--proxy-bypass-list=<-loopback>',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--disable-quic',
      '--disable-smooth-scrolling',
      '--no-zygote',
      '--no-pings',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--font-render-hinting=none',
    ],
  });
  undone.defer(() => browser.close());
  const context = await newContext(browser, options, 'allow');
  undone.move();
  return { browser, proxy, context };
}

/**
 * A browser that runs elsewhere and is left running. With a window of our own its cookies are nobody else's; without
 * one it is the page that is there, with whatever its person is logged in to.
 */
export async function attachBrowser(
  address: string,
  options: StartOptions & { readonly isOwnWindow: boolean },
  rules: () => HostRules,
): Promise<StartedBrowser> {
  if (!/^(https?|wss?):\/\//.test(address) || !URL.canParse(address))
    throw new WhetstoneError(
      'computer_option_invalid',
      'The address of a browser begins with http://, https://, ws:// or wss://, such as http://127.0.0.1:9222.',
    );
  const browser = await attachChromium(address);
  await using undone = new AsyncDisposableStack();
  undone.defer(() => browser.close());
  const shared = options.isOwnWindow ? undefined : browser.contexts()[0];
  // A service worker's requests would pass the rules by.
  const context = shared ?? (await newContext(browser, options, 'block'));
  const others = new Set(context.pages());
  const page = shared === undefined ? undefined : pageThatIsThere(shared);
  if (page !== undefined) others.delete(page);
  await guardContext(context, { rules, others });
  undone.move();
  return { browser, context, ...(page !== undefined && { page }) };
}

async function newContext(
  browser: Browser,
  { screen, scale }: StartOptions,
  serviceWorkers: 'allow' | 'block',
): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { ...screen },
    deviceScaleFactor: scale,
    acceptDownloads: true,
    serviceWorkers,
  });
}

function pageThatIsThere(context: BrowserContext): Page | undefined {
  const pages = context.pages();
  return pages.findLast((page) => /^https?:/.test(page.url())) ?? pages.at(-1);
}
