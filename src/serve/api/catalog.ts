import type { Answered } from './envelope.ts';
import type { EpisodeTool, Observation } from './message.ts';

/** `GET /api/v1/catalog` */
export interface CatalogAnswer extends Answered {
  readonly collections: readonly CollectionEntry[];
}

export interface CollectionEntry {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly splits: readonly SplitEntry[];
  readonly scenarios: readonly ScenarioEntry[];
}

export interface SplitEntry {
  readonly name: string;
  readonly type: 'train' | 'validation' | 'test';
  /** How many tasks (scenario and variant) it holds. */
  readonly tasks: number;
}

export interface ScenarioEntry {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly shape: string;
  readonly variants: number;
  readonly limits: ScenarioLimits;
}

export interface ScenarioLimits {
  readonly turns: number;
  readonly message_length: number;
  readonly idle_hours: number;
}

/** `GET /api/v1/catalog/{collection}/{scenario}`: all that a model may know beforehand; never a criterion. */
export interface ScenarioAnswer extends ScenarioEntry, Answered {
  readonly collection_slug: string;
  readonly scenario_slug: string;
  readonly briefing: string;
  readonly initial_observation: Observation;
  readonly tools: readonly EpisodeTool[];
}
