import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { JsonSchema } from '../../base/schema/json-schema.ts';
import type { PlayCondition } from './play-condition.ts';
import type { Examples } from './examples.ts';
import type { Observation, TaskReference } from './transcript.ts';

/** One task: a scenario with everything that varies fixed. The server plays and grades this; a client never sees it whole. */
export interface Task {
  readonly reference: TaskReference;
  readonly name: string;
  readonly description: string;
  readonly shape: Shape;
  /** What the operator is told first, with the documents it may see. */
  readonly briefing: string;
  /** The first observation: the briefing, and the person's first words where the person speaks first. */
  readonly opening: Observation;
  /** As the REST API lists them. */
  readonly tools: readonly ToolOffer[];
  /** How the function tools work, by id. */
  readonly functions: Readonly<Record<string, FunctionTool>>;
  readonly limits: Limits;
  /** The episode is complete when all of these tools have been called. */
  readonly ends: readonly string[];
  readonly person: Person;
  readonly facts: readonly Fact[];
  /** The questions that were written for the person, of which it learns. */
  readonly examples: () => Examples | undefined;
  readonly world: JsonObject;
  /** Where the world is a page that is used in a browser. */
  readonly page?: PageWorld;
  /** Faults to inject into function tools, kept apart from the model's own errors. */
  readonly faults: readonly InjectedFault[];
  readonly sessions: readonly Session[];
  readonly expected: readonly ExpectedCall[];
  readonly criteria: Criteria;
  /** How much of the credit each source of progress carries. */
  readonly credit: CreditShares;
  readonly gold: readonly PathTurn[];
}

/** Pages in a folder. What they keep in `globalThis.world` is in the world under `page`. */
export interface PageWorld {
  readonly folder: string;
  /** The rest of the world, as this variant has it: the pages find it in `globalThis.given`. */
  readonly given: JsonObject;
}

export type Shape = 'decision' | 'conversation' | 'journey';

/** A tool exactly as the REST API shows it. */
export interface ToolOffer {
  readonly id: string;
  readonly type: 'artifact' | 'decision' | 'function';
  readonly name: string;
  readonly description?: string;
  readonly mode: 'json_schema' | 'options';
  readonly json_schema?: JsonSchema;
  readonly options?: readonly string[];
}

export interface Limits {
  readonly turns: number;
  /** Calls of reading tools that cost nothing. */
  readonly reads: number;
}

/** How a fact comes out: the three triggers, and what the person cannot know. */
export type Reveal = 'volunteered' | 'direct_question' | 'rapport_required' | 'hidden';

export interface Fact {
  readonly id: string;
  /** What is the case, for people who read a grade. */
  readonly is: string;
  /** The person's words for it. */
  readonly says: string;
  readonly reveal: Reveal;
  /** Patterns: words that must be in one question. See `language/pattern.ts`. */
  readonly ask: readonly string[];
  readonly weight: number;
  /** Facts that must be out before this one is told. */
  readonly after: readonly string[];
  /** The session from which on it can be told. */
  readonly session: number;
  readonly deflects?: string;
}

export interface Person {
  readonly name: string;
  readonly speaksFirst: boolean;
  readonly opens: string;
  readonly closes: string;
  readonly manner: string;
  /** Who finds its words: `rules`, or a model by its name; whoever runs the episodes where it is absent. */
  readonly voice?: string;
  /** `rules` where nobody else is to hear what is asked for, `model` where the rules cannot. */
  readonly hearing?: 'rules' | 'model';
  /** What "it" means in this conversation: words added to a question that only says it, this or that. */
  readonly about: string;
  /** Words that mean the same here. */
  readonly synonyms: readonly (readonly string[])[];
  /** How much warmth a `rapport_required` fact needs. */
  readonly rapport: number;
  /** Talk that is not a fact: asked, answered, worth nothing. */
  readonly topics: readonly { readonly ask: readonly string[]; readonly says: string }[];
  /** What the person does when asked, with tools of its own. */
  readonly acts: readonly PersonAct[];
  /** What it wants of the conversation. */
  readonly goals: readonly string[];
  /** What it does of its own accord: the first that fits in a turn. */
  readonly moves: readonly PersonMove[];
  readonly lines: Readonly<Record<string, string>>;
}

export interface PersonAct {
  readonly id: string;
  readonly ask: readonly string[];
  readonly says: string;
  readonly does: readonly WorldStep[];
  /** Not before this session: a document is not there before the facts that it shows. */
  readonly session?: number;
}

/** What a person does without being asked: it pushes back, changes its mind, or something happens to it. */
export interface PersonMove {
  readonly id: string;
  /** What the operator says that brings it about; nothing where it comes by itself. */
  readonly said: readonly string[];
  readonly if?: PlayCondition;
  readonly session?: number;
  /** From this turn of its session on. */
  readonly turn?: number;
  /** How often at most. */
  readonly times: number;
  readonly says: string;
  readonly does: readonly WorldStep[];
  /** Facts that come out with it. */
  readonly reveals: readonly string[];
}

/** A function tool: steps written in the scenario, or a function of its TypeScript world. */
export interface FunctionTool {
  readonly id: string;
  readonly writes: boolean;
  readonly steps?: readonly WorldStep[];
  readonly run?: WorldFunction;
  /** It acts on the page. */
  readonly page?: true;
}

/** One rule of a canned tool: the first whose conditions hold answers. */
export interface WorldStep {
  /** World paths and the values they must have; `{field}` means the input's field. */
  readonly if?: Readonly<Record<string, JsonValue>>;
  readonly set?: Readonly<Record<string, JsonValue>>;
  /** A world path to answer with. */
  readonly read?: string;
  /** Entries of a world path whose members equal the given ones. */
  readonly find?: { readonly in: string; readonly where: Readonly<Record<string, JsonValue>> };
  readonly answer?: JsonValue;
  readonly error?: string;
  /** Facts that this answer shows. */
  readonly reveals?: readonly string[];
}

