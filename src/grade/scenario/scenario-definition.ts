import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Courtesy } from '../language/courtesy.ts';
import type { GeneralQuestion } from './general.ts';
import type { FieldMatch, Reveal, Shape, WorldAnswer } from './task.ts';

/** A scenario as it is written in TypeScript: the members of `scenario.yaml`, of `paths.yaml` and of `questions.yaml`. */
export interface ScenarioDefinition<
  Tools extends readonly ToolDefinition[],
  World extends object,
  Fact extends string,
  Call extends string,
> {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly shape?: Shape;
  /** What sort of work it is, in a word or two: for tables. */
  readonly kind?: string;
  /** A text that occurs nowhere else: found in a model's training data, it tells that the scenario was in it. */
  readonly canary: string;
  readonly author?: string;
  /** What varies: each axis is a list of values, or a range of numbers. `${axis.field}` is replaced by the value. */
  readonly vary?: Readonly<
    Record<
      string,
      readonly (JsonValue | object)[] | { readonly from: number; readonly to: number; readonly step?: number }
    >
  >;
  /** What follows from the axes: of each the first value whose `when` holds, a list of every one, or their sum. */
  readonly derive?: Readonly<
    Record<
      string,
      readonly Following[] | { readonly every: readonly Following[] } | { readonly sum: readonly Following[] }
    >
  >;
  readonly briefing: string;
  readonly documents?: readonly WrittenDocument<NoInfer<Fact>>[];
  readonly limits?: { readonly turns?: number; readonly reads?: number };
  /** The tools whose calls end the episode. */
  readonly ends?: readonly NoInfer<NameOf<Tools>>[] | Variable;
  readonly tools: Tools;
  readonly world?: World;
  /** How the function tools work that have no `steps`: pure functions, from a world to the next. */
  readonly code?: {
    readonly [Id in NameOf<Tools>]?: (
      world: NoInfer<World>,
      input: InputOf<Extract<Tools[number], { readonly id: Id }>['json_schema']>,
    ) => WorldAnswer<NoInfer<World>>;
  };
  readonly faults?: readonly (When & {
    readonly tool: NoInfer<NameOf<Tools>>;
    readonly error: string;
    readonly times?: Quantity;
  })[];
  readonly person?: WrittenPerson<NoInfer<Fact>, NoInfer<NameOf<Tools>>>;
  readonly facts?: readonly WrittenFact<Fact>[];
  readonly sessions?: readonly WrittenSession<NoInfer<Fact>, NoInfer<NameOf<Tools>>>[];
  readonly expect: readonly (When & {
    readonly id?: Call;
    readonly call: NoInfer<NameOf<Tools>>;
    readonly weight?: Quantity;
    readonly required?: Flag;
    /** The facts that it rests on. */
    readonly after?: readonly NoInfer<Fact>[] | Variable;
    /** The expected calls (by id) that must have been right before. */
    readonly follows?: readonly NoInfer<Call>[] | Variable;
    /** Of several right ways the one that it belongs to. */
    readonly way?: string;
    readonly by_turn?: Quantity;
    readonly session?: Quantity;
    readonly input?: Readonly<Record<string, FieldMatch>>;
    readonly exemplar?: JsonValue;
  })[];
  readonly criteria?: WrittenCriteria<NoInfer<Fact>, NoInfer<NameOf<Tools>>>;
  readonly credit?: {
    readonly discovery?: number;
    readonly calls?: number;
    readonly outputs?: number;
    readonly rubrics?: number;
  };
  /** What else is in `paths.yaml`. */
  readonly paths?: {
    readonly gold: readonly WrittenTurn<NoInfer<NameOf<Tools>>>[];
    readonly margin?: number;
    readonly flawed?: readonly (When & {
      readonly id: string;
      readonly kind: 'too_early' | 'wrong_input' | 'harmful' | 'aimless' | 'incomplete' | 'other';
      readonly turns: readonly WrittenTurn<NoInfer<NameOf<Tools>>>[];
      readonly at_most?: number;
      readonly at_least?: number;
      /** What a good judge says of it, from 0 to 1. */
      readonly verdicts?: Readonly<Record<string, number>>;
    })[];
  };
  /** What else is in `questions.yaml`. */
  readonly questions?: {
    readonly [Id in NoInfer<Fact>]?: { readonly asked: readonly string[]; readonly not: readonly string[] };
  };
}

