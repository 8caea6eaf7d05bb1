import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { AssistantMessage } from '../../../base/message/message.ts';
import type { Result } from '../../../base/message/result.ts';
import type { Usage } from '../../../base/message/usage.ts';

/** What an operator reads of an episode that begins: the answer to `POST /api/v1/episodes` has it all. */
export interface Beginning {
  readonly initial_observation: { readonly content: string };
  readonly tools: readonly EpisodeTool[];
}

/** Something that the one who plays may make, decide or do. */
export interface EpisodeTool {
  readonly id: string;
  readonly type: 'artifact' | 'decision' | 'function';
  readonly name: string;
  readonly mode: 'json_schema' | 'options';
  readonly description?: string;
  readonly json_schema?: JsonObject;
  readonly options?: readonly string[];
}

/** What an operator reads of the answer to a turn. */
export interface TurnAnswered {
  readonly observation: { readonly content: string };
  readonly results?: readonly { readonly name: string; readonly output: string }[];
}

/** What an operator sends in a turn. */
export interface TurnMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly tool_calls?: readonly { readonly name: string; readonly input: JsonValue }[];
}

/** One reply of the agent's model, with the results of its calls: those of the episode and the agent's own. */
export interface OperatorStep {
  readonly message: AssistantMessage;
  readonly results: readonly Result[];
  readonly usage?: Usage;
}

/** An agent's seat at one episode: what each kind of agent is given, whatever its own shapes are. */
export interface Seat {
  readonly tools: readonly SeatTool[];
  readonly signal: AbortSignal;
  readonly record: (step: OperatorStep) => void;
}

/** A tool of the episode; calling it answers as the episode does. */
export interface SeatTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly call: (input: JsonValue) => Promise<string>;
}

/** Answers what the person said: runs the agent to the end of its reply, and gives its words. */
export type Seated = (words: string) => Promise<string>;
