/** What a turn took, as far as its player says. */
export interface TurnUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cost_usd?: number;
  /** From the request to the model until its reply was whole. */
  readonly latency_ms?: number;
  /** How often the model failed, or was asked again, before it replied. */
  readonly errors?: number;
}

/** The sums over the turns of an episode; calls that failed in the scenario's world count as errors too. */
export interface EpisodeUsage extends TurnUsage {
  readonly errors: number;
}
