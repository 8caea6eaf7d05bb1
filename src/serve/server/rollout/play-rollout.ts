import type { JsonObject } from '../../../base/json/value.ts';
import { version } from '../../../base/host/version.ts';
import { operator, type Operator } from '../../../run/bridge/operator/operator.ts';
import { hashOf } from '../../../grade/episode/request-hash.ts';
import { numbersOf } from '../../../grade/episode/outcome.ts';
import type { Caller, TaskChoice } from '../../../grade/episode/request.ts';
import type { Grade } from '../../../grade/score/grade.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { Observation } from '../../../grade/scenario/transcript.ts';
import type { TerminalReason } from '../../../grade/scenario/play-state.ts';
import type { TurnOutcome } from '../../api/turn.ts';
import type { Rollout, RolloutFailure } from '../../api/rollout.ts';
import type { ServerContext } from '../../http/context.ts';
import { readTurn } from '../rest/read-request.ts';
import { writeCreated, writeTurn, type Bare } from '../rest/write-answer.ts';
import { writeNumbers } from '../../http/write-numbers.ts';
import { failureOf } from '../../protocol/session/failure.ts';
import type { Trial, TrialPlayer } from '../../http/trial-player.ts';
import { TrajectoryRecorder } from './trajectory.ts';

export interface RolloutRequest {
  readonly task: TaskChoice;
  readonly group?: string;
  /** What the player is called, and how it is made. */
  readonly player: { readonly name: string; readonly make: TrialPlayer };
  readonly trial: Omit<Trial, 'signal'>;
  /** When the trial is given up. */
  readonly timeoutMs: number;
}

/** Thrown into an agent whose time is up. */
class TimeIsUp extends Error {}

/**
 * Plays one trial: makes the agent for it, lets it play an episode to its end, and answers with the grade and all that
 * the agent heard and did. What breaks on the way ends the episode; such a trial has no reward.
 */
export async function playRollout(
  context: ServerContext,
  caller: Caller,
  request: RolloutRequest,
  left: AbortSignal,
): Promise<Bare<Rollout>> {
  const { engine, clock } = context;
  const { task: choice, group, player, trial } = request;
  const { record } = await engine.create(caller, {
    ...choice,
    scoreTurns: false,
    player: { name: player.name, ...(trial.model !== undefined && { model: trial.model }) },
    hash: hashOf({ task: choice, group: group ?? null }),
    ...(group !== undefined && { group }),
  });
  const over = new AbortController();
  const cancel = clock.after(request.timeoutMs, () =>
    over.abort(new TimeIsUp('The time of this trial is up.')),
  );
  const signal = AbortSignal.any([left, context.stopped, over.signal]);
  const recorder = new TrajectoryRecorder(() => clock.now());
  hearOpening(recorder, engine.tasks.taskOf(record).briefing, record);
  let error: unknown;
  try {
    const agent = await player.make({ ...trial, signal });
    await play(context, caller, record, {
      player: operator(agent, { signal, onStep: (step) => recorder.did(step) }),
      recorder,
    });
  } catch (thrown) {
    error = thrown ?? new Error('The agent threw nothing.');
  } finally {
    cancel();
    over.abort();
  }
  const ended = await engine.end(caller, record.id, 'client_terminated');
  const outcome = writeOutcome(ended, error);
  const agent = { name: player.name, version, ...(trial.model !== undefined && { model_name: trial.model }) };
  return {
    ...outcome,
    trajectory: recorder.write(
      { ...agent, tool_definitions: toolsOf(context, record) },
      // The same numbers as in the answer around it: a trajectory that is kept alone says how it was graded.
      { ...outcome } as unknown as JsonObject,
    ),
  };
}

async function play(
  { engine }: ServerContext,
  caller: Caller,
  record: EpisodeRecord,
  { player, recorder }: { readonly player: Operator; readonly recorder: TrajectoryRecorder },
): Promise<void> {
  const created = writeCreated(record, engine.tasks.taskOf(record));
  const worlds = new Set(created.tools.flatMap(({ id, type }) => (type === 'function' ? [id] : [])));
  const seat = player(created);
  let last: TurnOutcome | undefined;
  try {
    for (let turn = 1; last?.episode_complete !== true; turn += 1) {
      const messages = await seat.next(turn, last);
      if (messages === undefined) return;
      const request = readTurn(record.id, { turn, messages });
      const { outcome } = await engine.submitTurn(caller, record.id, request);
      last = writeTurn(outcome, caller);
      // A turn in the middle of a reply: the person's words go into the result that the agent waits for.
      const isMiddle = messages.some(({ tool_calls: calls = [] }) =>
        calls.some(({ name }) => worlds.has(name)),
      );
      if (!isMiddle) recorder.heard('user', last.observation.content);
    }
  } finally {
    seat.end(last);
  }
}

/** The briefing is the system's; what the person says first is said to the agent. */
function hearOpening(recorder: TrajectoryRecorder, briefing: string, { opening }: EpisodeRecord): void {
  const { content } = JSON.parse(opening) as Observation;
  recorder.heard('system', briefing);
  recorder.heard('user', content.startsWith(briefing) ? content.slice(briefing.length).trim() : content);
}

function toolsOf({ engine }: ServerContext, record: EpisodeRecord): readonly JsonObject[] {
  return writeCreated(record, engine.tasks.taskOf(record)).tools.map(
    ({ id, description, json_schema: parameters, options }) => ({
      type: 'function',
      function: {
        name: id,
        ...(description !== undefined && { description }),
        parameters: parameters ?? {
          type: 'object',
          properties: { value: { type: 'string', enum: options ?? [] } },
          required: ['value'],
        },
      },
    }),
  );
}

function writeOutcome(record: EpisodeRecord, error: unknown): Omit<Bare<Rollout>, 'trajectory'> {
  // Written by the engine, from a grade; it was ended above.
  const numbers = numbersOf(JSON.parse(record.grade ?? '') as Grade);
  const reason = record.terminalReason as TerminalReason;
  const failure: RolloutFailure | undefined =
    error === undefined ? failureOf(numbers, reason) : error instanceof TimeIsUp ? 'timeout' : 'agent_error';
  return {
    episode_id: record.id,
    ...writeNumbers(numbers),
    reward: failure === undefined ? numbers.reward : null,
    terminal_reason: reason,
    ...(failure !== undefined && { failure }),
    ...(error !== undefined && { error: sentenceOf(error) }),
  };
}

function sentenceOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1000);
}
