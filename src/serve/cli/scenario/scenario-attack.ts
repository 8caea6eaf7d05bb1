import { attackScenario, type Attack } from '../../../grade/check/attack.ts';
import { formatLocation } from '../../../grade/scenario/diagnostic.ts';
import type { Scenario } from '../../../grade/scenario/scenario.ts';
import { transcriptJson, transcriptText } from '../../terminal/transcript-text.ts';
import { exitCode } from '../../terminal/exit-code.ts';

export interface AttackFlags {
  readonly scenarios?: string;
  readonly transcripts: number;
  readonly variant?: number;
  readonly seed: number;
  readonly json?: boolean;
}

/** Attacks a scenario, and says what earned the most without any work; exit code 1 where that is too much. */
export function printAttack(scenario: Scenario, { transcripts, variant, seed, json }: AttackFlags): void {
  const attack = attackScenario(scenario, {
    transcripts,
    seed,
    ...(variant !== undefined && { variant }),
    onClimb: (tried, best) => console.error(`${tried} transcripts, at most ${best.toFixed(3)}`),
  });
  console.log(json === true ? JSON.stringify(asJson(attack)) : asText(attack));
  process.exitCode = attack.withstands ? exitCode.ok : exitCode.no;
}

function asJson({ tried, variant, reward, limit, withstands, shrunk, paid }: Attack): object {
  return {
    tried,
    variant,
    reward,
    limit,
    withstands,
    transcript: transcriptJson(shrunk.transcript),
    paid: paid.map(({ criterion, place }) => ({ ...criterion, place: formatLocation(place) })),
  };
}

function asText({ tried, variant, reward, limit, withstands, shrunk, paid }: Attack): string {
  const verdict = withstands
    ? `None of ${tried} transcripts without any work earned more than ${reward.toFixed(3)}; ${limit} is the limit.`
    : `Too easy: ${reward.toFixed(3)} without any work, and ${limit} is the limit (variant ${variant}, ${tried} transcripts tried).`;
  if (reward === 0) return verdict;
  const [most, ...others] = paid.map(
    ({ criterion, place }) =>
      `${criterion.earned.toFixed(3)} ${criterion.kind} "${criterion.id}": ${criterion.reason}\n      ${formatLocation(place)}`,
  );
  return [
    verdict,
    '',
    transcriptText(shrunk.transcript),
    '',
    ...(most === undefined ? [] : [`What paid most, and where to correct it:`, `  ${most}`]),
    ...(others.length === 0 ? [] : ['Also:', ...others.map((line) => `  ${line}`)]),
  ].join('\n');
}
