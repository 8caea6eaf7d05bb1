import { createHmac, timingSafeEqual } from 'node:crypto';

import { systemClock } from '../../../base/host/clock.ts';
import type { Clock } from '../../../base/host/clock.ts';
import { randomId } from '../../../base/host/random.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { invalidParams, RpcError } from '../rpc-error.ts';

/** Milliseconds that a person may take over a question. */
const longestThought = 15 * 60_000;

/** What is known of a request that was asked something in turn. */
export interface Asked {
  /** The request, by its hash: no other may bring the answers. */
  readonly about: string;
  /** What was answered before this question. */
  readonly answers: JsonObject;
  /** The keys of what was asked last. */
  readonly keys: readonly string[];
}

/**
 * Questions that a client carries back and forth, since nothing is remembered between its requests: sealed with a key
 * of this process, for one request with its arguments, for a while, and good for one answer.
 */
export class SealedQuestions {
  readonly #clock: Clock;
  readonly #key = randomId('seal') + randomId('');
  /** Seals that were used, with the time at which they end anyway. */
  readonly #used = new Map<string, number>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  seal(asked: Asked): string {
    const until = this.#clock.now() + longestThought;
    const text = Buffer.from(JSON.stringify({ ...asked, until, nonce: randomId('q') })).toString('base64url');
    return `${text}.${this.#sign(text)}`;
  }

  /**
   * Everything that was answered until now. Refuses what no question of ours about this request looks like, what is too
   * old, and what has been answered before; answers to what was not asked count for nothing.
   */
  open(about: string, state: JsonValue | undefined, responses: JsonValue | undefined): JsonObject {
    if (state === undefined) return {};
    const [text = '', sign = ''] = typeof state === 'string' ? state.split('.') : [];
    if (!same(sign, this.#sign(text))) throw broken();
    const sealed = JSON.parse(Buffer.from(text, 'base64url').toString()) as Sealed;
    const now = this.#clock.now();
    for (const [used, until] of this.#used) if (until < now) this.#used.delete(used);
    if (sealed.about !== about || sealed.until < now || this.#used.has(sealed.nonce)) throw broken();
    const given = isJsonObject(responses) ? responses : {};
    const fresh = sealed.keys
      .filter((key) => Object.hasOwn(given, key))
      .map((key) => [key, given[key]!] as const);
    if (fresh.length > 0) this.#used.set(sealed.nonce, sealed.until);
    return { ...sealed.answers, ...Object.fromEntries(fresh) };
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

interface Sealed extends Asked {
  readonly until: number;
  readonly nonce: string;
}

function same(one: string, other: string): boolean {
  const [mine, theirs] = [Buffer.from(one), Buffer.from(other)];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
}

function broken(): RpcError {
  return new RpcError(
    invalidParams,
    'params.requestState is not that of a question about this request, or is too old, or was answered before. Send the request again without it.',
  );
}
