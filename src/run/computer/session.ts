import { sleep } from '../../base/host/clock.ts';
import { type ErrorCode, isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import type { Action } from '../../base/message/action.ts';
import type { Size } from '../../base/message/frame.ts';
import { checkAction, ownSeconds } from './check-action.ts';
import type { Computer, ComputerEvent } from './computer.ts';
import { Deadline, untilAborted } from './deadline.ts';
import { effectText, type Glance, nothingChanged } from './effect.ts';
import { performChecked } from './perform.ts';
import { crop, type Picture } from './picture/picture.ts';
import { writePng } from './picture/png.ts';
import { scaleTo } from './picture/scale.ts';

export interface SessionOptions {
  /** What a call may take beyond its own waiting and holding, in seconds; 15 unless told. */
  readonly timeout?: number;
  /** Scripts of the model may run in the page. */
  readonly javascript?: boolean;
}

/** Why a call failed, and which of its actions it was. */
export interface CallFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly at: number;
}

/** What became of a call. */
export interface CallOutcome {
  readonly failure?: CallFailure;
  /** What the actions answered in words. */
  readonly texts: readonly string[];
  /** A PNG of exactly the size of the display. */
  readonly picture?: Buffer;
  /** What came of the actions that may change something, in words. */
  readonly effect?: string;
  readonly url: string;
  readonly events: readonly ComputerEvent[];
}

export interface CallRequest {
  readonly actions: readonly Action[];
  /** The size of the pictures that the model is shown, in whose pixels it counts. */
  readonly display: Size;
  /** A picture of the end, also where no action asks for one. */
  readonly wantsPicture?: boolean;
  readonly signal?: AbortSignal;
}

/** Whoever answers calls with actions: a computer, or the record of one. */
export interface CallPerformer {
  perform(request: CallRequest): Promise<CallOutcome>;
}

/** Performs calls on a computer, one after the other, each in bounded time. */
export class ComputerSession implements CallPerformer {
  readonly computer: Computer;
  readonly #timeout: number;
  readonly #javascript: boolean;
  #last: Buffer | undefined;

  constructor(computer: Computer, { timeout = 15, javascript = false }: SessionOptions = {}) {
    this.computer = computer;
    this.#timeout = timeout;
    this.#javascript = javascript;
  }

  /** Why some actions cannot be done, as far as that can be said before any of them is begun. */
  fault(actions: readonly Action[], display: Size): CallFailure | undefined {
    const { screen, pace } = this.computer;
    for (const [at, action] of actions.entries()) {
      try {
        checkAction(action, { display, screen, pace, timeout: this.#timeout });
      } catch (error) {
        return { ...told(error), at };
      }
    }
    return undefined;
  }

  async perform({ actions, display, wantsPicture = false, signal }: CallRequest): Promise<CallOutcome> {
    const { computer } = this;
    const own = actions.reduce((sum, action) => sum + ownSeconds(action), 0);
    using deadline = new Deadline(own + this.#timeout, { unless: signal });
    const texts: string[] = [];
    let picture: Buffer | undefined;
    let failure: CallFailure | undefined;
    let effect: string | undefined;
    let at = 0;
    try {
      failure = this.fault(actions, display);
      if (failure !== undefined) throw new WhetstoneError(failure.code, failure.message);
      await untilAborted(computer.ready(deadline.signal), deadline.signal);
      const signal = AbortSignal.any([deadline.signal, computer.lost]);
      const before = actions.some(mayChange) ? await computer.glance(signal) : undefined;
      for (; at < actions.length; at++) {
        const action = actions[at]!;
        const context = { signal, display, javascript: this.#javascript };
        const effect = await performChecked(action, computer, context);
        if (effect.text !== undefined) texts.push(effect.text);
        if (effect.picture !== undefined) picture = shown(effect.picture, action, display);
      }
      at = Math.max(0, actions.length - 1);
      if (before !== undefined) effect = await this.#effect(before, actions, signal);
      const isSeen = picture !== undefined && isLook(actions.at(-1));
      if (wantsPicture && !isSeen) picture = shown(await computer.look(signal), undefined, display);
    } catch (error) {
      failure ??= { ...told(error), at };
      await computer.recover(deadline.signal.aborted).catch(() => undefined);
      if (wantsPicture) picture = (await this.#lastLook(display)) ?? this.#last;
    }
    if (picture !== undefined) this.#last = picture;
    return {
      ...(failure !== undefined && { failure }),
      texts,
      ...(picture !== undefined && { picture }),
      ...(effect !== undefined && { effect }),
      url: computer.address(),
      events: computer.takeEvents(),
    };
  }

  /** What is slow to show itself gets a moment before it is said that nothing changed. */
  async #effect(
    before: Glance,
    actions: readonly Action[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    for (let left = latecomers; ; left--) {
      const after = await this.computer.glance(signal);
      if (after === undefined) return undefined;
      const text = effectText(before, after);
      if (text !== nothingChanged) return text;
      // A pointer that moves is all that a move is for.
      if (actions.every(({ type }) => type === 'move')) return undefined;
      if (left === 0) return text;
      await sleep(lateMs, { signal });
    }
  }

  /** What there is to be seen after a failure, if that can be said quickly. */
  async #lastLook(display: Size): Promise<Buffer | undefined> {
    using grace = new Deadline(2);
    try {
      return shown(await untilAborted(this.computer.look(grace.signal), grace.signal), undefined, display);
    } catch {
      return undefined;
    }
  }
}

/** The screen at the size that the model is shown; of a zoom, its region at that size. */
function shown(picture: Picture, action: Action | undefined, display: Size): Buffer {
  if (action?.type !== 'zoom') return writePng(scaleTo(picture, display));
  const frame = action.frame ?? { kind: 'image' as const, ...display };
  const inFrame = frame.kind === 'grid' ? { width: frame.size, height: frame.size } : frame;
  const across = picture.width / inFrame.width;
  const down = picture.height / inFrame.height;
  const [x0, y0, x1, y1] = action.region;
  const region = { x: x0 * across, y: y0 * down, width: (x1 - x0) * across, height: (y1 - y0) * down };
  return writePng(scaleTo(crop(picture, region), display));
}

const latecomers = 3;
const lateMs = 60;

const looks =
  /^(screenshot|zoom|open_browser|wait|cursor_position|element_read|element_find|page_|tab_list|run_script|done|remember|other)/;

function mayChange({ type }: Action): boolean {
  return !looks.test(type);
}

function isLook(action: Action | undefined): boolean {
  return action?.type === 'screenshot' || action?.type === 'open_browser' || action?.type === 'zoom';
}

function told(error: unknown): { readonly code: ErrorCode; readonly message: string } {
  if (isWhetstoneError(error)) return { code: error.code, message: error.message };
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  // What a driver says of a page that has gone, and of what it could not do.
  return { code: /closed|crashed|disconnected/i.test(message) ? 'computer_lost' : 'action_invalid', message };
}
