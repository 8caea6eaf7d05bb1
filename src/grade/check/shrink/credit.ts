import type { Task } from '../../scenario/task.ts';
import type { Transcript, TurnCall } from '../../scenario/transcript.ts';
import type { CriterionGrade, Grade } from '../../score/grade.ts';
import { gradeTranscript } from '../../score/grade-transcript.ts';
import type { Verdicts } from '../../score/verdict.ts';
import { Replay, turnsOf, type Turn } from './replay.ts';
import { nameOf } from './target.ts';

/** What something was worth: the grade with it less the grade without it. */
export interface Worth {
  readonly reward: number;
  readonly success: number;
  readonly progress: number;
  readonly gate: number;
  /** The criteria that come out otherwise. */
  readonly changes: readonly CriterionChange[];
}

/** What one call was worth. */
export interface CallCredit extends Worth {
  readonly turn: number;
  /** Counted over the episode, from 1. */
  readonly call: number;
  /** Its place in its turn, from 0. */
  readonly index: number;
  readonly name: string;
  readonly input: TurnCall['input'];
}

/** What the words of one turn were worth. */
export interface WordsCredit extends Worth {
  readonly turn: number;
  readonly words: string;
}

/** What a criterion earned with the call and without it; null where the grade does not speak of it. */
export interface CriterionChange {
  readonly id: string;
  readonly kind: string;
  readonly with: number | null;
  readonly without: number | null;
}

interface CreditOptions {
  readonly verdicts?: Verdicts;
}

/**
 * The exact credit of the words of each turn and of every call: the transcript is played and graded with them and
 * without. All other turns are held fixed as they were sent, so this is not what the model would have done without them.
 */
export function* creditParts(
  task: Task,
  transcript: Transcript,
  { verdicts = {} }: CreditOptions = {},
): Generator<CallCredit | WordsCredit> {
  const replay = new Replay(task);
  const turns = turnsOf(transcript);
  const whole = gradeTranscript(task, replay.play(turns), { verdicts });
  // The turn stays, if only as silence: the turns after it keep their numbers.
  const worthOf = (turn: number, less: Turn): Worth =>
    difference(whole, gradeTranscript(task, replay.play(turns.with(turn, less)), { verdicts }));
  let order = 0;
  for (const [turn, messages] of turns.entries()) {
    const words = messages.map(({ content }) => content).filter((content) => content.trim() !== '');
    if (words.length > 0) {
      const silent = messages.map((message) => ({ ...message, content: '' }));
      yield { turn: turn + 1, words: words.join('\n'), ...worthOf(turn, silent) };
    }
    let index = 0;
    for (const [at, message] of messages.entries())
      for (const [place, { name, input }] of (message.toolCalls ?? []).entries()) {
        const less = { ...message, toolCalls: message.toolCalls!.toSpliced(place, 1) };
        order += 1;
        const known = { turn: turn + 1, call: order, index, name, input };
        index += 1;
        yield { ...known, ...worthOf(turn, messages.with(at, less)) };
      }
  }
}

/** The exact credit of every call: the transcript is played and graded with the call and without it. */
export function creditCalls(
  task: Task,
  transcript: Transcript,
  options?: CreditOptions,
): readonly CallCredit[] {
  return [...creditParts(task, transcript, options)].filter((part) => 'call' in part);
}

function difference(whole: Grade, without: Grade): Worth {
  return {
    reward: whole.reward - without.reward,
    success: whole.success - without.success,
    progress: whole.progress - without.progress,
    gate: whole.gate - without.gate,
    changes: changesOf(whole, without),
  };
}

function changesOf(whole: Grade, without: Grade): readonly CriterionChange[] {
  const [one, other] = [earnedBy(whole), earnedBy(without)];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((key) => {
    const [has, had] = [one.get(key), other.get(key)];
    if (has?.earned === had?.earned) return [];
    const { kind, id } = (has ?? had)!;
    return [{ id, kind, with: has?.earned ?? null, without: had?.earned ?? null }];
  });
}

/** By kind and name: calls of one tool that nothing expects count together. */
function earnedBy({ reasons }: Grade): ReadonlyMap<string, Pick<CriterionGrade, 'id' | 'kind' | 'earned'>> {
  const found = new Map<string, Pick<CriterionGrade, 'id' | 'kind' | 'earned'>>();
  for (const reason of reasons) {
    const id = nameOf(reason);
    const key = `${reason.kind} ${id}`;
    found.set(key, { id, kind: reason.kind, earned: reason.earned + (found.get(key)?.earned ?? 0) });
  }
  return found;
}
