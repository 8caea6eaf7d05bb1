import type { JsonObject, JsonValue } from '../../base/json/value.ts';

/** Something the model may make, decide or do. `id` is the name to call it by. */
export interface EpisodeTool {
  readonly id: string;
  readonly type: 'artifact' | 'decision' | 'function';
  /** For people. */
  readonly name: string;
  readonly mode: 'json_schema' | 'options';
  readonly description?: string;
  readonly json_schema?: JsonObject;
  readonly options?: readonly string[];
}

/** A call rides on the message that makes it. Its input is never refused, only graded. */
export interface ToolCall {
  readonly type?: 'artifact' | 'decision' | 'function';
  readonly name: string;
  readonly input: JsonValue;
}

/** `assistant` (the default) is the model; `user` is the client's copy of the person's words: kept, not graded. */
export interface Message {
  readonly role?: 'assistant' | 'user';
  readonly content: string;
  readonly tool_calls?: readonly ToolCall[];
}

/** What the person says. The source gives it the role `assistant`. */
export interface Observation {
  readonly role: 'assistant';
  readonly content: string;
  /** The pictures among the documents, with the titles by which the briefing names them. Only an opening has them. */
  readonly images?: readonly ObservedImage[];
}

export interface ObservedImage {
  readonly title: string;
  readonly media_type: string;
  /** base64 */
  readonly data: string;
}

/** The whole of a result that is too long, or a picture: `GET` it where `href` says. */
export interface ResultReference {
  readonly href: string;
  readonly bytes: number;
  readonly media_type: string;
}

/** What the scenario's world answered to a call. */
export interface ToolResult {
  readonly name: string;
  readonly output: string;
  readonly is_error?: boolean;
  /** In lists of turns: `output` is only the beginning, or nothing where it is a picture. */
  readonly full?: ResultReference;
}
