import type { CallOutcome } from '../scenario/transcript.ts';

/** A request to a provider and its reply, as they were on the wire. */
export interface Exchange {
  readonly url: string;
  readonly status: number;
  readonly request: string;
  readonly reply: string;
}

/** What a turn used, as far as its player reports it. */
export interface TurnUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
  /** From the request to the model until its reply was whole. */
  readonly latencyMs?: number;
  /** How often the model failed, or was asked again, before it replied. */
  readonly errors?: number;
  /** Where the player keeps them. */
  readonly exchanges?: readonly Exchange[];
}

/** What the turns of an episode took together. Calls that failed in the scenario's world count as errors too. */
export interface EpisodeUsage extends Omit<TurnUsage, 'exchanges'> {
  readonly errors: number;
}

/** The usage of an episode with one turn more; `before` and the answer are as its row keeps them. */
export function addTurnUsage(
  before: string | null,
  usage: TurnUsage | undefined,
  outcomes: readonly CallOutcome[],
): string {
  // Written here, from a value of this type.
  const sum = before === null ? undefined : (JSON.parse(before) as EpisodeUsage);
  const failed = outcomes.reduce((count, { isError }) => count + (isError ? 1 : 0), 0);
  const total: Record<string, number> = {
    ...sum,
    errors: (sum?.errors ?? 0) + (usage?.errors ?? 0) + failed,
  };
  for (const name of ['inputTokens', 'outputTokens', 'costUsd', 'latencyMs'] as const) {
    const value = usage?.[name];
    if (value !== undefined) total[name] = (sum?.[name] ?? 0) + value;
  }
  return JSON.stringify(total);
}
