import { answered } from './envelope.ts';
import { filters } from './filter.ts';
import { ExplainedGrade, numberFields, RewardConfig, ScoredNumbers } from './grade.ts';
import { limits } from './limit.ts';
import { EpisodeTool, Message, messages, Observation, resultFields, ToolResult } from './message.ts';
import { Player, PlayerCard } from './player.ts';
import {
  answer,
  between,
  bit,
  count,
  date,
  described,
  flag,
  json,
  label,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  request,
  type Shape,
  share,
  text,
  type TypeOf,
} from './shape.ts';
import { EpisodeUsage, Exchange, SentUsage, TurnUsage } from './usage.ts';

export const TerminalReason = oneOf('completed', 'error', 'max_turns_reached', 'client_terminated');
export type TerminalReason = TypeOf<typeof TerminalReason>;

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
    'What an episode may be told besides; `max_turns` lowers the limit of the scenario.',
  ),
  'variant?': described(count, 'Which wording, facts and person of the scenario; 0 when left out.'),
  'seed?': count,
  'group?': described(label, "A label of the client's, to compare episodes by."),
  'study?': described(
    label,
    'The study that it is played for: the page shows the episodes of a player in it as one run.',
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
  'group?': described(label, 'When left out, all forks of one turn of one episode have the same.'),
  'player?': described(Player, 'Who goes on with it; what was played before says nothing of that.'),
});
export type ForkEpisode = TypeOf<typeof ForkEpisode>;

const ForkOrigin = answer({ episode_id: text, turn: count });
export type ForkOrigin = TypeOf<typeof ForkOrigin>;

export const submitFields = {
  messages,
  'reward_config?': RewardConfig,
  'usage?': described(
    SentUsage,
    'What the turn took its player, who alone knows. A repeat may say otherwise: the first counts.',
  ),
  'turn?': described(
    between(1, 1_000_000),
    'The number this turn wants to be: a repeat then answers with the stored turn.',
  ),
};

/** `POST /api/v1/episodes/{id}/turns` */
export const SubmitTurn = request({
  'id?': described(label, "The episode's id again; may be left out."),
  ...submitFields,
});
export type SubmitTurn = TypeOf<typeof SubmitTurn>;

export const outcomeFields = {
  turn: { ...count, minimum: 1 } as Shape<number>,
  observation: Observation,
  reward: share,
  episode_complete: flag,
  'results?': described(list(ToolResult), "What the scenario's world answered to calls of function tools."),
  'success?': numberFields.success,
  'progress?': numberFields.progress,
  'gate?': numberFields.gate,
  'shaped?': numberFields.shaped,
  'scores?': numberFields.scores,
  'not_judged?': numberFields['not_judged?'],
  'person_fault?': numberFields['person_fault?'],
  'score_breakdown?': described(map(text), 'A sentence a dimension, for keys with the right to `explain`.'),
  'terminal_reason?': TerminalReason,
};

/** The values of a turn's answer; `success`, `progress` and `gate` come with `scores`, in scored turns. */
export const TurnOutcome = answer(outcomeFields);
export type TurnOutcome = TypeOf<typeof TurnOutcome>;

export const TurnAnswer = answer({ ...outcomeFields, ...answered });
export type TurnAnswer = TypeOf<typeof TurnAnswer>;

/** A stored turn: what was submitted, and the same values as its answer had. */
export const EpisodeTurn = answer({
  ...outcomeFields,
  messages: list(Message),
  at: described(date, 'When it was stored, ISO 8601.'),
  'usage?': TurnUsage,
  'exchanges?': described(
    count,
    'How many exchanges with its provider were kept of it, for keys with the right to `explain`.',
  ),
});
export type EpisodeTurn = TypeOf<typeof EpisodeTurn>;

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
  'study?': described(text, 'Absent where it was played for none.'),
  'player?': described(PlayerCard, 'Absent where nobody said who plays.'),
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

const pageSize = between(1, limits.pageItems);

