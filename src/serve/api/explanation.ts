import { answered } from './envelope.ts';
import { ExplainedGrade } from './grade.ts';
import { answer, count, described, flag, json, list, number, share, text, type TypeOf } from './shape.ts';

/** A fact that the person knows: discovered in a turn, or missed so far. */
const FactView = answer({
  id: text,
  text,
  discovered: flag,
  'turn?': count,
  'question?': described(text, 'For a missed fact: words that would have brought it out.'),
  'call?': described(text, 'For a missed fact that no words bring out: the tool that shows it.'),
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
  expected: described(list(ExpectedCallView), 'Each expected call, with the one that met it.'),
  'voices?': described(
    list(VoiceView),
    "Turns in which something other than the rules was asked for the person's words.",
  ),
  'hearings?': described(
    list(HearingView),
    'Turns in which something other than the rules was asked what the player asked for.',
  ),
  'world_fault?': described(
    answer({ turn: count, tool: text, message: text }),
    "The tool of the scenario's world that broke and so ended the episode, and how, with file and line.",
  ),
};

/** What reveals answers: facts, notes and the reasons of the grade so far. */
export const EpisodeExplanation = answer({ ...explanationFields, notes: list(CallNote) });
export type EpisodeExplanation = TypeOf<typeof EpisodeExplanation>;

/** `GET /api/v1/episodes/{id}/explanation`: in the size of a page, for keys with the right to `explain`. */
export const ExplanationAnswer = answer({
  ...explanationFields,
  earned: described(list(share), 'How much progress had been earned after each turn.'),
  ...answered,
});
export type ExplanationAnswer = TypeOf<typeof ExplanationAnswer>;

/** The grade with a part of an episode less the grade without it. */
const PartCredit = answer({
  turn: count,
  'index?': described(count, "The call's place in its turn, from 0; absent for words."),
  'name?': described(text, 'The tool that was called.'),
  reward: number,
  success: number,
  progress: number,
  gate: number,
  changes: described(list(answer({ id: text, kind: text })), 'The criteria that come out differently.'),
});
export type PartCredit = TypeOf<typeof PartCredit>;

/**
 * `GET /api/v1/episodes/{id}/credit`: what each call and the words of each turn were worth, for keys with the right to
 * `explain`. The rest of the transcript is played and graded without it: later turns are held fixed as they were sent.
 */
export const CreditAnswer = answer({ reward: number, parts: list(PartCredit), ...answered });
export type CreditAnswer = TypeOf<typeof CreditAnswer>;
