import { Command } from 'commander';

import { compareGrades } from '../../grade/score/compare-grades.ts';
import type { CriterionGrade, Grade } from '../../grade/score/grade.ts';
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

/** Each reason that earned something else in the one than in the other, or that only one has: what closed the gate earns 0. */
function differences(a: Grade, b: Grade): readonly string[] {
  const [one, other] = [reasonsOf(a), reasonsOf(b)];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((key) => {
    const [inA, inB] = [one.get(key), other.get(key)];
    if (inA?.earned === inB?.earned) return [];
    const say = (reason: CriterionGrade | undefined) =>
      reason ? `${reason.earned.toFixed(3)} ${reason.reason}` : 'nothing of the kind';
    return [`${(inA ?? inB)!.id}\n  a: ${say(inA)}\n  b: ${say(inB)}`];
  });
}

/** A fact may be called as a call is, and a turn may have the same stray call twice. */
function reasonsOf({ reasons }: Grade): ReadonlyMap<string, CriterionGrade> {
  const found = new Map<string, CriterionGrade>();
  for (const reason of reasons) {
    const name = `${reason.kind} ${reason.id}`;
    let key = name;
    for (let again = 2; found.has(key); again++) key = `${name} ${again}`;
    found.set(key, reason);
  }
  return found;
}
