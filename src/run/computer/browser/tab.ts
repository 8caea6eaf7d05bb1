import type { Point } from '../../../base/message/action.ts';
import type { CDPSession, Page, Request } from './playwright.ts';

const mostLines = 200;
/** What stays open by design, and says nothing of whether the page is quiet. */
const endless = new Set(['eventsource', 'websocket', 'media', 'ping']);

/** One page, with what has been seen of it. */
export class BrowserTab {
  readonly id: number;
  readonly page: Page;
  readonly cdp: CDPSession;
  /** What the browser calls it. */
  readonly target: string;
  /** Requests that have no answer yet. */
  readonly open = new Set<Request>();
  readonly console: string[] = [];
  readonly network: string[] = [];
  /** Where this page last saw the pointer: each has one of its own. */
  pointer: Point = [0, 0];
  hasCrashed = false;
  /** Its document has just come, and may not have painted anything. */
  isFresh = true;

  constructor(id: number, page: Page, cdp: CDPSession, target: string) {
    this.id = id;
    this.page = page;
    this.cdp = cdp;
    this.target = target;
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.isFresh = true;
    });
    page.on('request', (request) => {
      if (!endless.has(request.resourceType())) this.open.add(request);
    });
    page.on('requestfinished', (request) => this.#ended(request, undefined));
    page.on('requestfailed', (request) => this.#ended(request, request.failure()?.errorText ?? 'failed'));
    page.on('crash', () => {
      this.hasCrashed = true;
      this.open.clear();
    });
    page.on('console', (said) => keep(this.console, `${said.type()}: ${said.text()}`));
    page.on('pageerror', (error) => keep(this.console, `error: ${error.message}`));
  }

  #ended(request: Request, failure: string | undefined): void {
    this.open.delete(request);
    // The status of an answer that has come is known at once.
    void request
      .response()
      .then((answer) => answer?.status())
      .catch(() => undefined)
      .then((status) =>
        keep(this.network, `${request.method()} ${request.url()} ${failure ?? status ?? ''}`),
      );
  }
}

function keep(lines: string[], line: string): void {
  lines.push(line.slice(0, 2000));
  if (lines.length > mostLines) lines.shift();
}