export interface ToolDefinition {
  readonly id: string;
  readonly type: 'artifact' | 'decision' | 'function';
  readonly name?: string;
  readonly description?: string;
  readonly mode?: 'json_schema' | 'options';
  readonly json_schema?: JsonObject | boolean;
  readonly options?: readonly string[] | Variable;
  readonly writes?: boolean;
  readonly steps?: readonly JsonObject[];
}

/** A value, and where it follows. */
interface Following extends When {
  readonly is: JsonValue;
}

interface WrittenFact<Id extends string> extends When {
  readonly id: Id;
  readonly is?: string;
  readonly says?: string;
  readonly reveal?: Reveal;
  readonly ask?: string | readonly string[];
  readonly weight?: Quantity;
  readonly after?: readonly NoInfer<Id>[] | Variable;
  readonly session?: Quantity;
  readonly deflects?: string;
}

interface WrittenDocument<Fact extends string> extends When {
  readonly file: string;
  readonly title?: string;
  readonly for: 'operator' | 'person' | 'both' | 'neither';
  readonly ask?: string | readonly string[];
  readonly reveals?: readonly Fact[] | Variable;
}

interface WrittenPerson<Fact extends string, Tool extends string> {
  readonly name?: string;
  readonly manner?: 'plain' | 'curt' | 'chatty' | 'anxious' | Variable;
  /** `rules`, or the model that the person was written for, as provider/model. */
  readonly voice?: 'rules' | `${string}/${string}` | Variable;
  /** Who hears what is asked for: the rules alone, or a model and nobody else. */
  readonly hearing?: 'rules' | 'model';
  readonly speaks_first?: boolean;
  readonly opens?: string;
  readonly closes?: string;
  readonly about?: string;
  readonly rapport?: Quantity;
  readonly synonyms?: readonly (readonly string[])[];
  /** Answers to what anybody may be asked. */
  readonly general?: Readonly<Partial<Record<GeneralQuestion, string>>>;
  readonly topics?: readonly (When & {
    readonly ask: string | readonly string[];
    readonly says: string;
  })[];
  readonly acts?: readonly (When & {
    readonly id: string;
    readonly ask: string | readonly string[];
    readonly says: string;
    readonly does?: readonly (JsonObject & { readonly reveals?: readonly Fact[] })[];
  })[];
  /** What the person wants of the conversation. */
  readonly goals?: readonly string[];
  /** What the person does of its own accord: the first that fits in a turn. */
  readonly moves?: readonly (When & {
    readonly id: string;
    readonly said?: string | readonly string[];
    readonly if?: WrittenCircumstance<Fact, Tool>;
    readonly session?: Quantity;
    readonly turn?: Quantity;
    readonly times?: Quantity;
    readonly says: string;
    readonly does?: readonly JsonObject[];
    readonly reveals?: readonly Fact[] | Variable;
  })[];
  readonly lines?: Readonly<Record<string, string>>;
}

interface WrittenSession<Fact extends string, Tool extends string> {
  readonly briefing?: string;
  readonly opens?:
    | string
    | readonly (When & { readonly if?: WrittenCircumstance<Fact, Tool>; readonly says: string })[];
  readonly ends?: readonly Tool[] | Variable;
  readonly turns?: Quantity;
  readonly sets?: readonly (When & {
    readonly if?: WrittenCircumstance<Fact, Tool>;
    readonly set: JsonObject;
  })[];
}

/** What was done or missed before a session. */
interface WrittenCircumstance<Fact extends string, Tool extends string> {
  readonly found?: readonly Fact[] | Variable;
  readonly missed?: readonly Fact[] | Variable;
  readonly called?: Tool;
  readonly not_called?: Tool;
  readonly value?: JsonValue;
  readonly world?: JsonObject;
}

