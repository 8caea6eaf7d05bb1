import type { EpisodeSummary } from '../../../src/serve/api/episode.ts';
import { dimensions } from '../../../src/serve/api/dimension.ts';

/** What may be weighed: success and progress, which the formula knows, and each dimension. */
export const parts = ['success', 'progress', ...dimensions] as const;

export type Part = (typeof parts)[number];

export type Weights = Readonly<Record<Part, number>>;

/** The formula's own: (success + progress) / 2. */
export const usual: Weights = {
  ...(Object.fromEntries(parts.map((part) => [part, 0])) as Record<Part, number>),
  success: 1,
  progress: 1,
};

/** The weights that an address has; what it does not name is as usual, or weighs nothing once something is named. */
export function readWeights(query: URLSearchParams): Weights {
  if (!parts.some((part) => query.has(part))) return usual;
  const entries = parts.map((part) => {
    const weight = Number(query.get(part) ?? usual[part]);
    return [part, weight >= 0 && weight <= 10 ? weight : 0];
  });
  return Object.fromEntries(entries) as Record<Part, number>;
}

/** The reward by other weights, from the stored vector alone: the gate times the weighted mean. */
export function weigh(episode: EpisodeSummary, weights: Weights): number | undefined {
  if (episode.reward === undefined) return undefined;
  let sum = 0;
  let all = 0;
  for (const part of parts) {
    const weight = weights[part];
    const value = part === 'success' || part === 'progress' ? episode[part] : episode.scores?.[part];
    if (weight === 0 || value === undefined) continue;
    sum += weight * value;
    all += weight;
  }
  return all === 0 ? 0 : ((episode.gate ?? 1) * sum) / all;
}
