import { timedId } from '../../base/host/random.ts';
import { startPlay } from '../play/play.ts';
import type { Task } from '../scenario/task.ts';
import type { EpisodeRecord } from '../store/record.ts';
import type { PlayerCard } from './player-card.ts';
import type { Caller, CreateRequest, EpisodeOptions } from './request.ts';

/** The row of an episode that begins: its task as it opens, and what the request asked for. */
export function newEpisode(task: Task, { caller, request, options, now }: NewEpisode): EpisodeRecord {
  const { observation, state } = startPlay(task);
  const { collection, scenario, version, variant, seed } = task.reference;
  return {
    id: request.id ?? timedId('ep', now),
    owner: caller.id,
    collection,
    scenario,
    version,
    variant,
    seed,
    group: request.group ?? null,
    study: request.study ?? null,
    ...playerColumns(request.player ?? caller.player),
    createdKey: request.idempotencyKey ?? null,
    createdHash: request.hash,
    options: JSON.stringify(options),
    opening: JSON.stringify(observation),
    state: JSON.stringify(state),
    status: 'open',
    terminalReason: null,
    turnCount: 0,
    reward: null,
    success: null,
    grade: null,
    progress: null,
    gate: null,
    scores: null,
    totalUsage: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: now + options.idleMs,
  };
}

export interface NewEpisode {
  readonly caller: Caller;
  readonly request: CreateRequest;
  readonly options: EpisodeOptions;
  readonly now: number;
}

/** Who plays, as the row of an episode keeps it. */
export function playerColumns(player: PlayerCard | undefined): Pick<EpisodeRecord, 'player' | 'playerCard'> {
  return player === undefined
    ? { player: null, playerCard: null }
    : { player: player.name, playerCard: JSON.stringify(player) };
}

/** The turns an episode may take: a request may lower what its scenario allows. */
export function maxTurnsOf({ config }: CreateRequest, limit: number): number {
  const wanted = config?.['max_turns'];
  return typeof wanted === 'number' && Number.isInteger(wanted) && wanted >= 1
    ? Math.min(wanted, limit)
    : limit;
}
