import { systemClock } from '../../base/host/clock.ts';
import type { Clock } from '../../base/host/clock.ts';
import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import { platformFetch } from '../../base/host/fetch.ts';
import type { Fetch } from '../../base/host/fetch.ts';
import type { ModelError } from '../../base/message/model.ts';

/** How long each part of an exchange may take, in milliseconds. */
export interface Timeouts {
  /** Until the status line has come. An unstreamed reply sends it only when it is written: `total` bounds it. */
  readonly connect?: number;
  /** From the status line to the first bytes. */
  readonly firstChunk?: number;
  readonly betweenChunks?: number;
  readonly total?: number;
}

const defaultTimeouts = {
  connect: 60_000,
  firstChunk: 120_000,
  betweenChunks: 120_000,
  total: 1_800_000,
} as const satisfies Timeouts;

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  readonly timeouts?: Timeouts | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenBody {
  readonly status: number;
  readonly headers: Headers;
  /** The bytes as they come. Leaving the loop ends the connection. */
  readonly bytes: AsyncGenerator<Uint8Array, void, undefined>;
}

/** One POST. Throws `request_failed` with a `ModelError` as `details.error`; so do the bytes. */
export async function post(url: string, options: PostOptions): Promise<OpenBody> {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const watch = new Watch(options.clock ?? systemClock, options.signal);
  watch.limit(timeouts.total, 'The whole reply');
  watch.await(timeouts.connect, 'The answer to the request');
  try {
    watch.throwIfEnded();
    const response = await watch.race(
      (options.fetch ?? platformFetch)(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...options.headers },
        body: options.body,
        // A redirect would carry the key to wherever it points.
        redirect: 'manual',
        signal: watch.signal,
      }),
    );
    return {
      status: response.status,
      headers: response.headers,
      bytes: readBytes(response, watch, timeouts, url),
    };
  } catch (error) {
    watch.close();
    throw failure(error, watch, url);
  }
}

/** The `ModelError` inside a `request_failed`; undefined for any other error. */
export function modelErrorIn(error: unknown): ModelError | undefined {
  if (!isWhetstoneError(error) || error.code !== 'request_failed') return undefined;
  return error.details['error'] as ModelError;
}

export interface PeekedBody extends OpenBody {
  /** The first character that is not white space; absent where the body holds none. */
  readonly firstByte?: string;
  /** The first bytes as text, to be shown. */
  readonly beginning?: string;
}

/** The body, with a look at how it begins. */
export async function peeked(body: OpenBody): Promise<PeekedBody> {
  const held: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await body.bytes.next();
    if (done === true) return { ...body, bytes: resumed(held, body.bytes) };
    held.push(value);
    const first = value.find((byte) => byte > 0x20 || byte === 0);
    if (first === undefined) continue;
    const beginning = new TextDecoder().decode(value.subarray(0, 80)).trim();
    return { ...body, bytes: resumed(held, body.bytes), firstByte: String.fromCharCode(first), beginning };
  }
}

async function* resumed(held: readonly Uint8Array[], rest: OpenBody['bytes']): OpenBody['bytes'] {
  try {
    yield* held;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** The whole body as text. */
export async function readText(body: OpenBody): Promise<string> {
  const text = new TextDecoder();
  let whole = '';
  for await (const bytes of body.bytes) whole += text.decode(bytes, { stream: true });
  return whole + text.decode();
}

async function* readBytes(
  response: Response,
  watch: Watch,
  timeouts: Required<Timeouts>,
  url: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  let wait = timeouts.firstChunk;
  let what = 'The first bytes of the reply';
  try {
    if (reader === undefined) return;
    for (;;) {
      watch.await(wait, what);
      const { done, value } = await watch.race(reader.read());
      if (done) return;
      // While the reader of these bytes is busy, nobody is waiting for the next.
      watch.rest();
      yield value;
      [wait, what] = [timeouts.betweenChunks, 'The next bytes of the reply'];
    }
  } catch (error) {
    throw failure(error, watch, url);
  } finally {
    watch.close();
    reader?.cancel().catch(() => undefined);
  }
}

/** The clocks and the signal of one exchange; whichever ends it first says why. */
class Watch {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #ended: Promise<never>;
  #reject!: (reason: Error) => void;
  #cancelStep: () => void = () => undefined;
  #cancelTotal: () => void = () => undefined;
  error: ModelError | undefined;

  constructor(clock: Clock, outer: AbortSignal | undefined) {
    this.#clock = clock;
    this.#outer = outer;
    this.#ended = new Promise((_resolve, reject) => (this.#reject = reject));
    this.#ended.catch(() => undefined);
    if (outer?.aborted) this.#onAbort();
    else outer?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  throwIfEnded(): void {
    this.#controller.signal.throwIfAborted();
  }

  limit(ms: number, what: string): void {
    this.#cancelTotal = this.#after(ms, what);
  }

  await(ms: number, what: string): void {
    this.#cancelStep();
    this.#cancelStep = this.#after(ms, what);
  }

  rest(): void {
    this.#cancelStep();
  }

  /** Settles with the work, or as soon as the exchange has ended: also where a fetch ignores its signal. */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#ended]);
  }

  /** Ends the socket, if it is still open, and every timer. */
  close(): void {
    this.#cancelStep();
    this.#cancelTotal();
    this.#outer?.removeEventListener('abort', this.#onAbort);
    this.#controller.abort();
  }

  #after(ms: number, what: string): () => void {
    if (!Number.isFinite(ms)) return () => undefined;
    return this.#clock.after(ms, () =>
      this.#end({ kind: 'timeout', message: `${what} did not come within ${ms} ms.` }),
    );
  }

  readonly #onAbort = (): void => this.#end({ kind: 'aborted', message: 'The request was aborted.' });

  #end(error: ModelError): void {
    this.error ??= error;
    this.#controller.abort();
    this.#reject(new Error(error.message));
  }
}

function failure(error: unknown, watch: Watch, url: string): WhetstoneError {
  const told = watch.error ?? { kind: 'network' as const, message: networkMessage(error, url) };
  return new WhetstoneError('request_failed', told.message, { details: { error: told }, cause: error });
}

/** `fetch failed` says nothing; its cause does. The address is told without its query, which may hold a key. */
function networkMessage(error: unknown, url: string): string {
  const where = URL.canParse(url) ? new URL(url).origin : 'an address that is not a URL';
  const reasons: string[] = [];
  for (let each: unknown = error; each instanceof Error && reasons.length < 4; each = each.cause) {
    const code = (each as { readonly code?: unknown }).code;
    const said = each.message.replace(/\.+$/, '');
    reasons.push(typeof code === 'string' && !said.includes(code) ? `${said} (${code})` : said);
  }
  return `The connection to ${where} failed: ${reasons.filter((reason) => reason !== '').join(': ')}.`;
}
