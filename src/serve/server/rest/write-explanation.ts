import { explainEpisode, notesOf, type Explanation } from '../../../grade/episode/explain.ts';
import type { LiveEpisode } from '../../../grade/episode/live-episode.ts';
import { numbersOf } from '../../../grade/episode/outcome.ts';
import type { CriterionGrade, Grade } from '../../../grade/score/grade.ts';
import type { Verdict } from '../../../grade/score/verdict.ts';
import type { EpisodeExplanation, ExplanationAnswer } from '../../api/explanation.ts';
import type { ExplainedGrade, Reason, Verdict as VerdictView } from '../../api/grade.ts';
import { writeNumbers, writePersonFault } from '../../http/write-numbers.ts';
import type { Bare } from './write-answer.ts';

/** What reveals answers. */
export function writeExplanation(live: LiveEpisode): EpisodeExplanation {
  return { ...explained(live, explainEpisode(live)), notes: notesOf(live) };
}

/** The same in the size of a page, however long the episode is: reasons alike are one, and calls have no notes. */
export function writeShortExplanation(live: LiveEpisode): Bare<ExplanationAnswer> {
  const made = explainEpisode(live);
  const { grade } = made;
  const short = { ...made, grade: { ...grade, reasons: grade.reasons.filter((one) => !isStray(one)) } };
  const { grade: told, ...rest } = explained(live, short);
  const reasons = [...told.reasons, ...strayTogether(grade.reasons)];
  return { ...rest, grade: { ...told, reasons }, earned: earnedCurve(live, grade.reasons) };
}

/** Calls that nothing expects may be thousands: those of one tool are told together. */
function strayTogether(reasons: readonly CriterionGrade[]): readonly Reason[] {
  const byTool = Map.groupBy(reasons.filter(isStray), ({ id }) => id.replace(/@\d+$/, ''));
  return [...byTool.values()].map((alike) => ({
    ...writeReason(alike[0]!),
    earned: alike.reduce((sum, { earned }) => sum + earned, 0),
    ...(alike.length > 1 && { times: alike.length }),
  }));
}

function isStray({ kind }: CriterionGrade): boolean {
  return kind === 'stray_call';
}

/** What was earned of progress after each turn, by the turns that the reasons name. */
function earnedCurve({ turns }: LiveEpisode, reasons: readonly CriterionGrade[]): readonly number[] {
  const gains = new Map<number, number>();
  for (const { turn, earned, kind } of reasons)
    if (turn !== undefined && kind !== 'success' && kind !== 'required')
      gains.set(turn, (gains.get(turn) ?? 0) + earned);
  let sum = gains.get(0) ?? 0;
  return turns.map(({ turn }) => {
    sum += gains.get(turn) ?? 0;
    return Math.min(1, Math.max(0, sum));
  });
}

function explained(
  live: LiveEpisode,
  { facts, grade, expected, worldFault }: Explanation,
): Omit<EpisodeExplanation, 'notes'> {
  const voices = live.turns.flatMap(({ turn, voice }) => (voice ? [{ turn, ...voice }] : []));
  const hearings = live.turns.flatMap(({ turn, hearing }) => (hearing ? [{ turn, ...hearing }] : []));
  return {
    facts,
    grade: writeExplainedGrade(grade),
    expected,
    ...(voices.length > 0 && { voices }),
    ...(hearings.length > 0 && { hearings }),
    ...(worldFault && { world_fault: worldFault }),
  };
}

function writeExplainedGrade(grade: Grade): ExplainedGrade {
  const { verdicts, personFault } = grade;
  return {
    ...writeNumbers(numbersOf(grade)),
    scoring_version: grade.scoringVersion,
    reasons: grade.reasons.map(writeReason),
    dimensions: Object.entries(grade.dimensions).map(([name, { score, weight, criteria }]) => ({
      name,
      score,
      weight,
      criteria: criteria.map(writeReason),
    })),
    ...(verdicts && {
      verdicts: Object.fromEntries(Object.entries(verdicts).map(([id, one]) => [id, writeVerdict(one)])),
    }),
    ...(personFault && {
      person_fault: { ...writePersonFault(personFault), reason: personFault.reason },
    }),
  };
}

function writeVerdict({ promptHash, ...verdict }: Verdict): VerdictView {
  return { ...verdict, ...(promptHash !== undefined && { prompt_hash: promptHash }) };
}

function writeReason({ notJudged, ...criterion }: CriterionGrade): Reason {
  return { ...criterion, ...(notJudged !== undefined && { not_judged: notJudged }) };
}
