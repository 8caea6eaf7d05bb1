import { systemClock } from '../../../base/host/clock.ts';
import { isWhetstoneError } from '../../../base/host/errors.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { Action } from '../../../base/message/action.ts';
import { safeAsObject } from '../../../base/message/action-object.ts';
import type { Call } from '../../../base/message/call.ts';
import type { Size } from '../../../base/message/frame.ts';
import type { ResultPart } from '../../../base/message/part.ts';
import type { Result } from '../../../base/message/result.ts';
import type { ComputerEvent } from '../../../run/computer/computer.ts';
import { nothingChanged } from '../../../run/computer/effect.ts';
import { eventText } from '../../../run/computer/event-text.ts';
import { writePng } from '../../../run/display/picture/png.ts';
import type { CallOutcome, CallPerformer } from '../../../run/computer/session.ts';
import type { ComputerBlocks } from '../../../wire/computer-block.ts';

export interface LineOptions {
  readonly blocks: ComputerBlocks;
  readonly performer: CallPerformer;
  /** The size of the pictures for a call. */
  readonly display: (call: Call) => Size;
  /** The person agrees to every safety check. */
  readonly acknowledge: boolean;
  readonly signal: AbortSignal;
}

/** What a line of the command answers. */
export interface LineAnswer {
  readonly actions: readonly JsonObject[];
  readonly ok: boolean;
  readonly error?: { readonly code: string; readonly message: string; readonly at: number };
  readonly result: JsonValue;
  readonly events?: readonly ComputerEvent[];
  readonly ms: number;
}

/** Performs the call of a line, or the calls of a turn in order up to the first that fails, and answers all of them. */
export async function answerLine(text: string, options: LineOptions): Promise<LineAnswer> {
  const begun = systemClock.monotonic();
  const took = (): number => Math.round(systemClock.monotonic() - begun);
  let calls: readonly Call[];
  let isTurn: boolean;
  try {
    const value = readJson(text);
    isTurn = Array.isArray(value);
    const blocks = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    if (blocks.length === 0) throw new SyntaxError('The list of calls is empty: there is nothing to do.');
    calls = blocks.map((block) => options.blocks.read(block));
  } catch (error) {
    const code = isWhetstoneError(error) ? error.code : 'computer_call_unreadable';
    const { message } = error as Error;
    return { actions: [], ok: false, error: { code, message, at: 0 }, result: null, ms: took() };
  }
  const results: JsonValue[] = [];
  const events: ComputerEvent[] = [];
  let failed: LineAnswer['error'];
  let before = 0;
  for (const call of calls) {
    if (failed === undefined) {
      const outcome = await performCall(call, options);
      events.push(...outcome.events);
      if (outcome.failure !== undefined) failed = { ...outcome.failure, at: before + outcome.failure.at };
      results.push(options.blocks.write(call, resultOf(call, outcome, options)));
    } else results.push(options.blocks.write(call, notExecuted(call, options)));
    before += call.actions?.length ?? 0;
  }
  return {
    actions: calls.flatMap((call) => call.actions ?? []).map(plainAction),
    ok: failed === undefined,
    ...(failed !== undefined && { error: failed }),
    result: isTurn ? results : (results[0] ?? null),
    ...(events.length > 0 && { events }),
    ms: took(),
  };
}

function readJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new SyntaxError(`The line is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

async function performCall(call: Call, options: LineOptions): Promise<CallOutcome> {
  const checks = call.safetyChecks ?? [];
  const display = options.display(call);
  if (checks.length > 0 && !options.acknowledge) {
    const said = checks.map(({ code, message }) => message ?? code ?? 'no reason was given').join('; ');
    const message = `The provider asks for a person's consent first: ${said}. Nothing was done.`;
    const failure = { code: 'safety_unacknowledged', message, at: 0 } as const;
    // The picture that goes with a refusal is of the screen as it is.
    const seen = options.blocks.wantsPicture
      ? await options.performer.perform({ actions: [], display, wantsPicture: true, signal: options.signal })
      : undefined;
    return { texts: [], url: 'about:blank', events: [], ...seen, failure };
  }
  return options.performer.perform({
    actions: call.actions ?? [],
    display,
    wantsPicture: options.blocks.wantsPicture,
    signal: options.signal,
  });
}

/** What was last shown, by the computer that showed it: it is kept where there is nothing to be shown. */
const lastShown = new WeakMap<CallPerformer, Buffer>();

function resultOf(call: Call, outcome: CallOutcome, options: LineOptions): Result {
  const { failure, picture } = outcome;
  if (picture !== undefined) lastShown.set(options.performer, picture);
  const words = [
    ...(failure === undefined ? outcome.texts : [failure.message]),
    ...outcome.events.flatMap((event) => eventText(event) ?? []),
    // What did change is shown by the picture, or asked for.
    ...(failure === undefined && outcome.effect === nothingChanged ? [`OK. ${nothingChanged}`] : []),
  ];
  const image = picture ?? (options.blocks.wantsPicture ? lastPicture(call, options) : undefined);
  const isWordless = words.length === 0 && image === undefined;
  const content: ResultPart[] = (isWordless ? ['OK'] : words).map((text) => ({ type: 'text', text }));
  if (image !== undefined) content.push(imageOf(image));
  const isUndone = failure?.code === 'safety_unacknowledged' || failure?.code === 'departed';
  const agreed = isUndone ? [] : (call.safetyChecks ?? []);
  return {
    callId: call.id,
    name: call.name,
    content: content.length > 1 && failure === undefined ? joined(content) : content,
    ...(failure !== undefined && { isError: true, errorCode: failure.code }),
    ...(agreed.length > 0 && { acknowledgedSafetyChecks: agreed.map(({ id }) => id) }),
    artifact: { url: outcome.url },
  };
}

function notExecuted(call: Call, options: LineOptions): Result {
  const content: ResultPart[] = [{ type: 'text', text: options.blocks.notExecuted(call) }];
  if (options.blocks.wantsPicture) content.push(imageOf(lastPicture(call, options)));
  return { callId: call.id, name: call.name, content, isError: true, artifact: { url: 'about:blank' } };
}

/** One text before the picture, however much was said. */
function joined(content: readonly ResultPart[]): readonly ResultPart[] {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const rest = content.filter((part) => part.type !== 'text');
  return text === '' ? rest : [{ type: 'text', text }, ...rest];
}

function lastPicture(call: Call, options: LineOptions): Buffer {
  const last = lastShown.get(options.performer);
  if (last !== undefined) return last;
  const size = options.display(call);
  return writePng({ ...size, data: new Uint8Array(size.width * size.height * 4) });
}

function imageOf(picture: Buffer): ResultPart {
  return {
    type: 'image',
    source: { kind: 'base64', data: picture.toString('base64'), mediaType: 'image/png' },
  };
}

/** The action as it is, without the bookkeeping of the call that it came in. */
function plainAction(action: Action): JsonObject {
  const { callId: _callId, raw: _raw, batch: _batch, safety: _safety, ...plain } = safeAsObject(action);
  return plain;
}
