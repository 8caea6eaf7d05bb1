import { type ErrorCode, isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import type { Action } from '../../base/message/action.ts';
import { requiresLocalExecution } from '../../base/message/call.ts';
import type { Size } from '../../base/message/frame.ts';
import { Deadline, untilAborted } from '../display/deadline.ts';
import { crop, type Picture } from '../display/picture/picture.ts';
import { writePng } from '../display/picture/png.ts';
import { scaleTo } from '../display/picture/scale.ts';
import { checkAction, ownSeconds } from './check-action.ts';
import type { Computer, ComputerEvent } from './computer.ts';
import { asCall, refuseWhileTheirs } from './hand-over.ts';
import { mapTexts } from './hidden-words.ts';
import { performChecked } from './perform.ts';
import { EffectWatch } from './watch-effects.ts';

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

/** What carries out the actions of calls: a computer, or the record of one. */
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
      // What is done elsewhere is only told.
      if (!requiresLocalExecution(action)) continue;
      try {
        checkAction(action, { display, screen, pace, timeout: this.#timeout });
      } catch (error) {
        return { ...told(error), at };
      }
    }
    return undefined;
  }

  perform(request: CallRequest): Promise<CallOutcome> {
    return asCall(this.computer, this.#perform(request));
  }

  async #perform({ actions, display, wantsPicture = false, signal }: CallRequest): Promise<CallOutcome> {
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
      refuseWhileTheirs(computer);
      await untilAborted(computer.ready(deadline.signal), deadline.signal);
      const signal = AbortSignal.any([deadline.signal, computer.lost]);
      const ours = actions.filter(requiresLocalExecution);
      const effects = await EffectWatch.begin(ours, computer, signal);
      const isLookedAt = wantsPicture && !isLook(ours.at(-1));
      for (; at < actions.length; at++) {
        const action = actions[at]!;
        if (!requiresLocalExecution(action)) continue;
        const context = { signal, display, javascript: this.#javascript };
        const answer = await performChecked(action, computer, context);
        if (answer.text !== undefined) texts.push(answer.text);
        if (answer.picture !== undefined) picture = shown(answer.picture, action, display);
        await effects.after(action, { isPatient: !isLookedAt, signal });
      }
      at = Math.max(0, actions.length - 1);
      if (isLookedAt) {
        picture = shown(await computer.look(signal), undefined, display);
        await effects.again(signal);
      }
      effect = effects.text;
    } catch (error) {
      failure ??= { ...told(error), at };
      const isTheirs = failure.code === 'computer_taken';
      if (!isTheirs) await computer.recover(deadline.signal.aborted).catch(() => undefined);
      if (wantsPicture) picture = (isTheirs ? undefined : await this.#lastLook(display)) ?? this.#last;
    }
    if (picture !== undefined) this.#last = picture;
    const hide = (text: string): string => computer.withoutTyped?.(text) ?? text;
    return {
      ...(failure !== undefined && { failure: { ...failure, message: hide(failure.message) } }),
      texts: texts.map(hide),
      ...(picture !== undefined && { picture }),
      ...(effect !== undefined && { effect: hide(effect) }),
      url: computer.address(),
      events: computer.takeEvents().map((event) => mapTexts(event, hide)),
    };
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

function isLook(action: Action | undefined): boolean {
  return action?.type === 'screenshot' || action?.type === 'open_browser' || action?.type === 'zoom';
}

function told(error: unknown): { readonly code: ErrorCode; readonly message: string } {
  if (isWhetstoneError(error)) return { code: error.code, message: error.message };
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  // What a driver says of a page that has gone, and of what it could not do.
  if (/closed|crashed|disconnected/i.test(message))
    return { code: 'computer_lost', message: 'Meanwhile the page has closed, or the computer has died.' };
  return { code: 'action_invalid', message };
}
