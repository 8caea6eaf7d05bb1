import type { CallOutcome, HearingRecord, Observation, VoiceRecord } from '../scenario/transcript.ts';
import {
  dimensionNames,
  type CriterionGrade,
  type DimensionName,
  type Grade,
  type PersonFault,
} from '../score/grade.ts';
import type { TerminalReason } from '../scenario/play-state.ts';

/** The numbers of a grade, without a reason that could reveal an answer. */
export interface GradeNumbers {
  readonly reward: number;
  readonly success: 0 | 1;
  readonly progress: number;
  readonly gate: 0 | 1;
  readonly shaped: boolean;
  readonly scores: Readonly<Record<DimensionName, number>>;
  /** How many criteria would count and wait for a judge's verdict. */
  readonly notJudged?: number;
  /** The model is not to blame: a trainer may leave the episode out. */
  readonly personFault?: Omit<PersonFault, 'reason'>;
}

/** What a turn was answered with. It is stored unchanged: a repeat gets the same. */
export interface TurnOutcome {
  readonly turn: number;
  readonly observation: Observation;
  /** What the world answered to calls of function tools. */
  readonly results: readonly CallOutcome[];
  /** Present when the episode scores its turns. */
  readonly numbers?: GradeNumbers;
  /** A sentence a dimension, and one for a closed gate, when the owner may see reasons. */
  readonly breakdown?: Readonly<Record<string, string>>;
  readonly ended?: TerminalReason;
  /** Who said the person's words; kept, and no part of an answer. */
  readonly voice?: VoiceRecord;
  /** What somebody else than the rules heard; kept, and no part of an answer. */
  readonly hearing?: HearingRecord;
  /** With the last turn: the final grade, by the default formula. */
  readonly final?: GradeNumbers;
}

export function numbersOf(grade: Grade): GradeNumbers {
  const scores: Partial<Record<DimensionName, number>> = {};
  for (const name of dimensionNames) scores[name] = grade.dimensions[name].score;
  return {
    reward: grade.reward,
    success: grade.success,
    progress: grade.progress,
    gate: grade.gate,
    shaped: grade.shaped,
    // Every dimension was set in the loop above.
    scores: scores as Record<DimensionName, number>,
    ...(grade.notJudged && { notJudged: grade.notJudged.length }),
    ...(grade.personFault && { personFault: countsOf(grade.personFault) }),
  };
}

/** Its sentence is for those who may see reasons. */
function countsOf({ asked, notUnderstood, fellBack }: PersonFault): Omit<PersonFault, 'reason'> {
  return { asked, notUnderstood, ...(fellBack !== undefined && { fellBack }) };
}

/** A sentence for each dimension that weighs, from what its criteria say, and for the gate what closed it. */
export function breakdownOf(grade: Grade): Readonly<Record<string, string>> {
  const breakdown: Record<string, string> = {};
  for (const name of dimensionNames) {
    const { criteria } = grade.dimensions[name];
    breakdown[name] =
      criteria.length === 0
        ? 'This scenario asks for nothing here.'
        : criteria.map((one) => inTurn(one, one.reason)).join(' ');
  }
  const closing = grade.reasons.filter(({ kind }) => kind === 'fatal' || kind === 'prohibited');
  if (closing.length > 0) breakdown['gate'] = closing.map((one) => inTurn(one, sayClosed(one))).join(' ');
  return breakdown;
}

function sayClosed({ id, reason, evidence }: CriterionGrade): string {
  const closed = `"${id}" closed the gate. ${reason}`;
  return evidence === undefined ? closed : `${closed} What shows it: ${JSON.stringify(evidence)}`;
}

function inTurn({ turn }: CriterionGrade, said: string): string {
  return turn === undefined ? said : `Turn ${turn}: ${said}`;
}
