import { hash } from 'node:crypto';

import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { numbersOf, type GradeNumbers, type TurnOutcome } from '../../../grade/episode/outcome.ts';
import { hashOf } from '../../../grade/episode/request-hash.ts';
import type { Caller, TaskChoice, TurnRequest } from '../../../grade/episode/request.ts';
import type { Grade } from '../../../grade/score/grade.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import { limits } from '../../api/limit.ts';
import type { ServerContext } from '../../http/context.ts';
import { writeNumbers } from '../../http/write-numbers.ts';
import { invalid } from '../../http/refusal.ts';

/**
 * A session of a trainer's protocol is an episode whose id is made from the session's: nothing else needs to be kept,
 * so any server before the same store can answer it.
 */
export function sessionEpisode(door: 'ors' | 'oe' | 'ng' | 'hud', caller: Caller, session: string): string {
  return `${door}_${hash('sha256', `${caller.id}\n${session}`, 'hex').slice(0, 32)}`;
}

/** What a client did at once: words, calls, or both. */
export interface Action {
  readonly message: string;
  readonly calls: readonly { readonly name: string; readonly input: JsonValue }[];
}

/** The turn that an action is. It waits for those before it; a repeat under the same key runs nothing again. */
export function turnOf({ message, calls }: Action, idempotencyKey?: string): TurnRequest {
  if (message.length > limits.messageLength && [...message].length > limits.messageLength)
    throw invalid('message', `is longer than ${limits.messageLength} characters.`);
  const messages = [
    { role: 'assistant' as const, content: message, ...(calls.length > 0 && { toolCalls: calls }) },
  ];
  return {
    messages,
    hash: hashOf(messages),
    waits: true,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

export interface SessionChoice {
  readonly task: TaskChoice;
  readonly group?: string;
  readonly idleMs: number;
  /** Each turn is graded; by default only where the reward mode tells of turns. */
  readonly scoreTurns?: boolean;
  /** Another name under which its caller finds it. */
  readonly idempotencyKey?: string;
}

/** Opens the episode of a session, or finds the one that the same request opened before. */
export async function openSession(
  context: ServerContext,
  caller: Caller,
  id: string,
  { task, group, idleMs, idempotencyKey, scoreTurns = context.rewardMode !== 'final' }: SessionChoice,
): Promise<EpisodeRecord> {
  const { record } = await context.engine.create(caller, {
    ...task,
    id,
    idleMs,
    scoreTurns,
    hash: hashOf({ task, group: group ?? null }),
    ...(group !== undefined && { group }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  return record;
}

/**
 * The reward that a client is told of a turn. Clients either keep the last one or add them up: with `final` both get
 * the stored grade, with `running` those that keep the last, with `delta` those that add.
 */
export async function rewardOf(
  context: ServerContext,
  episode: string,
  outcome: TurnOutcome,
): Promise<number | null> {
  const reward = outcome.final?.reward ?? outcome.numbers?.reward ?? null;
  if (context.rewardMode === 'final') return outcome.final?.reward ?? null;
  if (context.rewardMode === 'running' || reward === null) return reward;
  return reward - (await toldBefore(context, episode, outcome.turn));
}

/** The reward of an episode that ended without a turn. */
export async function finalReward(context: ServerContext, record: EpisodeRecord): Promise<number> {
  const reward = record.reward ?? 0;
  return context.rewardMode === 'delta'
    ? reward - (await toldBefore(context, record.id, record.turnCount + 1))
    : reward;
}

/**
 * How an episode came out, for the last answer of it: by the names of the Labs API, so that a trainer can leave out what
 * is not the model's fault. Nothing while it is open.
 */
export function endingOf({ ended, final }: TurnOutcome): JsonObject {
  return ended === undefined || final === undefined ? {} : writeEnding(ended, final);
}

/** The same of an episode that ended without a turn, or that was read. */
export function endingOfRecord({ terminalReason, grade }: EpisodeRecord): JsonObject {
  if (terminalReason === null || grade === null) return {};
  // Written by the engine, from a grade.
  return writeEnding(terminalReason, numbersOf(JSON.parse(grade) as Grade));
}

function writeEnding(reason: string, numbers: GradeNumbers): JsonObject {
  return { terminal_reason: reason, grade: { ...writeNumbers(numbers) } as unknown as JsonObject };
}

/** Whether a client ended it: by `finish`, or by leaving. */
export function wasFinished({ status, terminalReason }: EpisodeRecord): boolean {
  return status === 'complete' && terminalReason === 'client_terminated';
}

/** The sum of the differences that were told of the turns before. */
export async function toldBefore(context: ServerContext, episode: string, turn: number): Promise<number> {
  if (turn <= 1) return 0;
  const [row] = await context.engine.store.readTurns(episode, turn - 2);
  const before = row && (JSON.parse(row.answer) as TurnOutcome);
  return before?.numbers?.reward ?? 0;
}
