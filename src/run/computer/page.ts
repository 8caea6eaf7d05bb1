import type { JsonValue } from '../../base/json/value.ts';
import type { Point } from '../../base/message/action.ts';

export interface Tab {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly active: boolean;
}

/** The pages of a browser. */
export interface Tabs {
  navigate(url: string, signal: AbortSignal): Promise<void>;
  history(step: 'back' | 'forward' | 'reload', signal: AbortSignal): Promise<void>;
  list(signal: AbortSignal): Promise<readonly Tab[]>;
  open(signal: AbortSignal): Promise<void>;
  switchTo(tab: string | number, signal: AbortSignal): Promise<void>;
  close(tab: string | number | undefined, signal: AbortSignal): Promise<void>;
  /** By pixels, right and down positive. */
  scrollDocument(by: Point, signal: AbortSignal): Promise<void>;
}

/** What is on a page, as a tree of elements with references. */
export interface Elements {
  read(
    what: { readonly filter?: string; readonly depth?: number; readonly ref?: string },
    signal: AbortSignal,
  ): Promise<string>;
  find(query: string, signal: AbortSignal): Promise<string>;
  /** Brings the element into view, and answers with its middle. */
  locate(ref: string, signal: AbortSignal): Promise<Point>;
  setValue(ref: string, value: JsonValue, signal: AbortSignal): Promise<void>;
  upload(ref: string, paths: readonly string[], signal: AbortSignal): Promise<void>;
  text(signal: AbortSignal): Promise<string>;
  console(): string;
  network(): string;
  run(script: string, signal: AbortSignal): Promise<string>;
}
