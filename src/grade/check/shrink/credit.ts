import type { Task } from '../../scenario/task.ts';
import type { Transcript, TurnCall } from '../../scenario/transcript.ts';
import type { CriterionGrade, Grade } from '../../score/grade.ts';
import { gradeTranscript } from '../../score/grade-transcript.ts';
import type { Verdicts } from '../../score/verdict.ts';
import { Replay, turnsOf } from './replay.ts';
import { nameOf } from './target.ts';

/** What one call was worth: the grade with it less the grade without it. */
export interface CallCredit {
  readonly turn: number;
  /** Counted over the episode, from 1. */
  readonly call: number;
  readonly name: string;
  readonly input: TurnCall['input'];
  readonly reward: number;
  readonly success: number;
  readonly progress: number;
  readonly gate: number;
  /** The criteria that come out otherwise. */
  readonly changes: readonly CriterionChange[];
}

/** What a criterion earned with the call and without it; null where the grade does not speak of it. */
export interface CriterionChange {
  readonly id: string;
  readonly kind: string;
  readonly with: number | null;
  readonly without: number | null;
}

/**
 * The exact credit of every call: the transcript is played and graded with the call and without it. All other turns are
 * held fixed as they were sent, so this is not what the model would have done without it.
 */
export function creditCalls(
  task: Task,
  transcript: Transcript,
  { verdicts = {} }: { readonly verdicts?: Verdicts } = {},
): readonly CallCredit[] {
  const replay = new Replay(task);
  const turns = turnsOf(transcript);
  const whole = gradeTranscript(task, replay.play(turns), { verdicts });
  const credits: CallCredit[] = [];
  let order = 0;
  turns.forEach((messages, turn) =>
    messages.forEach((message, at) =>
      message.toolCalls?.forEach(({ name, input }, index) => {
        // The turn stays, if only as silence: the turns after it keep their numbers.
        const less = { ...message, toolCalls: message.toolCalls!.toSpliced(index, 1) };
        const without = gradeTranscript(task, replay.play(turns.with(turn, messages.with(at, less))), {
          verdicts,
        });
        order += 1;
        credits.push({
          turn: turn + 1,
          call: order,
          name,
          input,
          reward: whole.reward - without.reward,
          success: whole.success - without.success,
          progress: whole.progress - without.progress,
          gate: whole.gate - without.gate,
          changes: changesOf(whole, without),
        });
      }),
    ),
  );
  return credits;
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
