import type { Exchange, TurnUsage } from '../../../grade/episode/usage.ts';
import { omitUndefined } from '../../../wire/json-fields.ts';
import type { SentUsage, TurnUsage as TurnUsageView } from '../../api/usage.ts';

/** What a turn took, as its player says. */
export function readUsage({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cost_usd: costUsd,
  latency_ms: latencyMs,
  errors,
  exchanges,
}: SentUsage): TurnUsage {
  return omitUndefined({ inputTokens, outputTokens, costUsd, latencyMs, errors, exchanges });
}

/** What a turn exchanged with its provider, from the text that its row keeps. */
export function exchangesIn(stored: string | null): readonly Exchange[] {
  return stored === null ? [] : ((JSON.parse(stored) as TurnUsage).exchanges ?? []);
}

/** What a turn or an episode took, from the text that its row keeps. */
export function writeUsage(stored: string): TurnUsageView {
  const { inputTokens, outputTokens, costUsd, latencyMs, errors } = JSON.parse(stored) as TurnUsage;
  return {
    ...(inputTokens !== undefined && { input_tokens: inputTokens }),
    ...(outputTokens !== undefined && { output_tokens: outputTokens }),
    ...(costUsd !== undefined && { cost_usd: costUsd }),
    ...(latencyMs !== undefined && { latency_ms: latencyMs }),
    ...(errors !== undefined && { errors }),
  };
}
