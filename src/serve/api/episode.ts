import { answered } from './envelope.ts';
import { EpisodeExplanation } from './explanation.ts';
import { filters, pageSize } from './filter.ts';
import { ScoredNumbers } from './grade.ts';
import { EpisodeTool, Observation } from './message.ts';
import { Player, PlayerCard } from './player.ts';
import {
  answer,
  between,
  bit,
  count,
  date,
  described,
  flag,
  label,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  request,
  share,
  text,
  type TypeOf,
} from './shape.ts';
import { EpisodeTurn, TerminalReason } from './turn.ts';
import { EpisodeUsage } from './usage.ts';

export const createFields = {
  collection_slug: label,
  'scenario_slug?': described(
    label,
    'Left out only with `split` and `index`, which name a task by its place.',
  ),
  'score_turns?': described(
    flag,
    'False: turns answer with reward 0 and no scores. The grade is still kept.',
  ),
  'config?': described(
    request({ 'max_turns?': { ...count, minimum: 1 } }),
    'Further settings of an episode; `max_turns` lowers the limit of the scenario.',
  ),
  'variant?': described(count, 'Which wording, facts and person of the scenario; 0 when left out.'),
  'seed?': count,
  'group?': described(label, "A label of the client's, to compare episodes by."),
  'study?': described(
    label,
    'The study that it is played for: the page shows the episodes of one player in it as one run.',
  ),
  'player?': Player,
  'split?': label,
  'index?': count,
};

/** `POST /api/v1/episodes` */
export const CreateEpisode = request(createFields);
export type CreateEpisode = TypeOf<typeof CreateEpisode>;

export const createdFields = {
  episode_id: text,
  initial_observation: Observation,
  tools: list(EpisodeTool),
  max_turns: described(
    count,
    "After how many turns it ends at the latest: what `config.max_turns` asked for, or the scenario's limit if that is lower.",
  ),
};

export const EpisodeAnswer = answer({ ...createdFields, ...answered });
export type EpisodeAnswer = TypeOf<typeof EpisodeAnswer>;

/** `POST /api/v1/episodes/{id}/fork` */
export const ForkEpisode = request({
  turn: described(
    between(0, 1_000_000),
    'The last turn that the new episode has in common with this one; 0 for none.',
  ),
  'group?': described(label, 'When left out, all forks of one turn of one episode have the same group.'),
  'player?': described(Player, 'Who plays it from here on; the earlier turns do not say that.'),
});
export type ForkEpisode = TypeOf<typeof ForkEpisode>;

const ForkOrigin = answer({ episode_id: text, turn: count });
export type ForkOrigin = TypeOf<typeof ForkOrigin>;

/** The episode that was opened, with the turns that it begins with: the next one is `turns.length + 1`. */
export const ForkAnswer = answer({
  ...createdFields,
  forked_from: ForkOrigin,
  turns: list(EpisodeTurn),
  ...answered,
});
export type ForkAnswer = TypeOf<typeof ForkAnswer>;

const summaryFields = {
  episode_id: text,
  collection_slug: text,
  scenario_slug: text,
  variant: count,
  seed: count,
  version: described(text, 'The version of the scenario that was played.'),
  group: nullable(text),
  'study?': described(text, 'Absent if it was played for no study.'),
  'player?': described(PlayerCard, 'Absent if nobody said who plays.'),
  status: oneOf('open', 'complete'),
  'terminal_reason?': TerminalReason,
  created_at: date,
  updated_at: date,
  turn_count: count,
  duration_ms: described(count, 'From its opening to its last change.'),
  'usage?': EpisodeUsage,
  'reward?': described(share, 'This and the next are of the final grade, once the episode is complete.'),
  'success?': bit,
  'progress?': share,
  'gate?': bit,
  'scores?': described(map(number), 'Of each dimension.'),
};

/** One line of `GET /api/v1/episodes`. */
export const EpisodeSummary = answer(summaryFields);
export type EpisodeSummary = TypeOf<typeof EpisodeSummary>;

