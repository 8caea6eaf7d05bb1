import { sleep } from '../../base/host/clock.ts';
import type { Action } from '../../base/message/action.ts';
import type { Computer } from './computer.ts';
import { effectText, type Glance, nothingChanged } from './effect.ts';

/** How many moments a slow change gets to show itself before we say that nothing changed. */
const moments = 3;
const momentMs = 60;

const looks =
  /^(screenshot|zoom|open_browser|wait|cursor_position|element_read|element_find|page_|tab_list|run_script|done|remember|other)/;

/** What came of each action of a call that may change something. */
export class EffectWatch {
  readonly #computer: Computer;
  readonly #last: Action | undefined;
  #seen: Glance | undefined;
  readonly #told: { readonly action: Action; readonly text: string }[] = [];

  private constructor(computer: Computer, last: Action | undefined) {
    this.#computer = computer;
    this.#last = last;
  }

  static async begin(
    actions: readonly Action[],
    computer: Computer,
    signal: AbortSignal,
  ): Promise<EffectWatch> {
    const last = actions.findLast(({ type }) => !looks.test(type));
    const watch = new EffectWatch(computer, last);
    if (last !== undefined) watch.#seen = await computer.glance(signal);
    return watch;
  }

  /** Looks what an action changed. Only the last one is given time: the others are followed by more. */
  async after(
    action: Action,
    { isPatient, signal }: { readonly isPatient: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const before = this.#seen;
    if (before === undefined || looks.test(action.type)) return;
    // All that can be told of a display is that it changed, so saying it once is enough.
    if (action !== this.#last && this.#computer.environment === 'desktop') return;
    let left = isPatient && action === this.#last && action.type !== 'move' ? moments : 0;
    for (;;) {
      const now = await this.#computer.glance(signal);
      this.#seen = now;
      if (now === undefined) return;
      const text = effectText(before, now);
      if (text !== nothingChanged || left-- === 0) {
        this.#told.push({ action, text });
        return;
      }
      await sleep(momentMs, { signal });
    }
  }

  /** A picture has been taken meanwhile: that was time enough. */
  async again(signal: AbortSignal): Promise<void> {
    const last = this.#told.at(-1);
    if (last?.text !== nothingChanged || last.action.type === 'move') return;
    this.#told.pop();
    await this.after(last.action, { isPatient: false, signal });
  }

  /** In words, undefined where there is nothing to tell. */
  get text(): string | undefined {
    // A pointer that moves is all that a move is for.
    const told = this.#told.filter(({ action, text }) => action.type !== 'move' || text !== nothingChanged);
    if (told.length <= 1) return told[0]?.text;
    if (told.every(({ text }) => text === nothingChanged)) return nothingChanged;
    return told.map(({ action, text }) => `${action.type}: ${text}`).join(' ');
  }
}