/** `GET /api/v1/episodes?cursor=&limit=` and filters, newest first unless another order is asked for. */
export const EpisodeListQuery = request({
  'cursor?': described(text, 'The `next_cursor` of the page before, asked for in the same order.'),
  'limit?': pageSize,
  'sort?': described(
    oneOf('begun', 'reward', 'duration', 'tokens'),
    'By anything but `begun`, which it is when left out, only complete episodes are listed that have such a value.',
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

/** `GET /api/v1/episodes/{id}/turns?from=&limit=`: turns in order. */
export const TurnListQuery = request({
  'from?': described(count, 'The first turn; 1 when left out.'),
  'limit?': pageSize,
});
export type TurnListQuery = TypeOf<typeof TurnListQuery>;

export const TurnListAnswer = answer({
  turns: list(EpisodeTurn),
  turn_count: described(count, 'How many the episode has.'),
  next_from: described(nullable(count), 'The `from` of the next page; null on the last.'),
  ...answered,
});
export type TurnListAnswer = TypeOf<typeof TurnListAnswer>;

/** A fact that the person knows: discovered in a turn, or missed so far. */
const FactView = answer({
  id: text,
  text,
  discovered: flag,
  'turn?': count,
  'question?': described(text, 'For a missed fact: words that would have brought it out.'),
});
export type FactView = TypeOf<typeof FactView>;

/** What a person is shown of a call, in the order of the calls of a turn (over all its messages). */
const CallNote = answer({ turn: count, call: count, label: text, 'detail?': text });
export type CallNote = TypeOf<typeof CallNote>;

/** An expected call: what its fields should be, and what was sent, where it was made. */
const ExpectedCallView = answer({
  id: text,
  call: described(text, "The tool's id."),
  'turn?': count,
  'index?': described(count, 'The place of the call in its turn, over all its messages, from 0.'),
  holds: flag,
  fields: list(
    answer({
      field: text,
      expected: json,
      'got?': json,
      share: described(share, 'How well it matches.'),
    }),
  ),
});
export type ExpectedCallView = TypeOf<typeof ExpectedCallView>;

/** Who spoke for the person in a turn, what was refused of it, and why the rules spoke after all. */
const VoiceView = answer({
  turn: count,
  by: text,
  'refused?': list(answer({ said: text, why: text })),
  'fault?': text,
});
export type VoiceView = TypeOf<typeof VoiceView>;

/** What was heard in a turn in place of the rules, or why the rules heard after all. */
const HearingView = answer({
  turn: count,
  by: text,
  'heard?': answer({ asks: list(text), courtesies: list(text), others: count }),
  'fault?': text,
});

const explanationFields = {
  facts: list(FactView),
  grade: described(ExplainedGrade, 'Of the conversation so far, also while the episode is open.'),
  expected: described(list(ExpectedCallView), 'Each expected call beside the one that answered it.'),
  'voices?': described(
    list(VoiceView),
    "Turns in which somebody else than the rules was asked for the person's words.",
  ),
  'hearings?': described(
    list(HearingView),
    'Turns in which somebody else than the rules was asked what is asked for.',
  ),
  'world_fault?': described(
    answer({ turn: count, tool: text, message: text }),
    "The tool of the scenario's world that broke and so ended the episode, and how, with file and line.",
  ),
};

/** What reveals answers: facts, notes and the reasons of the grade so far. */
export const EpisodeExplanation = answer({ ...explanationFields, notes: list(CallNote) });
export type EpisodeExplanation = TypeOf<typeof EpisodeExplanation>;

/** The log that an episode was read from, and what it says besides. */
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
    between(1, limits.pageItems),
    'Where it has more than so many, only the first of them come, and without `explain`.',
  ),
});
export type EpisodeQuery = TypeOf<typeof EpisodeQuery>;

/** `GET /api/v1/episodes/{id}/explanation`: in the size of a page, for keys with the right to `explain`. */
export const ExplanationAnswer = answer({
  ...explanationFields,
  earned: described(list(share), 'What of progress was earned after each turn.'),
  ...answered,
});
export type ExplanationAnswer = TypeOf<typeof ExplanationAnswer>;

/** The grade with a part of an episode less the grade without it. */
const PartCredit = answer({
  turn: count,
  'index?': described(count, "The call's place in its turn, from 0; of words there is none."),
  'name?': described(text, 'The tool that was called.'),
  reward: number,
  success: number,
  progress: number,
  gate: number,
  changes: described(list(answer({ id: text, kind: text })), 'The criteria that come out otherwise.'),
});
export type PartCredit = TypeOf<typeof PartCredit>;

/**
 * `GET /api/v1/episodes/{id}/credit`: what each call and the words of each turn were worth, for keys with the right to
 * `explain`. The rest of the transcript is played and graded without it: later turns are held fixed as they were sent.
 */
export const CreditAnswer = answer({ reward: number, parts: list(PartCredit), ...answered });
export type CreditAnswer = TypeOf<typeof CreditAnswer>;

/** `GET /api/v1/episodes/{id}/turns/{turn}/exchanges`: what the player of a turn kept, for keys with the right to `explain`. */
export const ExchangesAnswer = answer({ exchanges: list(Exchange), ...answered });
export type ExchangesAnswer = TypeOf<typeof ExchangesAnswer>;

/** `GET /api/v1/episodes/{id}/turns/{turn}/results/{result}`: the whole of one, counted from 0. */
export const ResultAnswer = answer({ ...resultFields, ...answered });
export type ResultAnswer = TypeOf<typeof ResultAnswer>;

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
