import { withoutWords } from '../hidden-words.ts';
import type { BrowserContext, Frame } from './playwright.ts';

const binding = 'whetstoneTyped';
/** Marks the elements that hold what a person typed. */
const mark = 'data-whetstone-theirs';
/** Shorter words are hidden where they were typed, and not everywhere. */
const shortest = 3;

/** What a person typed while the browser was theirs: from then on it is in no picture and in no words. */
export class TypedByPerson {
  /** Kept in memory alone. */
  readonly #words = new Set<string>();
  #isWatched = false;
  #isTheirs = false;
  #hasMarks = false;

  /** Listens from now on, in every frame that is there or comes. */
  async begin(context: BrowserContext): Promise<void> {
    this.#isTheirs = true;
    if (this.#isWatched) return;
    this.#isWatched = true;
    await context.exposeBinding(binding, (_source, value: string) => this.#take(value));
    await context.addInitScript(listen, [binding, mark] as const);
    for (const page of context.pages())
      await inFrames(page.frames(), (frame) => frame.evaluate(listen, [binding, mark] as const));
  }

  /** Waits until all of it is known. */
  async end(context: BrowserContext): Promise<void> {
    for (const page of context.pages())
      await inFrames(page.frames(), (frame) => frame.evaluate(untilTold, binding));
    this.#isTheirs = false;
  }

  /** Whether what a page tells was typed by the person. */
  #take(value: string): boolean {
    if (!this.#isTheirs) return false;
    this.#hasMarks = true;
    // As a word grows, only the whole of it is kept.
    for (const word of this.#words) if (value.startsWith(word)) this.#words.delete(word);
    if (value.length >= shortest) this.#words.add(value);
    return true;
  }

  /** What hides it in these frames, where a page has shown it again too. */
  async selector(frames: readonly Frame[]): Promise<string | undefined> {
    if (!this.#hasMarks) return undefined;
    const words = [...this.#words];
    await inFrames(frames, (frame) => frame.evaluate(markWords, { words, mark }));
    return `[${mark}]`;
  }

  /** The words without it. */
  without(text: string): string {
    return withoutWords(text, this.#words);
  }
}

/** A frame that goes meanwhile has nothing to hide. */
async function inFrames(frames: readonly Frame[], work: (frame: Frame) => Promise<unknown>): Promise<void> {
  await Promise.all(frames.map((frame) => work(frame).catch(() => undefined)));
}

type Told = ((value: string) => Promise<boolean>) & { last?: Promise<unknown> };

/** Runs in the page, so it may use nothing of this file. */
function listen([name, attribute]: readonly [string, string]): void {
  addEventListener(
    'input',
    (event) => {
      const field = event.composedPath()[0];
      const tell = (window as unknown as Record<string, Told>)[name];
      if (!(field instanceof HTMLElement) || tell === undefined) return;
      const value = 'value' in field ? String(field.value) : field.innerText;
      tell.last = tell(value).then((isTheirs) => isTheirs && field.setAttribute(attribute, ''));
    },
    true,
  );
}

/** Runs in the page too. */
function untilTold(name: string): Promise<unknown> | undefined {
  return (window as unknown as Record<string, Told>)[name]?.last;
}

/** Runs in the page too. */
function markWords({ words, mark }: { readonly words: readonly string[]; readonly mark: string }): void {
  const holds = (text: string | null): boolean => words.some((word) => text?.includes(word) === true);
  const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    if (holds(node.nodeValue)) node.parentElement?.setAttribute(mark, '');
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea'))
    if (holds(field.value)) field.setAttribute(mark, '');
}
