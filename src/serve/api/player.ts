import type { JsonObject } from '../../base/json/value.ts';

/** Who plays an episode: a model with its prompt and sampling, or any agent, by name. */
export interface PlayerCard {
  readonly name: string;
  readonly model?: string;
  /** Whatever tells it from others: temperature, effort, a hash of its prompt. */
  readonly parameters?: JsonObject;
  /** The version of its code. */
  readonly commit?: string;
  readonly labels?: Readonly<Record<string, string>>;
}
