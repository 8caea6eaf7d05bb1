import type { JsonObject } from '../../base/json/value.ts';
import type { Price } from '../../run/loop/price.ts';

/** What is to be played, by whom, and how often. */
export interface Suite {
  readonly tasks: readonly TaskSource[];
  readonly players: readonly PlayerSpec[];
  /** Episodes of each player in each task. */
  readonly trials: number;
  /** Episodes that are played at once. */
  readonly concurrency: number;
}

export type TaskSource = ScenarioTasks | QuestionTasks | BenchmarkTasks;

/** Scenarios by name, `*` for any part of it: of one split if it is named, each in this many variants. */
export interface ScenarioTasks {
  readonly scenarios: string;
  readonly split?: string;
  readonly variants: number;
}

/** Questions of a file, and how their answers are judged. */
export interface QuestionTasks {
  /** JSON Lines or CSV with `question`, `answer`, and an `id`. */
  readonly questions: string;
  readonly check: AnswerCheck;
}

/** Tasks of a public benchmark, from the user's own checkout of it. */
export interface BenchmarkTasks {
  readonly benchmark: string;
  /** The folder of the benchmark's data. */
  readonly data: string;
  /** The domain of tau-bench and tau2, the category of BFCL. */
  readonly part?: string;
  /** Of tau2: the tasks of one split. */
  readonly split?: string;
  /** Of tau2: the player is alone with a ticket, and has the customer's tools, too. */
  readonly isSolo?: boolean;
  /** Only these; all when left out. */
  readonly tasks?: readonly string[];
  /** The model that speaks for the person, where the benchmark has one. */
  readonly person?: ModelSpec;
  /** The model that judges what only a judge can tell, where tasks ask for that. */
  readonly judge?: JudgeSpec;
}

/** A model that judges. */
export interface JudgeSpec {
  readonly model: string;
  readonly baseUrl?: string;
  /** An odd number; the majority decides. */
  readonly votes: number;
}

/** What decides whether an answer is right: a rule, or a model. */
export type AnswerCheck =
  | { readonly kind: 'equal' | 'contains' }
  /** The last number of the answer, so far off at most as a share of the expected one. */
  | { readonly kind: 'number'; readonly tolerance: number }
  | (JudgeSpec & {
      readonly kind: 'judge';
      /** What the judge is told; the ready criterion of CAIA when left out. */
      readonly prompt?: string;
    });

/** Who plays: a model, or an agent that is built in or the user's own. */
export type PlayerSpec = ModelSpec | OperatorSpec;

export interface ModelSpec {
  readonly name: string;
  readonly model: string;
  readonly baseUrl?: string;
  /** The replies of the model "mock". */
  readonly script?: string;
  readonly system?: string;
  readonly sampling?: Sampling;
  /** A module or a folder of tools, for questions. */
  readonly tools?: string;
  readonly protocol?: 'loop' | 'two-phase';
  /** Replies of the model for one question. */
  readonly steps?: number;
  readonly price?: Price;
  readonly limits?: Budget;
}

export interface OperatorSpec {
  readonly name: string;
  /** `gold` and the other built-in ones, or a module that exports an agent. */
  readonly operator: string;
}

export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly maxOutputTokens?: number;
}

/** What a player may use up in a study; where it is reached, the rest of its tasks waits. */
export interface Budget {
  readonly requests?: number;
  readonly tokens?: number;
  /** In the currency of the player's `price`. */
  readonly cost?: number;
}

/** What makes a player this one and no other: what it may spend does not. */
export function identityOf(player: PlayerSpec): JsonObject {
  const { name: _, ...spec } = player;
  if (!('model' in spec)) return { ...spec };
  const { price: _price, limits: _limits, ...rest } = spec;
  // Plain data, whose optional members an index signature does not take.
  return rest as unknown as JsonObject;
}
