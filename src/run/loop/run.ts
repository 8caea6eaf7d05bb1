import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { UserPart } from '../../base/message/part.ts';
import type { Outcome } from './outcome.ts';
import type { RunEvent } from './event.ts';
import type { OutputFor, RunOptions, WantedOutput } from './option/options.ts';
import { Runner } from './runner.ts';

/**
 * A run: iterate it for its events, await it for its outcome, or both. It starts with the first of the two. Leaving
 * the iteration early aborts it.
 */
export interface Run<Output = JsonValue> extends AsyncIterable<RunEvent>, Promise<Outcome<Output>> {
  /**
   * Words of the user that come in while the run is under way: the model reads them before its next reply, and a run
   * that was about to be done goes on with them. False when the run has ended already.
   */
  say(words: string | readonly UserPart[]): boolean;
  /** Ends the run: what is in flight is left behind, and the outcome holds a whole history. */
  abort(reason?: unknown): void;
}

/**
 * Asks a model, runs the tools it calls, and goes on until it answers.
 * @example
 * const { text, calls, usage } = await run({ model, tools: [weather], prompt: 'Rain in Oslo?' });
 * @example
 * for await (const event of run({ model, tools, prompt })) if (event.type === 'text') process.stdout.write(event.text);
 */
export function run<const Wanted extends WantedOutput = WantedOutput>(
  options: RunOptions<Wanted>,
): Run<OutputFor<Wanted>> {
  // It is checked by the schema that the type is read from.
  return new LiveRun(options) as Run as Run<OutputFor<Wanted>>;
}

/** A run that something is done around: it has ended when that has. */
export function keptRun<const Wanted extends WantedOutput = WantedOutput>(
  options: RunOptions<Wanted>,
  around: (go: () => Promise<Outcome>) => Promise<Outcome>,
): Run<OutputFor<Wanted>> {
  return new LiveRun(options, around) as Run as Run<OutputFor<Wanted>>;
}

class LiveRun implements Run {
  readonly [Symbol.toStringTag] = 'Run';
  readonly #runner: Runner;
  readonly #around: (go: () => Promise<Outcome>) => Promise<Outcome>;
  #outcome: Promise<Outcome> | undefined;

  constructor(options: RunOptions, around = (go: () => Promise<Outcome>) => go()) {
    this.#runner = new Runner(options, (inner) => new LiveRun(inner));
    this.#around = around;
  }

  say(words: string | readonly UserPart[]): boolean {
    return this.#runner.say(words);
  }

  abort(reason?: unknown): void {
    this.#runner.abort(reason);
  }

  then<A = Outcome, B = never>(
    onOutcome?: ((outcome: Outcome) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#start().then(onOutcome, onError);
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Outcome | B> {
    return this.#start().catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Outcome> {
    return this.#start().finally(onEnd);
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent, undefined> {
    if (this.#runner.isOver) throw eventsGone();
    const queue = new EventQueue(() => {
      unlisten();
      this.abort(new DOMException('The reader of the events stopped reading.', 'AbortError'));
    });
    const unlisten = this.#runner.listen((event) => queue.push(event));
    this.#start().then(
      () => queue.end(),
      (error: unknown) => queue.fail(error),
    );
    return queue;
  }

  #start(): Promise<Outcome> {
    this.#outcome ??= this.#around(() => this.#runner.go());
    return this.#outcome;
  }
}

/** Events are made only while somebody listens: silence would look like a run in which nothing happened. */
function eventsGone(): WhetstoneError {
  return new WhetstoneError(
    'run_events_gone',
    'The run has ended, and its events were not kept. Iterate it before you await it (its last event holds the outcome, and you can still await it afterwards), or pass `on`.',
  );
}

/** Events between the run that makes them and the loop that reads them. */
class EventQueue implements AsyncIterator<RunEvent, undefined> {
  #events: RunEvent[] = [];
  #at = 0;
  /** Several may wait: a reader need not wait for one event before asking for the next. */
  #waiting: (() => void)[] = [];
  #ended: { readonly error?: unknown } | undefined;
  readonly #onLeave: () => void;

  constructor(onLeave: () => void) {
    this.#onLeave = onLeave;
  }

  push(event: RunEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#ended = {};
    this.#wake();
  }

  fail(error: unknown): void {
    this.#ended = { error };
    this.#wake();
  }

  async next(): Promise<IteratorResult<RunEvent, undefined>> {
    for (;;) {
      const event = this.#events[this.#at];
      if (event !== undefined) {
        this.#at++;
        if (this.#at === this.#events.length) {
          this.#events = [];
          this.#at = 0;
        }
        return { value: event, done: false };
      }
      if (this.#ended !== undefined) {
        const { error } = this.#ended;
        this.#ended = {};
        if (error !== undefined) return Promise.reject(error as Error);
        return { value: undefined, done: true };
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async return(): Promise<IteratorResult<RunEvent, undefined>> {
    if (this.#ended === undefined) {
      this.#ended = {};
      this.#onLeave();
    }
    return { value: undefined, done: true };
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
