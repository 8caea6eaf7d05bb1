import { TerminalReason } from './turn.ts';
import { answered } from './envelope.ts';
import { numberFields } from './grade.ts';
import { limits } from './limit.ts';
import {
  answer,
  between,
  count,
  described,
  label,
  nullable,
  object,
  oneOf,
  printable,
  request,
  share,
  text,
  type Shape,
  type TypeOf,
} from './shape.ts';

const name = (maxLength: number): Shape<string> => ({
  type: 'string',
  minLength: 1,
  maxLength,
  pattern: printable,
});

/** `POST /api/v1/rollouts`: one trial of a player of this server, whose model the trainer is. */
export const CreateRollout = request({
  task: described(
    request({
      collection: label,
      'scenario?': label,
      'variant?': count,
      'seed?': count,
      'split?': label,
      'index?': count,
      'group?': label,
    }),
    "As the rows of the trainers' protocols name it.",
  ),
  player: described(label, 'The name of a player that the server was started with.'),
  base_url: described(name(2000), 'Where the trainer answers like a provider, for this trial.'),
  'model?': label,
  'api_key?': described(name(1000), 'Given to the player, and neither stored nor logged.'),
  'timeout_s?': described(
    between(1, limits.rolloutSeconds),
    'When the trial is given up; 600 when left out.',
  ),
});
export type CreateRollout = TypeOf<typeof CreateRollout>;

/** Why a trial has no reward although it was played: leave it out, or try it again. */
const RolloutFailure = oneOf('agent_error', 'timeout', 'environment_error', 'judge_failed', 'person_fault');
export type RolloutFailure = TypeOf<typeof RolloutFailure>;

export const Rollout = answer({
  ...numberFields,
  reward: described(nullable(share), "Null if the trial failed for a reason that is not the model's fault."),
  episode_id: text,
  terminal_reason: TerminalReason,
  'failure?': RolloutFailure,
  'error?': described(text, 'The error that the agent failed with.'),
  trajectory: described(object, 'What the agent heard and did, in the format ATIF 1.8.'),
  ...answered,
});
export type Rollout = TypeOf<typeof Rollout>;
