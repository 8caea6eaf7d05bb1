import type { JsonObject } from '../../base/json/value.ts';

/** Who plays an episode, in the words of the client that opens it: a model with its sampling, or any agent, by a name. */
export interface PlayerCard {
  readonly name: string;
  readonly model?: string;
  /** How it was asked: temperature, effort, a hash of its prompt, or whatever else tells it from others. */
  readonly parameters?: JsonObject;
  /** The version of its code. */
  readonly commit?: string;
  readonly labels?: Readonly<Record<string, string>>;
}
