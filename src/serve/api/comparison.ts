import { answered } from './envelope.ts';
import { PlayerCard } from './player.ts';
import {
  answer,
  count,
  described,
  flag,
  list,
  map,
  nullable,
  number,
  oneOf,
  pair,
  request,
  share,
  text,
  type TypeOf,
} from './shape.ts';
import { statFields } from './stats.ts';

export const ComparisonQuery = request({
  'run?': described(
    list(text, { minItems: 1, maxItems: 6 }),
    '`STUDY/PLAYER`, each name escaped as in a URL; an empty study means all that the player played, an empty player all of the study. The first is the baseline.',
  ),
});

const RunDifference = answer({
  difference: number,
  'interval?': described(pair(number), '95 %, paired by task; absent if there are too few scenarios.'),
  verdict: oneOf('better', 'worse', 'undecided'),
  tasks: count,
});
export type RunDifference = TypeOf<typeof RunDifference>;

/** What one player did in one study. */
export const RunSummary = answer({
  study: nullable(text),
  player: nullable(text),
  'card?': described(PlayerCard, 'Of its latest episode.'),
  ...statFields,
  tasks: count,
  pass_hat_k: described(map(share), 'By k: the share of tasks in which all of k trials succeed.'),
  distributions: described(
    map(list(count)),
    'How the values of each dimension are distributed, in twentieths from 0 to 1.',
  ),
  'against?': described(
    RunDifference,
    'Against the first run, over the tasks that both have; absent for the first run, and if they share no task.',
  ),
});
export type RunSummary = TypeOf<typeof RunSummary>;

const ComparedCell = answer({ episodes: count, complete: count, 'reward?': share, 'success?': share });
export type ComparedCell = TypeOf<typeof ComparedCell>;

const ComparedTask = answer({
  collection: text,
  scenario: text,
  variant: count,
  cells: described(list(nullable(ComparedCell)), 'In the order of the runs; null if a run has none of it.'),
});
export type ComparedTask = TypeOf<typeof ComparedTask>;

/** `GET /api/v1/comparison?run=STUDY/PLAYER&run=…`: one to six runs, task by task. */
export const ComparisonAnswer = answer({ runs: list(RunSummary), tasks: list(ComparedTask), ...answered });
export type ComparisonAnswer = TypeOf<typeof ComparisonAnswer>;

/** One criterion of a scenario that was missed in some episodes. */
const Failure = answer({
  collection: text,
  scenario: text,
  kind: text,
  id: text,
  reason: described(text, 'Why, in the words of the first example.'),
  episodes: count,
  lost: described(number, 'The credit that it cost in all of them.'),
  examples: described(list(answer({ episode_id: text, reward: share, 'turn?': count })), 'The worst first.'),
});
export type Failure = TypeOf<typeof Failure>;

/** `GET /api/v1/failures` and the filters of episodes: what was missed, the costliest first. */
export const FailuresAnswer = answer({
  episodes: described(count, 'How many complete episodes were looked at, the latest first.'),
  cut: described(flag, 'There are more than that.'),
  failures: list(Failure),
  ...answered,
});
export type FailuresAnswer = TypeOf<typeof FailuresAnswer>;
