import { isWhetstoneError } from '../../../base/host/errors.ts';
import type { Context } from '../../tool/contract.ts';
import type { RunEvent } from '../event.ts';
import type { Limits, RunOptions, WantedOutput } from '../option/options.ts';
import type { Outcome } from '../outcome.ts';
import { guardsWithin } from '../guard.ts';
import type { RunContext } from '../run-context.ts';

/** A run inside a tool. What it does not say, it has from the run that called the tool. */
export type NestedOptions<Wanted extends WantedOutput = WantedOutput> = Omit<
  RunOptions<Wanted>,
  'model' | 'journal' | 'runId' | 'signal' | 'approvals' | 'answers' | 'approvalKey' | 'clock'
> & { readonly model?: RunOptions['model'] };

/** Runs a model inside a call of another run; see `runWithin`. */
export async function runNested(
  parent: Omit<RunContext, 'callRunner'>,
  context: Context,
  options: NestedOptions,
): Promise<Outcome> {
  const { step, call } = context;
  const { options: around, log, limits } = parent;
  const { journal, prices, approve, approvalRules, approvalMemory, clock, injected } = around;
  const left = limits.left();
  const told = (event: RunEvent): void => {
    const used = innermost(event);
    if (used.type === 'usage') limits.countWithin(used.usage, used.cost);
    parent.emitter()?.({ type: 'nested', step, callId: call.id, name: call.name, event });
    if (typeof options.on === 'function') options.on(event);
    else options.on?.event?.(event);
  };
  const listener = Object.assign(told, {
    ...(around.on?.around && { around: around.on.around.bind(around.on) }),
    ...guardsWithin(options.on ?? {}, around.on ?? {}, (reason) => {
      if (parent.guards !== undefined) parent.guards.ended = reason;
    }),
  });
  const nested = parent.start({
    ...(prices && { prices }),
    ...(approve && { approve }),
    ...(approvalRules && { approvalRules }),
    ...(approvalMemory && { approvalMemory }),
    ...(injected && { injected }),
    ...(clock && { clock }),
    ...options,
    ...(journal && { journal, runId: `${log.runId}.${step}.${call.id}` }),
    model: options.model ?? around.model,
    limits: {
      ...options.limits,
      ...lower('tokens', options.limits, left),
      ...lower('cost', options.limits, left),
    },
    signal: context.signal,
    on: listener,
  } as RunOptions);
  const keep = ({ usage }: Outcome<unknown>): void => {
    const { input, output, cachedRead, cachedWrite, reasoning, total, cost } = usage;
    const sum = { input, output, cachedRead, cachedWrite, reasoning, total };
    log.entries.push({ step, usage: sum, cost, records: [], within: call.id });
  };
  try {
    const outcome = await nested;
    keep(outcome);
    return outcome;
  } catch (error) {
    // What it has used before it failed was used all the same.
    if (isWhetstoneError(error) && error.code === 'model_failed') keep(error.details['outcome'] as Outcome);
    throw error;
  }
}

/** What happened, however many runs deep. */
function innermost(event: RunEvent): RunEvent {
  return event.type === 'nested' ? innermost(event.event) : event;
}

function lower(
  name: 'tokens' | 'cost',
  own: Limits | undefined,
  left: Pick<Limits, 'tokens' | 'cost'>,
): Limits {
  const known = [own?.[name], left[name]].filter((limit) => limit !== undefined);
  return known.length === 0 ? {} : { [name]: Math.min(...known) };
}
