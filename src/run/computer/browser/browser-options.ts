import type { Size } from '../../../base/message/frame.ts';
import type { Mask } from './mask.ts';

export type BrowserOptions = OwnBrowserOptions | BrowserAtOptions;

/** A browser that is started, and ended with the session. */
export interface OwnBrowserOptions extends PageOptions {
  /** The first page. */
  readonly url: string;
  /** The program; found where it is absent. */
  readonly executablePath?: string;
  /** In a window that a person sees, and can take over; headless unless told. */
  readonly headed?: boolean;
  readonly cdp?: undefined;
}

/** A browser that runs already, and is left running. */
export interface BrowserAtOptions extends PageOptions {
  /** Where it speaks the DevTools protocol, such as `http://127.0.0.1:9222`. */
  readonly cdp: string;
  /** The first page of a window of its own, with no cookies but its own; absent: the page that is there. */
  readonly url?: string;
}

interface PageOptions {
  /** The viewport in CSS pixels; 1280x800 unless told. */
  readonly screen?: Size;
  /** Device pixels for each CSS pixel; 1 unless told. */
  readonly scale?: number;
  /** `HOST` or `HOST:PORT`; absent: every public host. The first page's own is always allowed. */
  readonly allow?: readonly string[];
  /** What is answered to `confirm` and `prompt`; `dismiss` unless told. */
  readonly dialogs?: 'accept' | 'dismiss';
  /** Where downloads are kept; nowhere unless told. */
  readonly downloads?: string;
  readonly masks?: readonly Mask[];
  /** Breaks off the start. */
  readonly signal?: AbortSignal;
}
