import { answered } from './envelope.ts';
import { EpisodeTool, Observation } from './message.ts';
import { answer, count, described, flag, json, list, number, oneOf, text, type TypeOf } from './shape.ts';

const SplitEntry = answer({
  name: text,
  type: oneOf('train', 'validation', 'test'),
  tasks: described(count, 'How many tasks (scenario and variant) it holds.'),
});
export type SplitEntry = TypeOf<typeof SplitEntry>;

const scenarioFields = {
  slug: text,
  name: text,
  description: text,
  shape: text,
  variants: count,
  limits: answer({ turns: count, message_length: count, idle_hours: number }),
};
const ScenarioEntry = answer(scenarioFields);
export type ScenarioEntry = TypeOf<typeof ScenarioEntry>;

const CollectionEntry = answer({
  slug: text,
  name: text,
  description: text,
  splits: list(SplitEntry),
  scenarios: list(ScenarioEntry),
});
export type CollectionEntry = TypeOf<typeof CollectionEntry>;

/** `GET /api/v1/catalog` */
export const CatalogAnswer = answer({ collections: list(CollectionEntry), ...answered });
export type CatalogAnswer = TypeOf<typeof CatalogAnswer>;

/** `GET /api/v1/catalog/{collection}/{scenario}`: all that a model may know beforehand; never a criterion. */
export const ScenarioAnswer = answer({
  collection_slug: text,
  scenario_slug: text,
  ...scenarioFields,
  briefing: text,
  initial_observation: Observation,
  tools: list(EpisodeTool),
  ...answered,
});
export type ScenarioAnswer = TypeOf<typeof ScenarioAnswer>;

/** A tool as one provider is sent it, and in a sentence each what it does not learn of it. */
const SentTool = answer({
  name: text,
  sent: flag,
  'wire_name?': described(text, 'Its name there, where that is another.'),
  'strict?': flag,
  'schema?': json,
  lost: list(answer({ 'field?': text, message: text })),
});
export type SentTool = TypeOf<typeof SentTool>;

const ApiTools = answer({ api: text, tools: list(SentTool) });
export type ApiTools = TypeOf<typeof ApiTools>;

/** `GET /api/v1/catalog/{collection}/{scenario}/tools`: what each provider would be sent of its tools. */
export const ScenarioToolsAnswer = answer({ apis: list(ApiTools), ...answered });
export type ScenarioToolsAnswer = TypeOf<typeof ScenarioToolsAnswer>;
