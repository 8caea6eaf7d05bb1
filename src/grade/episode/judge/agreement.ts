import type { Labelled } from '../../check/labels.ts';
import {
  addJudgeUsage,
  judgedCriteria,
  noJudgeUsage,
  type JudgedCriterion,
  type JudgeUsage,
  type Verdict,
} from '../../score/verdict.ts';
import type { Judge } from './judge.ts';

/** How far a judge agrees with people on one criterion. */
export interface Agreement {
  readonly criterion: string;
  readonly model?: string;
  readonly promptHash?: string;
  /** Conversations that people have labelled, and how many of them the judge gave a verdict on. */
  readonly examples: number;
  readonly judged: number;
  /** The share of equal answers. */
  readonly agreed: number;
  /** Cohen's kappa: what is left of the agreement without what chance gives. Absent where all said the same. */
  readonly kappa?: number;
  readonly disagreements: readonly Disagreement[];
  readonly usage: JudgeUsage;
}

export interface Disagreement {
  readonly example: string;
  readonly people: boolean | string;
  readonly judge: boolean | string;
  readonly reason: string;
}

/** Conversations that are judged side by side. */
const atOnce = 4;

/** Asks a judge of each labelled conversation. `onDone` hears after each how many there have been. */
export async function measureAgreement(
  judge: Judge,
  labelled: readonly Labelled[],
  onDone: (count: number) => void = () => undefined,
): Promise<readonly Agreement[]> {
  const answers: Answer[] = [];
  let done = 0;
  for (let from = 0; from < labelled.length; from += atOnce)
    await Promise.all(
      labelled.slice(from, from + atOnce).map(async (one) => {
        answers.push(...(await judgeOne(judge, one)));
        onDone(++done);
      }),
    );
  const criteria = [...new Set(answers.map(({ criterion }) => criterion))].toSorted();
  return criteria.map((id) =>
    agreementOf(
      id,
      answers.filter(({ criterion }) => criterion === id),
    ),
  );
}

interface Answer {
  readonly example: string;
  readonly criterion: string;
  readonly people: boolean | string;
  readonly judge?: boolean | string;
  readonly verdict: Verdict;
}

async function judgeOne(
  judge: Judge,
  { id, task, transcript, labels }: Labelled,
): Promise<readonly Answer[]> {
  const verdicts = await judge.judge(task, transcript, Object.keys(labels));
  return judgedCriteria(task).flatMap((criterion): readonly Answer[] => {
    const people = labels[criterion.id];
    const verdict = verdicts[criterion.id];
    if (people === undefined || verdict === undefined) return [];
    const said = labelOf(verdict, criterion);
    return [
      { example: id, criterion: criterion.id, people, verdict, ...(said !== undefined && { judge: said }) },
    ];
  });
}

/** What a verdict says in the words of a label; undefined where the judge failed. */
export function labelOf(
  verdict: Verdict,
  { kind, levels = [] }: JudgedCriterion,
): boolean | string | undefined {
  if (verdict.failed === true) return undefined;
  if (kind !== 'rubric') return verdict.score >= 0.5;
  const top = Math.max(...levels.map(({ score }) => score));
  return levels.find(({ score }) => score / top === verdict.score)?.label;
}

function agreementOf(criterion: string, answers: readonly Answer[]): Agreement {
  const judged = answers.flatMap(({ judge, ...one }) => (judge === undefined ? [] : [{ ...one, judge }]));
  const pairs = judged.map(({ people, judge }) => [people, judge] as const);
  const kappa = cohensKappa(pairs);
  const { model, promptHash } = answers[0]!.verdict;
  return {
    criterion,
    ...(model !== undefined && { model }),
    ...(promptHash !== undefined && { promptHash }),
    examples: answers.length,
    judged: judged.length,
    agreed: judged.length === 0 ? 0 : pairs.filter(([a, b]) => a === b).length / judged.length,
    ...(kappa !== undefined && { kappa }),
    disagreements: judged
      .filter(({ people, judge }) => people !== judge)
      .map(({ example, people, judge, verdict }) => ({ example, people, judge, reason: verdict.reason })),
    usage: answers.reduce((sum, { verdict }) => addJudgeUsage(sum, verdict.usage), noJudgeUsage),
  };
}

/** Of two who sorted the same things; nothing where each of them put everything into one and the same heap. */
export function cohensKappa(
  pairs: readonly (readonly [boolean | string, boolean | string])[],
): number | undefined {
  const count = pairs.length;
  const share = (side: 0 | 1, kind: boolean | string): number =>
    pairs.filter((pair) => pair[side] === kind).length / count;
  const kinds = [...new Set(pairs.flat())];
  const byChance = kinds.reduce((sum, kind) => sum + share(0, kind) * share(1, kind), 0);
  if (count === 0 || byChance === 1) return undefined;
  const agreed = pairs.filter(([a, b]) => a === b).length / count;
  return (agreed - byChance) / (1 - byChance);
}
