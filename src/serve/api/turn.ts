import { answered } from './envelope.ts';
import { pageSize } from './filter.ts';
import { breakdown, numberFields, RewardConfig } from './grade.ts';
import { Message, messages, Observation, resultFields, ToolResult } from './message.ts';
import {
  answer,
  between,
  count,
  date,
  described,
  flag,
  label,
  list,
  nullable,
  oneOf,
  request,
  type Shape,
  share,
  type TypeOf,
} from './shape.ts';
import { Exchange, SentUsage, TurnUsage } from './usage.ts';

export const TerminalReason = oneOf('completed', 'error', 'max_turns_reached', 'client_terminated');
export type TerminalReason = TypeOf<typeof TerminalReason>;

export const submitFields = {
  messages,
  'reward_config?': RewardConfig,
  'usage?': described(
    SentUsage,
    'What the turn cost its player, which only the player knows. If a repeat says something else, the first counts.',
  ),
  'turn?': described(
    between(1, 1_000_000),
    'The number that this turn should have: a repeat is then answered with the stored turn.',
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
  'score_breakdown?': breakdown,
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
    'How many of its exchanges with the provider were kept, for keys with the right to `explain`.',
  ),
});
export type EpisodeTurn = TypeOf<typeof EpisodeTurn>;

/** `GET /api/v1/episodes/{id}/turns?from=&limit=`: turns in order. */
export const TurnListQuery = request({
  'from?': described(count, 'The first turn; 1 when left out.'),
  'limit?': pageSize,
});
export type TurnListQuery = TypeOf<typeof TurnListQuery>;

export const TurnListAnswer = answer({
  turns: list(EpisodeTurn),
  turn_count: described(count, 'How many turns the episode has.'),
  next_from: described(nullable(count), 'The `from` of the next page; null on the last.'),
  ...answered,
});
export type TurnListAnswer = TypeOf<typeof TurnListAnswer>;

/** `GET /api/v1/episodes/{id}/turns/{turn}/exchanges`: what the player of a turn kept, for keys with the right to `explain`. */
export const ExchangesAnswer = answer({ exchanges: list(Exchange), ...answered });
export type ExchangesAnswer = TypeOf<typeof ExchangesAnswer>;

/** `GET /api/v1/episodes/{id}/turns/{turn}/results/{result}`: the whole of one, counted from 0. */
export const ResultAnswer = answer({ ...resultFields, ...answered });
export type ResultAnswer = TypeOf<typeof ResultAnswer>;