/** A tool of a TypeScript world: pure, from a state to the next. It is asked only for inputs that its schema lets in. */
export type WorldFunction<World extends object = JsonObject, Input = JsonObject> = (
  world: World,
  input: Input,
) => WorldAnswer<World>;

export interface WorldAnswer<World extends object = JsonObject> {
  /** The next world; without it, the world stays as it is. */
  readonly world?: World;
  readonly output: JsonValue;
  /** The tool did not do what the model asked for, and the output says why. */
  readonly isError?: boolean;
  /** Facts that this answer shows. */
  readonly reveals?: readonly string[];
}

export interface InjectedFault {
  readonly tool: string;
  /** The first so many calls of the tool fail. */
  readonly times: number;
  readonly error: string;
}

/** One session of a journey. The first is session 1. */
export interface Session {
  readonly briefing: string;
  /** The first whose condition holds is said. */
  readonly opens: readonly { readonly if?: PlayCondition; readonly says: string }[];
  /** Tools whose calls end this session; the next one begins at once. */
  readonly ends: readonly string[];
  /** After so many turns the next one begins; after those of the last, the episode ends. */
  readonly turns: number;
  /** What has happened meanwhile. */
  readonly sets: readonly {
    readonly if?: PlayCondition;
    readonly set: Readonly<Record<string, JsonValue>>;
  }[];
}

/** Something that holds of a transcript, or does not. Members of one condition are joined by "and". */
export interface Condition {
  readonly found?: readonly string[];
  readonly called?: string;
  readonly input?: Readonly<Record<string, FieldMatch>>;
  /** With `called`: not later than this turn. */
  readonly by_turn?: number;
  /** Patterns; one must match a statement of the operator, not a question or a denial. */
  readonly said?: readonly string[];
  /** Patterns; one must match what the operator tells the person to do, or not to do. */
  readonly advises?: readonly string[];
  /** Patterns; one must match what the operator says is so, without reporting or denying it. */
  readonly claims?: readonly string[];
  /** Patterns; one must match a question of the operator. */
  readonly asked?: readonly string[];
  readonly courtesy?: readonly string[];
  /** Text that the operator wrote, word for word. */
  readonly wrote?: string;
  readonly world?: Readonly<Record<string, FieldMatch>>;
  readonly turns_at_most?: number;
  readonly all?: readonly Condition[];
  readonly any?: readonly Condition[];
  readonly not?: Condition;
}

/** What a field of an input, or a place in the world, should be. A bare value means `equal`. */
export type FieldMatch = JsonValue;

export interface ExpectedCall {
  readonly id: string;
  readonly call: string;
  readonly weight: number;
  readonly required: boolean;
  readonly after: readonly string[];
  /** Expected calls (by id) that come first. */
  readonly follows: readonly string[];
  /** Of several right ways the one that it belongs to; to all of them where it names none. */
  readonly way?: string;
  readonly by_turn?: number;
  readonly session?: number;
  readonly input: Readonly<Record<string, FieldMatch>>;
  readonly exemplar?: JsonValue;
}

export interface Criteria {
  readonly success: readonly SuccessCriterion[];
  readonly failure: readonly FailureCriterion[];
  readonly best_practices: readonly PracticeCriterion[];
  readonly rubrics: readonly Rubric[];
  readonly scope: readonly ScopeRule[];
  readonly terminology: readonly TermRule[];
}

export interface SuccessCriterion {
  readonly id: string;
  readonly text: string;
  readonly required: boolean;
  readonly weight: number;
  readonly check?: Condition;
  readonly judge?: JudgeRequest;
}

export interface FailureCriterion {
  readonly id: string;
  readonly text: string;
  readonly fatal: boolean;
  /** What it takes off the progress, as a share of all credit. */
  readonly penalty: number;
  readonly check?: Condition;
  readonly judge?: JudgeRequest;
}

export interface PracticeCriterion {
  readonly id: string;
  readonly text: string;
  readonly weight: number;
  readonly check?: Condition;
  readonly judge?: JudgeRequest;
}

export interface Rubric {
  readonly id: string;
  readonly text: string;
  readonly weight: number;
  /** The highest level whose check holds is the one reached. */
  readonly levels: readonly RubricLevel[];
  readonly judge?: JudgeRequest;
}

export interface RubricLevel {
  readonly label: string;
  readonly score: number;
  readonly description: string;
  readonly check?: Condition;
}

export interface ScopeRule {
  readonly id: string;
  readonly text: string;
  /** `may`: a call that its check names costs nothing, also where nothing expects it. */
  readonly kind: 'may' | 'must_refer' | 'prohibited';
  readonly penalty: number;
  readonly check: Condition;
  /** `must_refer`: what sets it off; without it the rule always holds. */
  readonly when_found?: readonly string[];
}

export interface TermRule {
  readonly id: string;
  readonly avoid: readonly string[];
  readonly instead: string;
  readonly penalty: number;
}

/** A criterion that only a model can judge: the stored verdict is what counts. */
export interface JudgeRequest {
  readonly prompt: string;
  readonly votes: number;
  /** The model whose agreement was measured, as provider/model: any other is advisory. */
  readonly model?: string;
  /** Measured agreement with people (Cohen's kappa); without it the criterion is advisory. */
  readonly agreement?: number;
}

export interface CreditShares {
  readonly discovery: number;
  readonly calls: number;
  readonly outputs: number;
  readonly rubrics: number;
}

/** One turn of a written path. */
export interface PathTurn {
  readonly say?: string;
  readonly calls?: readonly { readonly name: string; readonly input: JsonValue }[];
}
