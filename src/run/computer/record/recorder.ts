import { systemClock } from '../../../base/host/clock.ts';
import type { Action, Point } from '../../../base/message/action.ts';
import { safeAsObject } from '../../../base/message/action-object.ts';
import { fromScreen } from '../../../base/message/frame.ts';
import type { Size } from '../../../base/message/frame.ts';
import { within } from '../../display/deadline.ts';
import { joinEffects } from '../effect.ts';
import { mapTexts, withoutWords } from '../hidden-words.ts';
import type { CallOutcome, CallPerformer, CallRequest, ComputerSession } from '../session.ts';
import { RecordWriter } from './record.ts';
import { singleSteps } from './steps.ts';

const hiddenSign = '•';
/** Shorter words are hidden where they were typed, and not everywhere. */
const shortestHidden = 3;

/** Performs on a computer, and keeps what was done in a folder. After every step there is a picture. */
export class Recorder implements CallPerformer {
  readonly #session: ComputerSession;
  readonly #writer: RecordWriter;
  readonly #begun = systemClock.monotonic();
  /** What was typed where it is masked: a page may show it again, and its address may hold it. */
  readonly #hidden = new Set<string>();

  private constructor(session: ComputerSession, writer: RecordWriter) {
    this.#session = session;
    this.#writer = writer;
  }

  static async open(session: ComputerSession, folder: string): Promise<Recorder> {
    return new Recorder(session, await RecordWriter.create(folder, session.computer));
  }

  async perform({ actions, display, wantsPicture = false, signal }: CallRequest): Promise<CallOutcome> {
    const { computer } = this.#session;
    const fault = this.#session.fault(actions, display);
    const steps = actions.flatMap((action, at) => singleSteps(action).map((step) => ({ step, at })));
    const texts: string[] = [];
    const effects: (string | undefined)[] = [];
    const events: CallOutcome['events'][number][] = [];
    let last: CallOutcome = { texts, url: computer.address(), events };
    let asked: Buffer | undefined;
    // Nothing is begun where one of them cannot be done: that one is recorded with its fault.
    const begun = fault === undefined ? steps : steps.filter(({ at }) => at === fault.at).slice(0, 1);
    for (const { step, at } of begun) {
      last = await this.#step(fault === undefined ? step : actions[fault.at]!, display, signal);
      texts.push(...last.texts);
      effects.push(last.effect);
      events.push(...last.events);
      if (step.type === 'screenshot' || step.type === 'zoom') asked = last.picture;
      if (last.failure !== undefined) {
        last = { ...last, failure: { ...last.failure, at } };
        break;
      }
    }
    if (begun.length === 0 && wantsPicture)
      last = await this.#session.perform({ actions, display, wantsPicture });
    const { picture: _picture, effect: _effect, ...rest } = last;
    const picture = wantsPicture ? last.picture : asked;
    const effect = joinEffects(effects);
    return {
      ...rest,
      texts,
      events,
      ...(picture !== undefined && { picture }),
      ...(effect !== undefined && { effect }),
    };
  }

  async #step(action: Action, display: Size, signal: AbortSignal | undefined): Promise<CallOutcome> {
    const begun = systemClock.monotonic();
    const isHiddenBefore = await this.#hidesTyping(action);
    const outcome = await this.#session.perform({
      actions: [action],
      display,
      wantsPicture: true,
      ...(signal !== undefined && { signal }),
    });
    const isHidden = isHiddenBefore || (await this.#hidesTyping(action));
    if (isHidden) this.#hide(action);
    const { failure, picture } = outcome;
    const told = (text: string): string => withoutWords(text, this.#hidden);
    await this.#writer.write({
      action: kept(action, isHidden),
      ...(isHidden && { masked: true as const }),
      ...(failure !== undefined && { failure: { code: failure.code, message: told(failure.message) } }),
      texts: outcome.texts.map(told),
      ...(outcome.effect !== undefined && !isHidden && { effect: told(outcome.effect) }),
      ...(picture !== undefined && { picture: await this.#writer.keepPicture(picture) }),
      display,
      cursor: await this.#cursor(display),
      url: told(outcome.url),
      events: outcome.events.map((event) => mapTexts(event, told)),
      at: Math.round(begun - this.#begun),
      ms: Math.round(systemClock.monotonic() - begun),
    });
    return outcome;
  }

  async #hidesTyping(action: Action): Promise<boolean> {
    const { computer } = this.#session;
    if (!typing.has(action.type) || computer.hidesTyping === undefined) return false;
    // Who cannot say is taken to have something to hide.
    const answer = computer.hidesTyping(new AbortController().signal).catch(() => true);
    return (await within(answer, 1000)) ?? true;
  }

  #hide(action: Action): void {
    const word =
      action.type === 'type' ? action.text : action.type === 'element_set_value' ? action.value : '';
    if (typeof word === 'string' && word.length >= shortestHidden) this.#hidden.add(word);
  }

  async #cursor(display: Size): Promise<Point> {
    const { computer } = this.#session;
    const none: Point = [0, 0];
    const at =
      (await within(
        computer.cursor(new AbortController().signal).catch(() => none),
        1000,
      )) ?? none;
    return fromScreen(at, { kind: 'image', ...display }, computer.screen);
  }
}

const typing: ReadonlySet<Action['type']> = new Set([
  'type',
  'keypress',
  'keypress_hold',
  'key_down',
  'key_up',
  'element_set_value',
]);

/** The action as it is kept: without what only its call needs, and without what was typed where it is hidden. */
function kept(action: Action, isHidden: boolean): Action {
  const { callId: _callId, raw: _raw, batch: _batch, ...plain } = safeAsObject(action);
  if (!isHidden) return plain as unknown as Action;
  const hide = (text: string): string => ([...text].length === 1 ? hiddenSign : text);
  switch (action.type) {
    case 'type':
      return { ...plain, text: hiddenSign } as unknown as Action;
    case 'element_set_value':
      return { ...plain, value: hiddenSign } as unknown as Action;
    case 'keypress':
    case 'keypress_hold':
      return { ...plain, keys: action.keys.map(hide) } as unknown as Action;
    case 'key_down':
    case 'key_up':
      return { ...plain, key: hide(action.key) } as unknown as Action;
    default:
      return plain as unknown as Action;
  }
}
