import { systemClock } from '../../../base/host/clock.ts';
import type { Clock } from '../../../base/host/clock.ts';
import { randomId } from '../../../base/host/random.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import { signRequest, verifyApproval } from '../../loop/approval/approval.ts';
import type { ApprovalRequest, Decision } from '../../tool/call/call-record.ts';
import { decisionFrom } from '../server/ask-by-form.ts';
import { invalidParams, RpcError } from '../rpc-error.ts';

/** Milliseconds that a person may take over a question. */
const longestThought = 15 * 60_000;

/** An answer that came back with the seal of its question. */
export interface SealedAnswer {
  /** What the person decided, for the call that was asked about; for any other, no decision. */
  decide(request: ApprovalRequest): Promise<Decision | undefined>;
  /** The seal was that of another question. */
  refused?: RpcError;
}

/**
 * Questions that a client carries back and forth, since nothing is remembered between its requests: sealed with a key
 * of this process, for one call with its arguments, for a while, and good for one answer.
 */
export class SealedQuestions {
  readonly #clock: Clock;
  readonly #key = randomId('seal') + randomId('');
  /** Seals that were used, with the time at which they end anyway. */
  readonly #used = new Map<string, number>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  async seal(request: ApprovalRequest): Promise<string> {
    const place = `${randomId('q')}.${this.#clock.now() + longestThought}`;
    const signed = await signRequest(this.#key, place, { ...request, callId: 'mcp' });
    return `${place}.${signed.token}`;
  }

  /** Undefined where nothing was answered. Refuses what no question of ours looks like, or has been answered before. */
  async open(
    state: JsonValue | undefined,
    responses: JsonValue | undefined,
  ): Promise<SealedAnswer | undefined> {
    if (state === undefined) return undefined;
    const [nonce = '', end = '', token = ''] = typeof state === 'string' ? state.split('.') : [];
    const answer = isJsonObject(responses) ? responses['approval'] : undefined;
    const now = this.#clock.now();
    for (const [used, until] of this.#used) if (until < now) this.#used.delete(used);
    if (token === '' || !(Number(end) >= now) || this.#used.has(nonce)) throw broken();
    if (answer === undefined) return undefined;
    const sealed: SealedAnswer = {
      decide: async ({ name, hash }) => {
        const approval = { callId: 'mcp', hash, decision: 'approve', token } as const;
        const place = `${nonce}.${end}`;
        const ours = await verifyApproval(this.#key, place, approval, name).then(
          () => !this.#used.has(nonce),
          () => false,
        );
        if (ours) this.#used.set(nonce, Number(end));
        else sealed.refused = broken();
        return ours ? decisionFrom(answer) : undefined;
      },
    };
    return sealed;
  }
}

function broken(): RpcError {
  return new RpcError(
    invalidParams,
    'params.requestState is not that of a question about this call, or is too old, or was answered before. Send the call again without it.',
  );
}