interface WrittenCriteria<Fact extends string, Tool extends string> {
  readonly success?: readonly (WrittenCriterion<Fact, Tool> & {
    readonly required?: Flag;
    readonly weight?: Quantity;
  })[];
  readonly failure?: readonly (WrittenCriterion<Fact, Tool> & {
    readonly fatal?: Flag;
    readonly penalty?: Quantity;
  })[];
  readonly best_practices?: readonly (WrittenCriterion<Fact, Tool> & { readonly weight?: Quantity })[];
  readonly rubrics?: readonly (Omit<WrittenCriterion<Fact, Tool>, 'check'> & {
    readonly weight?: Quantity;
    readonly levels?: readonly {
      readonly label: string;
      readonly score: Quantity;
      readonly description?: string;
      readonly check?: WrittenCondition<Fact, Tool>;
    }[];
  })[];
  readonly scope?: readonly (Omit<WrittenCriterion<Fact, Tool>, 'judge'> & {
    readonly check: WrittenCondition<Fact, Tool>;
    readonly kind?: 'may' | 'must_refer' | 'prohibited';
    readonly penalty?: Quantity;
    readonly when_found?: readonly Fact[] | Variable;
  })[];
  readonly terminology?: readonly (When & {
    readonly id: string;
    readonly avoid: readonly string[];
    readonly instead?: string;
    readonly penalty?: Quantity;
  })[];
}

interface WrittenCriterion<Fact extends string, Tool extends string> extends When {
  readonly id: string;
  readonly text: string;
  readonly check?: WrittenCondition<Fact, Tool>;
  readonly judge?: {
    readonly prompt: string;
    readonly votes?: Quantity;
    readonly model?: string;
    readonly agreement?: Quantity;
  };
}

/** Something that holds of a transcript, or does not. */
interface WrittenCondition<Fact extends string, Tool extends string> extends When {
  readonly found?: readonly Fact[] | Variable;
  readonly called?: Tool;
  readonly input?: Readonly<Record<string, FieldMatch>>;
  readonly by_turn?: Quantity;
  readonly said?: string | readonly string[];
  readonly asked?: string | readonly string[];
  readonly advises?: string | readonly string[];
  readonly claims?: string | readonly string[];
  readonly wrote?: string;
  readonly courtesy?: readonly Courtesy[];
  readonly world?: Readonly<Record<string, FieldMatch>>;
  readonly turns_at_most?: Quantity;
  readonly all?: readonly WrittenCondition<Fact, Tool>[];
  readonly any?: readonly WrittenCondition<Fact, Tool>[];
  readonly not?: WrittenCondition<Fact, Tool>;
}

interface WrittenTurn<Tool extends string> extends When {
  readonly say?: string;
  readonly calls?: readonly (When & { readonly name: Tool; readonly input: JsonValue })[];
  /** Turns of the gold path, such as 3 or '1-4'. */
  readonly gold?: number | string;
}

/** Only in variants where each of these variables has the given value, or one of a list. */
interface When {
  readonly when?: Readonly<Record<string, JsonValue>>;
}

type Variable = `\${${string}}`;
type Quantity = number | Variable;
type Flag = boolean | Variable;
type NameOf<Tools extends readonly ToolDefinition[]> = Tools[number]['id'];

/** What a JSON Schema lets in, for the schemas that tools commonly have. */
export type InputOf<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly type: 'string' }
    ? string
    : Schema extends { readonly type: 'number' | 'integer' }
      ? number
      : Schema extends { readonly type: 'boolean' }
        ? boolean
        : Schema extends { readonly type: 'array'; readonly items: infer Items }
          ? readonly InputOf<Items>[]
          : Schema extends { readonly properties: infer Properties }
            ? ObjectOf<
                Properties,
                Schema extends { readonly required: readonly (infer Name)[] } ? Name : never
              >
            : Schema extends { readonly type: 'object' }
              ? JsonObject
              : JsonValue;

type ObjectOf<Properties, Required> = {
  readonly [Name in keyof Properties as Name extends Required ? Name : never]: InputOf<Properties[Name]>;
} & {
  readonly [Name in keyof Properties as Name extends Required ? never : Name]?: InputOf<Properties[Name]>;
};