/** `GET /api/v1/episodes?cursor=&limit=` and filters, newest first unless another order is asked for. */
export const EpisodeListQuery = request({
  'cursor?': described(text, 'The `next_cursor` of the page before, asked for in the same order.'),
  'limit?': pageSize,
  'sort?': described(
    oneOf('begun', 'reward', 'duration', 'tokens'),
    '`begun` when left out. With any other order, only complete episodes that have such a value are listed.',
  ),
  'order?': described(oneOf('ascending', 'descending'), '`descending` when left out.'),
  ...filters,
});
export type EpisodeListQuery = TypeOf<typeof EpisodeListQuery>;

export const EpisodeListAnswer = answer({
  episodes: list(EpisodeSummary),
  next_cursor: described(nullable(text), 'Ask again with it for the next page; null on the last.'),
  ...answered,
});
export type EpisodeListAnswer = TypeOf<typeof EpisodeListAnswer>;

/** The log that an episode was read from, and what else it says. */
const LogOrigin = answer({
  file: text,
  format: described(text, 'What the file is.'),
  id: described(text, 'What the episode is called there.'),
  'ended?': described(text, 'Why it ended, in the words of the log.'),
  'error?': text,
  'frames?': described(
    list(answer({ turn: count, result: count })),
    'The results that show a picture, in order; `result` counts from 0 within its turn.',
  ),
  metadata: object,
});
export type LogOrigin = TypeOf<typeof LogOrigin>;

const detailFields = {
  ...summaryFields,
  scenario_name: text,
  briefing: text,
  score_turns: flag,
  max_turns: count,
  'forked_from?': described(ForkOrigin, 'The episode whose first turns it begins with.'),
  tools: list(EpisodeTool),
  initial_observation: Observation,
  turns: list(EpisodeTurn),
  'grade?': described(ScoredNumbers, 'The numbers of the final grade, once the episode is complete.'),
  'explain?': EpisodeExplanation,
  'log?': described(
    LogOrigin,
    'Where it was read from, if it was not played here: such a log has no reasons of its grade.',
  ),
};

/** `GET /api/v1/episodes/{id}` */
export const EpisodeDetail = answer(detailFields);
export type EpisodeDetail = TypeOf<typeof EpisodeDetail>;

export const EpisodeDetailAnswer = answer({ ...detailFields, ...answered });
export type EpisodeDetailAnswer = TypeOf<typeof EpisodeDetailAnswer>;

/** `GET /api/v1/episodes/{id}?turns=` */
export const EpisodeQuery = request({
  'turns?': described(
    pageSize,
    'If it has more turns than this, only the first of them come, and without `explain`.',
  ),
});
export type EpisodeQuery = TypeOf<typeof EpisodeQuery>;

/** `DELETE /api/v1/episodes/{id}` ends it: `client_terminated`. A second time answers alike. */
export const EndEpisodeAnswer = answer({
  episode_id: text,
  status: oneOf('complete'),
  terminal_reason: TerminalReason,
  grade: ScoredNumbers,
  ...answered,
});
export type EndEpisodeAnswer = TypeOf<typeof EndEpisodeAnswer>;

/**
 * `GET /api/v1/episodes/{id}/events` (SSE): one `turn` event a turn, its id the turn's number, from `Last-Event-ID`
 * or the first on; at last `complete`, and the stream ends.
 */
export type EpisodeEvent =
  | { readonly event: 'turn'; readonly data: EpisodeTurn }
  | { readonly event: 'complete'; readonly data: EpisodeSummary };

/**
 * `GET /api/v1/events` (SSE): an event for each episode of the key that begins, takes a turn or ends, with its summary
 * as it is then. Its id is the time of the change in milliseconds: `Last-Event-ID` takes the stream up there, and then a
 * few may come twice. Several turns in quick succession may come as one event.
 */
export interface ServerWideEvent {
  readonly event: 'begin' | 'turn' | 'complete';
  readonly data: EpisodeSummary;
}
