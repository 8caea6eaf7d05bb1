import { access } from 'node:fs/promises';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { show } from '../../../base/host/show.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { Point } from '../../../base/message/action.ts';
import { untilAborted } from '../../display/deadline.ts';
import type { Elements } from '../page.ts';
import type { Mask } from './mask.ts';
import { withoutMasked } from './masked.ts';
import type { Locator } from './playwright.ts';
import type { BrowserTab } from './tab.ts';

const interactive =
  /^\s*- '?(?:button|link|textbox|searchbox|combobox|listbox|option|checkbox|radio|switch|slider|spinbutton|tab|menuitem\w*|treeitem)\b/;

/** Elements of a page by the references of its accessibility tree. */
export class PageElements implements Elements {
  readonly #tab: () => BrowserTab;
  readonly #masks: () => Promise<readonly Mask[]>;

  constructor(tab: () => BrowserTab, masks: () => Promise<readonly Mask[]>) {
    this.#tab = tab;
    this.#masks = masks;
  }

  /** What is masked is in no word that leaves the page. */
  async #told(text: string, signal: AbortSignal): Promise<string> {
    return withoutMasked(text, this.#tab(), await untilAborted(this.#masks(), signal), signal);
  }

  async read(
    { filter, depth, ref }: { readonly filter?: string; readonly depth?: number; readonly ref?: string },
    signal: AbortSignal,
  ): Promise<string> {
    const options = { mode: 'ai' as const, ...(depth !== undefined && { depth }) };
    const tree =
      ref === undefined
        ? await untilAborted(this.#tab().page.ariaSnapshot(options), signal)
        : await untilAborted((await this.#find(ref, signal)).ariaSnapshot(options), signal);
    const lines = tree.split('\n');
    const chosen = filter === 'interactive' ? lines.filter((line) => interactive.test(line)) : lines;
    return this.#told(linesOf(chosen), signal);
  }

  async find(query: string, signal: AbortSignal): Promise<string> {
    const tree = await untilAborted(this.#tab().page.ariaSnapshot({ mode: 'ai' }), signal);
    const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const scored = tree
      .split('\n')
      .filter((line) => line.includes('[ref='))
      .map((line) => ({ line, score: words.filter((word) => line.toLowerCase().includes(word)).length }))
      .filter(({ score }) => score > 0);
    const best = Math.max(0, ...scored.map(({ score }) => score));
    const found = scored.filter(({ score }) => score === best).slice(0, 20);
    if (found.length === 0) return `Nothing on the page matches ${show(query)}.`;
    return this.#told(linesOf(found.map(({ line }) => line.trim())), signal);
  }

  async locate(ref: string, signal: AbortSignal): Promise<Point> {
    const element = await this.#find(ref, signal);
    await untilAborted(element.scrollIntoViewIfNeeded({ timeout: 5000 }), signal);
    const box = await untilAborted(element.boundingBox({ timeout: 5000 }), signal);
    if (box === null) throw new WhetstoneError('element_missing', `The element ${ref} is not visible.`);
    return [Math.floor(box.x + box.width / 2), Math.floor(box.y + box.height / 2)];
  }

  async setValue(ref: string, value: JsonValue, signal: AbortSignal): Promise<void> {
    const element = await this.#find(ref, signal);
    const kind = await untilAborted(
      element.evaluate((node) =>
        node instanceof HTMLInputElement ? `input:${node.type}` : node.tagName.toLowerCase(),
      ),
      signal,
    );
    const options = { timeout: 5000 };
    try {
      if (kind === 'select') await untilAborted(choose(element, value), signal);
      else if (kind === 'input:checkbox' || kind === 'input:radio')
        await untilAborted(
          element.setChecked(value === true || value === 'true' || value === 'on', options),
          signal,
        );
      else await untilAborted(element.fill(value === null ? '' : String(value), options), signal);
    } catch (cause) {
      if (signal.aborted) throw cause;
      const why = (cause as Error).message.split('\n')[0]!.replace(/^locator\.\w+: /, '');
      throw new WhetstoneError('action_invalid', `The element ${ref} does not take ${show(value)}: ${why}`, {
        cause,
      });
    }
  }

  async upload(ref: string, paths: readonly string[], signal: AbortSignal): Promise<void> {
    const element = await this.#find(ref, signal);
    for (const path of paths) {
      const isThere = await access(path).then(
        () => true,
        () => false,
      );
      if (!isThere) throw new WhetstoneError('action_invalid', `There is no file ${path} to upload.`);
    }
    await untilAborted(element.setInputFiles([...paths], { timeout: 5000 }), signal);
  }

  async text(signal: AbortSignal): Promise<string> {
    const texts: string[] = [];
    for (const frame of this.#tab().page.frames()) {
      const body = frame.evaluate(() => document.body?.innerText ?? '').catch(() => '');
      texts.push(await untilAborted(body, signal));
    }
    return this.#told(texts.filter((each) => each.trim() !== '').join('\n\n'), signal);
  }

  console(): string {
    return this.#tab().console.join('\n') || 'The console is empty.';
  }

  network(): string {
    return this.#tab().network.join('\n') || 'There were no requests.';
  }

  async run(script: string, signal: AbortSignal): Promise<string> {
    const { result, exceptionDetails } = await untilAborted(
      this.#tab().cdp.send('Runtime.evaluate', {
        expression: script,
        replMode: true,
        awaitPromise: true,
        returnByValue: true,
        userGesture: true,
      }),
      signal,
    );
    if (exceptionDetails !== undefined) {
      const why = exceptionDetails.exception?.description ?? exceptionDetails.text;
      throw new WhetstoneError('action_invalid', `The script threw: ${why.split('\n')[0]}`);
    }
    const answer =
      result.value === undefined ? (result.description ?? 'undefined') : JSON.stringify(result.value);
    return this.#told(answer, signal);
  }

  async #find(ref: string, signal: AbortSignal): Promise<Locator> {
    const named = /^(\w+) "(.*)"$/s.exec(ref);
    const { page } = this.#tab();
    const element =
      named === null
        ? page.locator(`aria-ref=${ref}`)
        : page.getByRole(named[1] as Parameters<typeof page.getByRole>[0], { name: named[2]!, exact: true });
    const isSafe = named !== null || /^[\w-]+$/.test(ref);
    const count = isSafe
      ? await untilAborted(
          element.count().catch(() => 0),
          signal,
        )
      : 0;
    if (count > 0) return element.first();
    throw new WhetstoneError(
      'element_missing',
      `There is no element ${show(ref)} on the page. Read the page again: its references are those of the last reading.`,
      { details: { ref } },
    );
  }
}

async function choose(element: Locator, value: JsonValue): Promise<void> {
  const wanted = (Array.isArray(value) ? value : [value]).map(String);
  const options = await element.evaluate((node) =>
    [...(node as HTMLSelectElement).options].map((option) => ({
      value: option.value,
      label: option.label.trim(),
    })),
  );
  const values = wanted.map((each) => {
    const found =
      options.find((option) => option.value === each) ??
      options.find((option) => option.label === each.trim());
    if (found !== undefined) return found.value;
    throw new Error(`its options are ${options.map((option) => option.label).join(', ')}.`);
  });
  await element.selectOption(values, { timeout: 5000 });
}

/** `textbox "Full name" [ref=e3]`: the reference right behind the name, and nothing that only a cursor cares for. */
function linesOf(lines: readonly string[]): string {
  return lines
    .map((line) => {
      const ref = / \[ref=[^\]]+\]/.exec(line)?.[0];
      const plain = line.replace(' [cursor=pointer]', '').replace(/^(\s*)- /, '$1');
      if (ref === undefined) return plain;
      const without = plain.replace(ref, '');
      return without.replace(/^(\s*'?[\w-]+(?: "(?:[^"\\]|\\.)*"| \/[^/]+\/)?)/, `$1${ref}`);
    })
    .join('\n');
}
