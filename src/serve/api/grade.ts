import { dimensions, type Dimension } from './dimension.ts';
import {
  answer,
  bit,
  count,
  described,
  flag,
  list,
  map,
  number,
  request,
  type Shape,
  share,
  text,
  type TypeOf,
} from './shape.ts';

const weight: Shape<number> = { type: 'number', minimum: 0, maximum: 1_000_000 };
const weights: Shape<Readonly<Partial<Record<Dimension, number>>>> = {
  type: 'object',
  properties: Object.fromEntries(dimensions.map((name) => [name, weight])),
  additionalProperties: false,
  description: 'A dimension that is absent has no weight.',
};

/** Weights of the dimensions. Without a config the default formula grades. */
export const RewardConfig = request({ quality_weights: weights, 'skip_safety_gate?': flag });
export type RewardConfig = TypeOf<typeof RewardConfig>;

/** The person understood too little, or the model that speaks for it failed: the player is not to blame. */
const faultFields = {
  asked: count,
  not_understood: count,
  'fell_back?': described(count, "Turns in which the rules spoke because the person's own voice failed."),
};
export const PersonFault = answer(faultFields);
export type PersonFault = TypeOf<typeof PersonFault>;

export const numberFields = {
  reward: described(share, 'Over the whole conversation so far.'),
  success: bit,
  progress: share,
  gate: bit,
  shaped: described(flag, 'True when a `reward_config` shaped the reward.'),
  scores: map(number),
  'not_judged?': described(
    count,
    "How many criteria that count still wait for a judge's verdict: until then there is no success, no matter who is to blame.",
  ),
  'person_fault?': PersonFault,
};

/** Why a grade is what it is. */
export const breakdown: Shape<Readonly<Record<string, string>>> = described(
  map(text),
  'A sentence for each dimension and, under `gate`, what closed the gate, with the words or the call that show it; for keys with the right to `explain`.',
);

/** The numbers that always come together when something was graded. */
export const GradeNumbers = answer(numberFields);
export type GradeNumbers = TypeOf<typeof GradeNumbers>;

export const ScoredNumbers = answer({ ...numberFields, scoring_version: text });
export type ScoredNumbers = TypeOf<typeof ScoredNumbers>;

/** One criterion and what it earned. Only keys with the right to `explain` see it. */
export const Reason = answer({
  id: text,
  kind: text,
  earned: number,
  possible: number,
  'turn?': count,
  'evidence?': text,
  reason: text,
  'not_judged?': flag,
  'times?': described(
    count,
    'This many alike are shown as one: the first of them, with what all of them earned.',
  ),
});
export type Reason = TypeOf<typeof Reason>;

export const Verdict = answer({
  score: share,
  votes: list(share),
  reason: text,
  'turn?': count,
  'failed?': described(flag, 'The judge failed: the criterion is not judged.'),
  'model?': text,
  'prompt_hash?': described(text, 'The hash of everything the judge was asked, except the conversation.'),
  'usage?': described(
    answer({ calls: count, input: count, output: count }),
    'How often a model was asked, and its tokens as far as its provider reported them.',
  ),
});
export type Verdict = TypeOf<typeof Verdict>;

/** A grade with its reasons, for keys with the right to `explain`. */
export const ExplainedGrade = answer({
  ...numberFields,
  scoring_version: text,
  reasons: described(list(Reason), 'What success, progress and the gate were made of.'),
  dimensions: list(answer({ name: text, score: number, weight: number, criteria: list(Reason) })),
  'person_fault?': answer({ ...faultFields, 'reason?': text }),
  'verdicts?': described(map(Verdict), 'What judges said, by criterion.'),
});
export type ExplainedGrade = TypeOf<typeof ExplainedGrade>;
