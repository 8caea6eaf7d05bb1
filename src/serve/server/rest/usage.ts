import type { TurnUsage } from '../../../grade/episode/usage.ts';
import type { TurnUsage as TurnUsageView } from '../../api/usage.ts';
import { integerAt, kindOf, objectAt } from '../../http/fields.ts';
import { invalid } from '../../http/refusal.ts';

const count = { min: 0, max: 1_000_000_000 };

/** What a turn took, as its player says. */
export function usageAt(value: unknown, path: string): TurnUsage | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = objectAt(value, path);
  const inputTokens = integerAt(fields['input_tokens'], `${path}.input_tokens`, count);
  const outputTokens = integerAt(fields['output_tokens'], `${path}.output_tokens`, count);
  const costUsd = amountAt(fields['cost_usd'], `${path}.cost_usd`);
  const latencyMs = amountAt(fields['latency_ms'], `${path}.latency_ms`);
  const errors = integerAt(fields['errors'], `${path}.errors`, count);
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(latencyMs !== undefined && { latencyMs }),
    ...(errors !== undefined && { errors }),
  };
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

function amountAt(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw invalid(path, `must be a number, not ${kindOf(value)}.`);
  if (!(value >= 0 && value <= 1e9)) throw invalid(path, 'must be a number from 0 to 1000000000.');
  return value;
}
