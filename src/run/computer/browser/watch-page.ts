import type { ComputerEvent } from '../computer.ts';
import type { Download } from './playwright.ts';
import type { BrowserTab } from './tab.ts';

export interface PageWatcher {
  /** Whether dialogs are answered for the page. */
  readonly isAnswered: () => boolean;
  /** What is answered to `confirm` and `prompt`. */
  readonly accepts: boolean;
  readonly report: (event: ComputerEvent) => void;
  readonly download: (download: Download) => void;
}

/** Answers what a page would wait for, and tells of it. */
export function watchPage({ page, cdp }: BrowserTab, watcher: PageWatcher): void {
  page.on('dialog', (dialog) => {
    if (!watcher.isAnswered()) return;
    const kind = dialog.type() as 'alert' | 'confirm' | 'prompt' | 'beforeunload';
    const isAccepted = kind === 'alert' || kind === 'beforeunload' || watcher.accepts;
    const answer = isAccepted ? 'accepted' : 'dismissed';
    watcher.report({ type: 'dialog', kind, message: dialog.message(), answer });
    const answered = isAccepted
      ? dialog.accept(kind === 'prompt' ? dialog.defaultValue() : undefined)
      : dialog.dismiss();
    // The page may have gone meanwhile, and its dialog with it.
    void answered.catch(() => undefined);
  });
  cdp.on('Page.fileChooserOpened', () => watcher.report({ type: 'file_chooser' }));
  page.on('download', (download) => watcher.download(download));
}
