import type { CreateEpisode, EpisodeAnswer, EpisodeDetailAnswer, ForkAnswer } from '../api/episode.ts';
import type { TurnAnswer } from '../api/turn.ts';
import type { Message } from '../api/message.ts';
import type { PlayerCard } from '../api/player.ts';
import type { SentUsage } from '../api/usage.ts';
import type { Client } from './client.ts';

/** Who plays: what is sent in each turn, from what came back of the last; nothing when it is done. */
export interface Player {
  next(turn: number, last: TurnAnswer | undefined): Promise<readonly Message[] | undefined>;
  /** What the last answer of `next` took, as far as the player knows. */
  took?(): SentUsage;
  /** No other turn follows, for whatever reason; `last` is the answer to the last one. */
  end?(last: TurnAnswer | undefined): void;
}

export interface PlayOptions {
  /** An episode that is forked from another has the turns that it begins with. */
  readonly player: (episode: EpisodeAnswer & Partial<ForkAnswer>) => Player;
  /** Hears each answer as it comes. */
  readonly onTurn?: (answer: TurnAnswer, episode: string) => Promise<void> | void;
  /** A repeat with the same key goes on with the episode of the first. */
  readonly idempotencyKey?: string;
}

/** Plays one episode to its end, over HTTP as a trainer would, and answers with all there is to know of it. */
export async function playEpisode(
  client: Client,
  request: CreateEpisode,
  { player: makePlayer, onTurn, idempotencyKey }: PlayOptions,
): Promise<EpisodeDetailAnswer> {
  const episode = await client.createEpisode(request, idempotencyKey === undefined ? {} : { idempotencyKey });
  const goesOn = idempotencyKey !== undefined;
  return play(client, episode, { player: makePlayer, goesOn, ...(onTurn && { onTurn }) });
}

/** Where to fork which episode, what the fork is called by and who plays it. */
export interface ForkPlace {
  readonly episode: string;
  readonly turn: number;
  readonly group?: string;
  readonly player?: PlayerCard;
}

/** Forks an episode at a turn, and plays the fork to its end. Its player is told what was played before. */
export async function playFork(
  client: Client,
  fork: ForkPlace,
  options: Omit<PlayOptions, 'idempotencyKey'>,
): Promise<EpisodeDetailAnswer> {
  const { episode, ...body } = fork;
  return play(client, await client.forkEpisode(episode, body), { ...options, goesOn: false });
}

async function play(
  client: Client,
  episode: EpisodeAnswer & Partial<ForkAnswer>,
  { player: makePlayer, onTurn, goesOn }: Omit<PlayOptions, 'idempotencyKey'> & { readonly goesOn: boolean },
): Promise<EpisodeDetailAnswer> {
  const player = makePlayer(episode);
  let isAnswered = true;
  const before = episode.turns ?? [];
  const played = before.at(-1);
  let last: TurnAnswer | undefined = played && { ...played, request_id: episode.request_id };
  try {
    for (let turn = before.length + 1; ; turn++) {
      const messages = await player.next(turn, last);
      if (messages === undefined) break;
      const usage = player.took?.();
      isAnswered = false;
      last = await client.submitTurn(episode.episode_id, { turn, messages, ...(usage && { usage }) });
      isAnswered = true;
      await onTurn?.(last, episode.episode_id);
      if (last.episode_complete) break;
    }
  } finally {
    player.end?.(last);
    // It is complete already, or the player has no more to say, or broke down: it is graded as it stands. One whose server
    // did not answer stays open for the repeat that goes on with it.
    if (isAnswered || !goesOn) await client.endEpisode(episode.episode_id);
  }
  return client.episode(episode.episode_id);
}
