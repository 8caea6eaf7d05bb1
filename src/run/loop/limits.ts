import { WhetstoneError } from '../../base/host/errors.ts';
import type { Usage } from '../../base/message/usage.ts';
import type { CallErrorCode, CallRecord } from '../tool/call/call-record.ts';
import type { Limits, RunOptions } from './option/options.ts';
import type { StopReason } from './outcome.ts';
import { costOf } from './price.ts';
import type { PriceTable } from './price.ts';
import { priceOf } from './published-prices.ts';

const defaultSteps = 20;

/** Counts what a run may not exceed. */
export class LimitCounter {
  readonly #limits: Limits;
  readonly #prices: PriceTable;
  readonly #model: string;
  #calls = 0;
  readonly #byTool = new Map<string, number>();
  #tokens = 0;
  #cost: number | undefined = 0;

  constructor(options: RunOptions) {
    this.#limits = options.limits ?? {};
    checkLimits(this.#limits);
    this.#prices = options.prices ?? {};
    this.#model = options.model.name;
    if (this.#limits.cost !== undefined && priceOf(this.#model, this.#prices) === undefined) {
      throw new WhetstoneError(
        'price_unknown',
        `The run has a cost limit of ${this.#limits.cost}, but the price of ${options.model.name} is not known. Give prices: { ${JSON.stringify(options.model.name)}: { input: …, output: … } }, or limit tokens.`,
        { details: { model: options.model.name } },
      );
    }
  }

  /** Counts a reply, and gives its cost. One that nobody knows counts as too much wherever there is a limit. */
  countReply(usage: Usage | undefined, model = this.#model): number | undefined {
    const cost = costOf(usage, priceOf(model, this.#prices));
    this.#tokens += usage?.total ?? 0;
    this.#cost = this.#cost === undefined || cost === undefined ? undefined : this.#cost + cost;
    return cost;
  }

  /** Counts what a run inside this one has used. */
  countWithin(usage: Usage, cost: number | undefined): void {
    this.#tokens += usage.total;
    this.#cost = this.#cost === undefined || cost === undefined ? undefined : this.#cost + cost;
  }

  /** What a run inside this one may still use. */
  left(): Pick<Limits, 'tokens' | 'cost'> {
    const { tokens, cost } = this.#limits;
    return {
      ...(tokens !== undefined && { tokens: Math.max(0, tokens - this.#tokens) }),
      ...(cost !== undefined && { cost: Math.max(0, cost - (this.#cost ?? cost)) }),
    };
  }

  /** Counts a call that wants to run, or says why it must not. */
  admit(name: string): { readonly code: CallErrorCode; readonly text: string } | undefined {
    const { calls, callsPerTool } = this.#limits;
    if (calls !== undefined && this.#calls >= calls) {
      const text = `This call was not run: all ${calls} calls that this task allows are used up. Answer with what you have.`;
      return { code: 'limit_reached', text };
    }
    const most = typeof callsPerTool === 'object' ? callsPerTool[name] : callsPerTool;
    if (most !== undefined) {
      const used = this.#byTool.get(name) ?? 0;
      if (used >= most) {
        const text = `This call was not run: "${name}" may be called ${most} times in this task, and it has been. Do not call it again.`;
        return { code: 'limit_reached', text };
      }
      this.#byTool.set(name, used + 1);
    }
    this.#calls++;
    return undefined;
  }

  /** Takes up what a resumed run had used. */
  recall(records: readonly CallRecord[]): void {
    for (const { call, result } of records) if (result.errorCode !== 'limit_reached') this.admit(call.name);
  }

  /** The limit that forbids another reply, after `steps` of them. */
  reached(steps: number): StopReason | undefined {
    const { calls, tokens, cost } = this.#limits;
    if (steps >= (this.#limits.steps ?? defaultSteps)) return 'step-limit';
    if (calls !== undefined && this.#calls >= calls) return 'call-limit';
    if (tokens !== undefined && this.#tokens >= tokens) return 'token-limit';
    if (cost !== undefined && (this.#cost === undefined || this.#cost >= cost)) return 'cost-limit';
    return undefined;
  }
}

function checkLimits(limits: Limits): void {
  const perTool = typeof limits.callsPerTool === 'object' ? Object.values(limits.callsPerTool) : [];
  const { steps, calls, tokens, cost, time } = limits;
  const single = typeof limits.callsPerTool === 'number' ? limits.callsPerTool : undefined;
  for (const value of [steps, calls, tokens, cost, time, single, ...perTool]) {
    if (value === undefined || value >= 0) continue;
    throw new WhetstoneError(
      'run_option_invalid',
      `${String(value)} is not a limit: limits are numbers of at least 0.`,
      { details: { limits } },
    );
  }
}
