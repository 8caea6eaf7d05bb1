import type { AnyAgent } from '../../run/bridge/operator/operator.ts';

/** What a player is told of the one trial that it is made for. */
export interface Trial {
  /** Where the trainer answers as a provider does: the agent's model is to be asked there, and nowhere else. */
  readonly baseUrl: string;
  /** The name of the model, where the trainer gave one. */
  readonly model?: string;
  /** The key that the trainer's endpoint wants, where it wants one. */
  readonly apiKey?: string;
  /** Aborted when the trial is over, for whatever reason. */
  readonly signal: AbortSignal;
}

/** Makes the agent of one trial: one of the AI SDK, one of OpenAI Agents, or a function. */
export type TrialPlayer = (trial: Trial) => AnyAgent | Promise<AnyAgent>;
