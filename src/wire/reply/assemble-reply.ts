import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import { LiveReply } from '../../base/message/live-reply.ts';
import type { ModelError, ModelEvent, Reply, ReplyTokens } from '../../base/message/model.ts';
import type { AssistantPart } from '../../base/message/part.ts';
import type { Finish, Usage } from '../../base/message/usage.ts';
import type { ReadContext } from '../adapter.ts';
import { raiseCall } from '../request/bind-tools.ts';
import { cutsCalls } from './finish.ts';
import { FreeText } from './free-text.ts';
import { omitUndefined } from '../json-fields.ts';
import { callOf, isSurelyWhole, openPart, wordsOf } from './open-part.ts';
import type { OpenPart } from './open-part.ts';
import { isWrapper, unwrapParallel } from '../parallel.ts';
import { streamedArguments } from './reply-events.ts';
import { TokensSoFar } from '../tokens.ts';

/** How the provider tells the parts of one reply apart: an index, an id, or a word for the only one of its kind. */
export type PartKey = string | number;

export interface CallHead {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly kind?: Call['kind'];
  readonly requiresLocalExecution?: boolean;
  /** What must go back with the call. */
  readonly data?: JsonObject | undefined;
}

/** A call that is arriving; `wireId` is the id as its provider gave it, empty when it gave none. */
export interface CallSoFar {
  readonly id: string;
  readonly wireId: string;
  readonly name: string;
  readonly text: string;
}

/**
 * Puts one reply together, streamed or whole, and says meanwhile what happens: the one place that knows when
 * a call is complete. An API's reader only says which of its chunks means what.
 *
 * A call is complete when its provider has gone on past it, or has ended the reply with a reason that cuts
 * nothing. That its arguments parse is never enough (`max_tokens` also closes a block), and is needed
 * besides when the sign is only that another part began: some servers interleave their calls.
 */
export class ReplyAssembler {
  readonly #api: string;
  readonly #context: ReadContext;
  readonly #finishCall: (call: Call) => Call;
  readonly #byKey = new Map<PartKey, OpenPart>();
  /** What has been told: the reply that these events make. */
  readonly #soFar = new LiveReply();
  /** Text and thoughts that may go on. */
  #words: OpenPart[] = [];
  #waiting: OpenPart[] = [];
  #events: ModelEvent[] = [];
  #ids = new Set<string>();
  #calls = 0;
  #slots = 0;
  #model: string | undefined;
  #finish: Finish | undefined;
  readonly #tokens = new TokensSoFar();
  readonly #reports: JsonObject[] = [];
  #providerData: JsonObject | undefined;
  #closed = false;

  /** `finishCall` reads in a call that is whole what only its API can: the actions on a computer, say. */
  constructor(api: string, context: ReadContext = {}, finishCall: (call: Call) => Call = (call) => call) {
    this.#api = api;
    this.#context = context;
    this.#finishCall = finishCall;
    this.#model = context.model;
  }

  /** The finish reason, once the provider has given one. */
  get finish(): Finish | undefined {
    return this.#finish;
  }

  get hasError(): boolean {
    return this.#soFar.error !== undefined;
  }

