import type { Point } from '../../base/message/action.ts';
import type { Size } from '../../base/message/frame.ts';
import type { Picture } from '../display/picture/picture.ts';
import type { Glance } from './effect.ts';
import type { Elements, Tabs } from './page.ts';

export type Button = 'left' | 'middle' | 'right' | 'back' | 'forward';

/** What happened on a computer besides what was asked. */
export type ComputerEvent =
  | {
      readonly type: 'dialog';
      readonly kind: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
      readonly message: string;
      readonly answer: 'accepted' | 'dismissed';
    }
  | { readonly type: 'tab'; readonly url: string }
  | { readonly type: 'tab_closed' }
  /** Without a folder for downloads nothing is kept, and there is no path. */
  | { readonly type: 'download'; readonly path: string | null }
  | { readonly type: 'file_chooser' }
  /** A page wanted to leave for an address that is not allowed. */
  | { readonly type: 'refused'; readonly url: string; readonly message: string }
  | { readonly type: 'restarted' };

/** How long one small thing takes, in milliseconds: what a call asks for is measured by it before it is begun. */
export interface Pace {
  readonly notch: number;
  readonly character: number;
  readonly move: number;
}

/**
 * A screen with a pointer and a keyboard. What it can do is small on purpose: what an action means in these terms is
 * said once, in `perform`, for all computers. Everything that waits ends when its signal does.
 */
export interface Computer extends AsyncDisposable {
  readonly environment: 'browser' | 'desktop';
  /** In the pixels in which the pointer counts. */
  readonly screen: Size;
  readonly pace: Pace;
  /** Comes when the computer dies, so that nobody waits for what it will not answer; another one after a new start. */
  readonly lost: AbortSignal;
  /** Called before each call: throws where the computer has died, and starts it again the next time, if it can. */
  ready(signal: AbortSignal): Promise<void>;
  /** Called when a call has failed. One that was too late is broken off: nothing of it may happen later. */
  recover(isLate: boolean): Promise<void>;
  /** Waits until what an action set off has begun to show, so that the next one meets it. */
  settle(signal: AbortSignal): Promise<void>;
  cursor(signal: AbortSignal): Promise<Point>;
  move(to: Point, signal: AbortSignal): Promise<void>;
  /** `count` is 2 for the second press of a double click. */
  press(button: Button, count: number, signal: AbortSignal): Promise<void>;
  release(button: Button, count: number, signal: AbortSignal): Promise<void>;
  /** Turns the wheel by pixels, right and down positive; 100 are a notch. */
  wheel(x: number, y: number, signal: AbortSignal): Promise<void>;
  /** By the names of `KeyboardEvent.key`. */
  keyDown(key: string, signal: AbortSignal): Promise<void>;
  keyUp(key: string, signal: AbortSignal): Promise<void>;
  write(text: string, signal: AbortSignal): Promise<void>;
  /** The screen when it is quiet, in real pixels; what is masked is painted over. */
  look(signal: AbortSignal): Promise<Picture>;
  /** What has changed is seen by this, before and after; undefined where the screen does not answer. */
  glance(signal: AbortSignal): Promise<Glance | undefined>;
  /** Whether what is typed now goes to a place that is masked: then no record may hold it. */
  hidesTyping?(signal: AbortSignal): Promise<boolean>;
  /** A PNG as a WebP, where it can make one. */
  toWebp?(png: Buffer, signal: AbortSignal): Promise<Buffer>;
  /** Prepares it for a person's hands, until the answer is disposed of: what they type is not told afterwards. */
  handOver?(): Promise<AsyncDisposable>;
  /** Words without what a person typed. */
  withoutTyped?(text: string): string;
  /** The page's address; `about:blank` where there are no pages. */
  address(): string;
  /** What has happened since it was last asked. */
  takeEvents(): readonly ComputerEvent[];
  readonly elements?: Elements;
  readonly tabs?: Tabs;
}
