import { Command } from 'commander';

import { compareGrades } from '../../grade/score/compare-grades.ts';
import type { Grade } from '../../grade/score/grade.ts';
import { gradeFile, withGradeFlags } from './grade.ts';
import type { GradeFlags } from './grade.ts';

export function command(): Command {
  return withGradeFlags(
    new Command('compare')
      .description('Grade two transcripts of one scenario, and say which is better and why.')
      .argument('<a>', 'a transcript as JSON')
      .argument('<b>', 'another'),
  ).action(async (a: string, b: string, flags: GradeFlags) => {
    const grades = { a: await gradeFile(a, flags), b: await gradeFile(b, flags) };
    const { winner, rewardA, rewardB, margin } = compareGrades(grades.a, grades.b);
    for (const line of differences(grades.a, grades.b)) console.error(line);
    console.log(
      JSON.stringify({
        winner,
        reward_a: rewardA,
        reward_b: rewardB,
        margin,
        success_a: grades.a.success,
        success_b: grades.b.success,
        scoring_version: grades.a.scoringVersion,
      }),
    );
  });
}

/** Each reason that earned something else in the one than in the other. */
function differences(a: Grade, b: Grade): readonly string[] {
  const ids = [...new Set([...a.reasons, ...b.reasons].map((one) => one.id))];
  return ids.flatMap((id) => {
    const [one, other] = [a, b].map((grade) => grade.reasons.find((reason) => reason.id === id));
    if ((one?.earned ?? 0) === (other?.earned ?? 0)) return [];
    const say = (reason: typeof one) =>
      reason ? `${reason.earned.toFixed(3)} ${reason.reason}` : 'nothing of the kind';
    return [`${id}\n  a: ${say(one)}\n  b: ${say(other)}`];
  });
}