  start(id: string | undefined, model: string | undefined): void {
    if (this.#soFar.id !== undefined || (id === undefined && this.#slots > 0)) return;
    this.#model = model ?? this.#model;
    this.#tell(omitUndefined({ type: 'start' as const, id, model }));
  }

  text(key: PartKey, text: string): void {
    this.#write('text', key, text);
  }

  reasoning(key: PartKey, text: string): void {
    this.#write('reasoning', key, text);
  }

  refusal(key: PartKey, text: string): void {
    this.#write('refusal', key, text);
  }

  /** Begins a call or learns more of it: the first name that is not empty is kept, and so is the first id. */
  call(key: PartKey, head: CallHead): void {
    const part = this.#byKey.get(key) ?? this.#open('call', key);
    part.wireId ||= head.id ?? '';
    part.name ||= head.name ?? '';
    part.callKind = head.kind ?? part.callKind;
    part.local = head.requiresLocalExecution ?? part.local;
    if (head.data !== undefined) part.data = { ...part.data, ...head.data };
    // An id may still come after the name, but not after the arguments have begun.
    if (part.name !== '' && part.wireId !== '') this.#announce(part);
  }

  /** The call under this key, so that a reader can tell a new one from a continuation. */
  callAt(key: PartKey): CallSoFar | undefined {
    const part = this.#byKey.get(key);
    return part?.kind === 'call' ? part : undefined;
  }

  /** More of a call's arguments. */
  arguments(key: PartKey, text: string): void {
    const part = this.#byKey.get(key);
    if (part === undefined || text === '' || part.done) return;
    if (part.name !== '') this.#announce(part);
    part.text += text;
    part.whole = undefined;
    part.atOnce = false;
    if (part.announced) this.#tellArguments(part, text);
  }

  /** A call's arguments at once, as the provider's own object or as its final text. */
  wholeArguments(key: PartKey, value: JsonObject | string): void {
    const part = this.#byKey.get(key);
    if (part === undefined || part.done) return;
    if (part.name !== '') this.#announce(part);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (part.text === '' && part.announced) this.#tellArguments(part, text);
    part.text = text;
    part.whole = typeof value === 'string' ? undefined : value;
    part.atOnce = true;
  }

  /** What must go back with this part; later fields lie over earlier ones. */
  remember(key: PartKey, data: JsonObject | undefined): void {
    const part = this.#byKey.get(key);
    if (part !== undefined && data !== undefined) part.data = { ...part.data, ...data };
  }

  /** One more of a list that must go back with this part. */
  append(key: PartKey, field: string, value: JsonValue): void {
    const list = this.#byKey.get(key)?.data?.[field];
    this.remember(key, { [field]: [...(Array.isArray(list) ? (list as readonly JsonValue[]) : []), value] });
  }

  /** Reasoning of which only the opaque state is shown. */
  redact(key: PartKey): void {
    const part = this.#byKey.get(key) ?? this.#open('reasoning', key);
    part.redacted = true;
  }

  /** A part that came whole: an image, a hosted result, a block that only its API knows. */
  part(key: PartKey, whole: AssistantPart): void {
    const part = this.#open('part', key);
    part.done = true;
    this.#tell({ type: 'part', slot: part.slot, part: whole });
  }

  /** The provider has ended this part. `certain`: its word is enough to run a call. */
  end(key: PartKey, certain = false): void {
    const part = this.#byKey.get(key);
    if (part === undefined) return;
    part.ended = true;
    if (part.kind !== 'call') this.#close(part);
    else if (certain) this.#release([part]);
  }

  /** Token by token, where the request asked for it; what comes later goes on where this ends. */
  tokens(more: ReplyTokens): void {
    this.#tokens.add(more);
  }

  /** Fields of the reply itself that only its API knows. */
  replyData(data: JsonObject | undefined): void {
    if (data !== undefined) this.#providerData = { ...this.#providerData, ...data };
  }

  /** The last value counts: providers repeat cumulative counters. */
  usage(usage: Usage | undefined): void {
    if (usage === undefined) return;
    this.#tell({ type: 'usage', usage });
  }

  /** The first error is the one that broke the reply. */
  error(error: ModelError): void {
    if (this.hasError) return;
    this.#tell({ type: 'error', error });
  }

  /** The provider has said why the reply ends. */
  stop(finish: Finish): void {
    this.#finish = finish;
    if (cutsCalls(finish.reason)) return;
    this.#closeWords();
    this.#release(this.#waiting);
  }

  /** Another reply begins where this one had not ended: what was open is cut, and the message begins again. */
  restart(): void {
    this.#cutWaiting();
    this.#words = [];
    this.#byKey.clear();
    this.#soFar.restart();
    this.#finish = undefined;
  }

  /** The reply is over. `complete`: its provider ended it properly (by default: it gave a reason and no error). */
  close(complete: boolean = this.#finish !== undefined && !this.hasError): Reply {
    this.#closeWords();
    if (complete && !cutsCalls(this.#finish?.reason ?? 'stop')) this.#release(this.#waiting);
    this.#cutWaiting();
    const reply = this.#reply(complete);
    if (!this.#closed) this.#tell({ type: 'finish', reply });
    this.#closed = true;
    return reply;
  }

  /** What has happened since the last time this was asked. */
  take(): readonly ModelEvent[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  #reply(complete: boolean): Reply {
    const { wholeParts: content, usage, id, error } = this.#soFar;
    return omitUndefined({
      message: {
        role: 'assistant' as const,
        content,
        from: { api: this.#api, model: this.#model ?? '' },
      },
      finish: this.#finish ?? { reason: error === undefined ? ('other' as const) : ('error' as const) },
      usage,
      id,
      complete,
      error,
      tokens: this.#tokens.all,
      reports: this.#reports.length > 0 ? this.#reports : undefined,
      providerData: this.#providerData,
    });
  }

  #write(kind: 'text' | 'reasoning' | 'refusal', key: PartKey, text: string): void {
    const known = this.#byKey.get(key);
    if (text === '' && known !== undefined) return;
    // Some servers give a reason to end with each piece, or go on after it.
    const part = known === undefined || known.done ? this.#open(kind, key) : known;
    if (text === '') return;
    part.text += text;
    this.#tell({ type: kind, slot: part.slot, text });
  }

  #open(kind: OpenPart['kind'], key: PartKey): OpenPart {
    if (this.#waiting.length > 0) this.#release(this.#waiting.filter(isSurelyWhole));
    const part = openPart(this.#slots++, kind);
    this.#byKey.set(key, part);
    if (kind === 'call') this.#waiting.push(part);
    else if (kind !== 'part') this.#words.push(part);
    return part;
  }

  /** A call that represents several is not reported: they are, as soon as it is whole. */
  #announce(part: OpenPart, isEnded = false): void {
    if (part.announced || (!isEnded && isWrapper(part.name, this.#context.tools))) return;
    part.announced = true;
    const tool = this.#context.tools?.ours(part.name);
    part.name = tool?.name ?? part.name;
    if (tool?.kind === 'custom' && part.callKind === 'function') part.free = new FreeText();
    this.#nameCall(part);
    this.#tell({
      type: 'call-start',
      slot: part.slot,
      id: part.id,
      name: part.name,
      kind: part.free === undefined ? part.callKind : 'custom',
      requiresLocalExecution: part.local,
      ...(part.data === undefined ? {} : { providerData: { [this.#api]: part.data } }),
    });
    // Arguments that came before the name (some servers do that) are told now.
    this.#tellArguments(part, part.text);
  }

  #tellArguments(part: OpenPart, given: string): void {
    const text = part.free === undefined ? given : part.free.push(given);
    if (text !== '') this.#tell({ type: 'call-delta', slot: part.slot, text });
  }

  /** A call's id is unique within its reply, also where the server gives none or the same one twice. */
  #nameCall(part: OpenPart): void {
    if (part.id !== '') return;
    const index = this.#calls++;
    const given = part.wireId || (this.#context.makeId?.(index) ?? `${this.#soFar.id ?? 'call'}_${index}`);
    part.id = given;
    for (let n = 2; this.#ids.has(part.id); n++) part.id = `${given}_${n}`;
    this.#ids.add(part.id);
  }

  /**
   * After an error nothing is released. Where only a message was damaged on the way, a call whose arguments came
   * at once is whole all the same; one that came in pieces may have lost one, and might still parse.
   */
  #release(parts: readonly OpenPart[]): void {
    const isDamaged = this.#soFar.error?.kind === 'network';
    if (this.hasError && !isDamaged) return;
    for (const part of parts) if (!isDamaged || part.atOnce) this.#endCall(part, false);
    this.#waiting = this.#waiting.filter((part) => !part.done);
  }

  #cutWaiting(): void {
    for (const part of this.#waiting) this.#endCall(part, true);
    this.#waiting = [];
  }

  #endCall(part: OpenPart, cut: boolean): void {
    if (part.done) return;
    part.done = true;
    if (!cut && this.#unwrap(part)) return;
    this.#announce(part, true);
    const call = callOf(part, this.#api, cut);
    this.#tell({ type: 'call-end', slot: part.slot, call: this.#finished(call, part) });
  }

  #finished(call: Call, { free }: OpenPart): Call {
    if (call.invalid === undefined) return this.#finishCall(raiseCall(call, this.#context.tools));
    if (free === undefined) return call;
    return { ...call, kind: 'custom', arguments: free.text, wireArguments: call.arguments };
  }

  /** The calls inside a wrapper, each as if it had come by itself. False where it is none. */
  #unwrap(part: OpenPart): boolean {
    const { tools } = this.#context;
    if (part.announced || tools === undefined || !isWrapper(part.name, tools)) return false;
    this.#nameCall(part);
    const calls = unwrapParallel(callOf(part, this.#api, false), this.#api, tools);
    if (calls === undefined) return false;
    this.#reports.push({
      tool: part.name,
      field: 'calls',
      message: `The model wrote ${calls.length} calls as one of "${part.name}", which is not a tool. Each of them is kept as a call of its own.`,
    });
    for (const [index, call] of calls.entries()) {
      const { id, name, kind, requiresLocalExecution } = call;
      const slot = index === 0 ? part.slot : this.#slots++;
      this.#ids.add(id);
      this.#tell({ type: 'call-start', slot, id, name, kind, requiresLocalExecution });
      const text = streamedArguments(call);
      this.#tell({ type: 'call-delta', slot, text });
      this.#tell({ type: 'call-end', slot, call });
    }
    return true;
  }

  #close(part: OpenPart): void {
    if (part.done) return;
    part.done = true;
    const words = wordsOf(part, this.#api);
    if (words !== undefined) this.#tell({ type: 'part', slot: part.slot, part: words });
  }

  #closeWords(): void {
    for (const part of this.#words) this.#close(part);
    this.#words = [];
  }

  #tell(event: ModelEvent): void {
    this.#soFar.take(event);
    this.#events.push(event);
  }
}
