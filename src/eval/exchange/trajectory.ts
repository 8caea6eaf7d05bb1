import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Message } from '../../base/message/message.ts';

/** One episode as other people's tools know it: what was said and called, by whom, and what it earned. */
export interface Trajectory {
  readonly id: string;
  /** What was played: all trials of one task have the same. */
  readonly task: string;
  /** Counted from 1 within its task and agent. */
  readonly trial: number;
  readonly agent: TrajectoryAgent;
  /** What the agent could call. */
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
  readonly grade?: TrajectoryGrade;
  /** The tokens of replies, where the provider told them: never computed here. */
  readonly tokens: readonly ReplyTokens[];
  readonly group?: string;
  /** Why it ended. */
  readonly ended?: string;
  /** Why it could not be played to its end. */
  readonly error?: string;
  /** ISO 8601. */
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** Whatever else was said of it. */
  readonly metadata: JsonObject;
}

export interface TrajectoryAgent {
  readonly name: string;
  readonly version?: string;
  readonly model?: string;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  readonly parameters: JsonObject;
}

/** What it earned; null where nobody could judge. */
export interface TrajectoryGrade {
  readonly reward: number | null;
  readonly success?: boolean;
  readonly progress?: number;
  readonly scores: Readonly<Record<string, number | null>>;
  /** Who is to blame, where it is not the agent; how many criteria have no verdict. */
  readonly personFault?: JsonObject;
  readonly notJudged?: number;
}

/** What a trainer needs of one reply, as the provider told it. */
export interface ReplyTokens {
  /** Which reply of the agent, counted from 0. */
  readonly reply: number;
  readonly promptIds?: readonly number[];
  readonly ids?: readonly number[];
  readonly logprobs?: readonly number[];
  /** 1 for each token that was sampled. */
  readonly mask?: readonly number[];
  readonly policyVersion?: string;
}

/** All of a trajectory but its messages, as plain JSON: what formats that have no word for it carry along. */
export function headOf(trajectory: Trajectory): JsonObject {
  const { messages: _, tokens, ...head } = trajectory;
  // A trajectory is plain data; what is undefined in it is left out, as in any JSON.
  return JSON.parse(JSON.stringify({ ...head, ...(tokens.length > 0 && { tokens }) })) as JsonObject;
}

/** The head that this program wrote into another format, with messages; undefined where there is none. */
export function withHead(head: JsonValue | undefined, messages: readonly Message[]): Trajectory | undefined {
  if (!isJsonObject(head) || typeof head['id'] !== 'string' || typeof head['task'] !== 'string')
    return undefined;
  // Written by `headOf`.
  const { tokens = [], ...rest } = head as unknown as Omit<Trajectory, 'messages' | 'tokens'> &
    Partial<Pick<Trajectory, 'tokens'>>;
  return { ...rest, tokens, messages };
}

/** A definition in OpenAI's shape, which the other formats take as well. */
export function functionOf({ name, description, parameters }: ToolDefinition): JsonObject {
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters },
  };
}

export function readFunctions(tools: JsonValue | undefined): readonly ToolDefinition[] {
  if (!Array.isArray(tools)) return [];
  return (tools as readonly JsonValue[]).filter(isJsonObject).flatMap((tool) => {
    const told = isJsonObject(tool['function']) ? tool['function'] : tool;
    const { name, description, parameters } = told;
    if (typeof name !== 'string') return [];
    return [
      {
        name,
        ...(typeof description === 'string' && { description }),
        parameters: isJsonObject(parameters) ? parameters : {},
      },
    ];
  });
}
