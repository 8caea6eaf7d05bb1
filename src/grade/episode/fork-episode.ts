import { WhetstoneError } from '../../base/host/errors.ts';
import { timedId } from '../../base/host/random.ts';
import { answersOf, playTurn, startPlay } from '../play/play.ts';
import type { PlayState } from '../scenario/play-state.ts';
import type { EpisodeRecord, TurnRecord } from '../store/record.ts';
import type { LiveEpisode } from './live-episode.ts';
import type { TurnOutcome } from './outcome.ts';
import { playerColumns } from './new-episode.ts';
import type { Caller, EpisodeOptions, ForkRequest } from './request.ts';

/** An episode that goes on from a turn of another: its row, and the turns that the two have in common. */
export interface Fork {
  readonly record: EpisodeRecord;
  readonly turns: readonly TurnRecord[];
}

export interface ForkOptions {
  readonly caller: Caller;
  readonly request: ForkRequest;
  /** The rows of the episode's turns. */
  readonly rows: readonly TurnRecord[];
  readonly idleMs: number;
  readonly now: number;
}

/**
 * The fork of an episode at a turn: no model is asked for what came before it. The turns are copied as they are stored,
 * and played again for the state of the world and of the person, which must answer as it did.
 */
export function forkEpisode(live: LiveEpisode, { caller, request, rows, idleMs, now }: ForkOptions): Fork {
  const { turn } = request;
  const { record } = live;
  const kept = rows.slice(0, turn);
  mustGoOn(live, kept, turn);
  const id = timedId('ep', now);
  const options: EpisodeOptions = {
    ...live.options,
    explain: caller.explain,
    idleMs,
    forkedFrom: { episode: record.id, turn },
  };
  return {
    turns: kept.map((row) => ({ ...row, episode: id, key: null })),
    record: {
      ...record,
      id,
      owner: caller.id,
      version: live.task.reference.version,
      ...playerColumns(request.player ?? caller.player),
      group: request.group ?? `${record.id}@${turn}`,
      study: null, // Its player does not play the whole task.
      createdKey: request.idempotencyKey ?? null,
      createdHash: request.hash,
      options: JSON.stringify(options),
      state: JSON.stringify(stateAfter(live, turn)),
      status: 'open',
      terminalReason: null,
      turnCount: turn,
      reward: null,
      success: null,
      grade: null,
      progress: null,
      gate: null,
      scores: null,
      totalUsage: null,
      createdAt: now,
      updatedAt: now,
      expiresAt: now + idleMs,
    },
  };
}

function mustGoOn({ record, options }: LiveEpisode, kept: readonly TurnRecord[], turn: number): void {
  if (kept.length < turn)
    throw refused(`The episode ${record.id} has ${record.turnCount} turns: there is no turn ${turn}.`, turn);
  const last = kept.at(-1);
  const ended = last && (JSON.parse(last.answer) as TurnOutcome).ended;
  if (ended !== undefined || turn >= options.maxTurns)
    throw refused(
      `The episode ${record.id} ended with its turn ${turn} (${ended ?? 'max_turns_reached'}): nothing can follow. Fork it at turn ${turn - 1} or before.`,
      turn,
    );
}

/** The state after this many turns. The rules speak for the person: what a model said for it changes no state. */
export function stateAfter(
  { task, turns, record }: Pick<LiveEpisode, 'task' | 'turns' | 'record'>,
  count: number,
): PlayState {
  let { state } = startPlay(task);
  for (const entry of turns.slice(0, count)) {
    const { turn, messages, outcomes, observation, voice } = entry;
    const played = state.ended === undefined ? playTurn(task, state, messages, answersOf(entry)) : undefined;
    const same =
      JSON.stringify(played?.outcomes) === JSON.stringify(outcomes) &&
      (voice !== undefined || played?.observation.content === observation.content);
    if (played === undefined || !same)
      throw refused(
        `Turn ${turn} of ${record.id} does not come out as it did: ${record.collection}/${record.scenario} is of version ${task.reference.version}, and was ${record.version} when it was played. Fork at a turn before it.`,
        turn,
      );
    state = played.state;
  }
  return state;
}

function refused(message: string, turn: number): WhetstoneError {
  return new WhetstoneError('fork_refused', message, { details: { turn } });
}
