import { parseJson } from '../../base/json/parse.ts';
import { canonicalJson } from '../../base/json/canonical.ts';
import type { Call } from '../../base/message/call.ts';
import type { CallRecord } from '../tool/call/call-record.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { CallRunner } from './call-runner.ts';

/**
 * The calls of one reply: started as they become complete, run in parallel or one by one, and given back in call
 * order. Identical calls run once.
 */
export class StepCalls {
  readonly offered: Toolbox;
  readonly #runner: CallRunner;
  readonly #entries: Entry[] = [];
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** Where the next call of a one-at-a-time tool lines up. */
  #line: Promise<unknown> | undefined;

  constructor(runner: CallRunner, offered: Toolbox) {
    this.#runner = runner;
    this.offered = offered;
  }

  has(call: Call): boolean {
    return this.#entries.some((entry) => entry.call.id === call.id && entry.call.name === call.name);
  }

  /** Starts a call, or joins it to an identical one. */
  start(call: Call): Promise<CallRecord> {
    const twin = this.#mayShare(call)
      ? this.#entries.find((earlier) => isSameCall(earlier.call, call))
      : undefined;
    const record =
      twin === undefined
        ? this.#launch(call)
        : twin.record.then((original) => this.#runner.keep(shareRecord(original, call)));
    // Someone settles these later, and hears then of a journal that could not be written.
    record.catch(() => undefined);
    this.#entries.push({ call, record });
    return record;
  }

  /** A call that must not run, or has run before, still gets its one result. */
  answer(call: Call, record: CallRecord | Promise<CallRecord>): Promise<CallRecord> {
    const ended = Promise.resolve(record);
    this.#entries.push({ call, record: ended });
    return ended;
  }

  /** All records, in the order of `calls`. */
  async settle(calls: readonly Call[]): Promise<readonly CallRecord[]> {
    const [first] = this.#entries;
    if (first === undefined) return [];
    if (this.#entries.length === 1) return [await first.record];
    const records = await Promise.all(this.#entries.map((entry) => entry.record));
    if (records.every((record, index) => record.call.id === calls[index]?.id)) return records;
    const places = new Map(calls.map((call, index) => [call.id, index]));
    const placeOf = (record: CallRecord): number => places.get(record.call.id) ?? calls.length;
    return records.sort((a, b) => placeOf(a) - placeOf(b));
  }

  /** An approval is for one call: two that need one are two. */
  #mayShare(call: Call): boolean {
    const approval = this.offered.findFor(call)?.tool.approval;
    return this.#entries.length > 0 && (approval === undefined || approval === 'never');
  }

  #launch(call: Call): Promise<CallRecord> {
    if (this.offered.findFor(call)?.oneAtATime !== true) return this.#withPlace(call);
    const before = this.#line;
    const record = before === undefined ? this.#withPlace(call) : before.then(() => this.#withPlace(call));
    this.#line = record;
    return record;
  }

  #withPlace(call: Call): Promise<CallRecord> {
    if (this.#running < this.#runner.concurrency) {
      this.#running++;
      return this.#run(call);
    }
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(this.#run(call)));
    });
  }

  /** Hands its place on when it has ended, also where it could not be written down. */
  #run(call: Call): Promise<CallRecord> {
    const leave = (): void => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    };
    const record = this.#runner.run(call, this.offered);
    if (!(record instanceof Promise)) {
      leave();
      return Promise.resolve(record);
    }
    record.then(leave, leave);
    return record;
  }
}

interface Entry {
  readonly call: Call;
  readonly record: Promise<CallRecord>;
}

/** The same tool with the same arguments. A computer is another matter: two equal clicks are two clicks. */
function isSameCall(a: Call, b: Call): boolean {
  if (a.name !== b.name || a.kind !== b.kind || a.kind === 'computer') return false;
  if (a.invalid !== undefined || b.invalid !== undefined) return false;
  const [one, other] = [a.arguments, b.arguments];
  if (typeof one === 'string' && typeof other === 'string') {
    if (one === other) return true;
    // Most calls differ in more than white space and the order of keys, and need not be parsed to be told apart.
    if (a.kind === 'custom' || characterSum(one) !== characterSum(other)) return false;
  }
  const key = canonicalArguments(one);
  return key !== undefined && key === canonicalArguments(other);
}

function characterSum(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 32) sum = (sum + code * code) | 0;
  }
  return sum;
}

/** Numbers count as they were written: two ids that only a double confuses are two calls. */
function canonicalArguments(given: Call['arguments']): string | undefined {
  try {
    return canonicalJson(typeof given === 'string' ? parseJson(given, { numbers: 'as-written' }) : given);
  } catch {
    return undefined;
  }
}

function shareRecord(original: CallRecord, call: Call): CallRecord {
  return { ...original, call, result: { ...original.result, callId: call.id }, sameAs: original.call.id };
}
