import type { JsonObject } from '../../base/json/value.ts';
import type { Grade } from '../../grade/score/grade.ts';
import { dimensionNames } from '../../grade/score/grade.ts';
import type { Verdicts } from '../../grade/score/verdict.ts';
import { harmless } from './terminal-text.ts';

/** A grade as the command line prints it: the names of the HTTP API. */
export function gradeJson(grade: Grade): JsonObject {
  const { scoringVersion, factsFound, factsMissed, personFault, notJudged, verdicts, ...rest } = grade;
  return {
    scoring_version: scoringVersion,
    ...rest,
    scores: Object.fromEntries(dimensionNames.map((name) => [name, grade.dimensions[name].score])),
    facts_found: factsFound,
    facts_missed: factsMissed,
    ...(notJudged ? { not_judged: notJudged } : {}),
    ...(verdicts ? { verdicts: verdictsJson(verdicts) } : {}),
    ...(personFault
      ? {
          person_fault: {
            asked: personFault.asked,
            not_understood: personFault.notUnderstood,
            ...(personFault.fellBack === undefined ? {} : { fell_back: personFault.fellBack }),
            reason: personFault.reason,
          },
        }
      : {}),
  } as unknown as JsonObject;
}

function verdictsJson(verdicts: Verdicts): JsonObject {
  return Object.fromEntries(
    Object.entries(verdicts).map(([id, { promptHash, ...verdict }]) => [
      id,
      { ...verdict, ...(promptHash !== undefined && { prompt_hash: promptHash }) },
    ]),
  ) as unknown as JsonObject;
}

/** A grade in a few lines for a person. */
export function gradeText(grade: Grade): string {
  const lines = [
    `reward ${grade.reward.toFixed(3)}   success ${grade.success}   progress ${grade.progress.toFixed(3)}   gate ${grade.gate}${grade.shaped ? '   (shaped)' : ''}`,
  ];
  for (const one of grade.reasons) {
    const mark =
      one.earned < 0 || one.kind === 'fatal' || one.kind === 'prohibited'
        ? '-'
        : one.earned >= one.possible && one.possible > 0
          ? '+'
          : ' ';
    const points =
      one.possible > 0 ? `${one.earned.toFixed(3)} of ${one.possible.toFixed(3)}` : one.earned.toFixed(3);
    lines.push(
      ` ${mark} ${points.padEnd(16)} ${one.turn === undefined ? '      ' : `turn ${String(one.turn).padEnd(2)}`} ${one.reason}`,
    );
  }
  if (grade.notJudged) lines.push(` ? not judged: ${grade.notJudged.join(', ')}`);
  if (grade.personFault) lines.push(` ? the person: ${grade.personFault.reason}`);
  return harmless(lines.join('\n'));
}
