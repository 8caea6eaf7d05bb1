import { canonicalJson } from '../../../base/json/canonical.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import { buildTask } from '../../scenario/build-task.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { Task } from '../../scenario/task.ts';
import type { TurnCall, TurnMessage } from '../../scenario/transcript.ts';
import { locationOf, playAndGrade } from '../check-context.ts';
import type { CheckContext } from '../check-context.ts';
import { exploitLimit } from '../exploit.ts';
import { bestVerdicts } from '../../score/verdict.ts';
import { measureAnswers } from './measure-answers.ts';
import type { AnswerMeasure } from './measure-answers.ts';

/** How many variants show what an answer earns on average, and how many answers are tried. */
const most = 64;
const answersTried = 12;

/**
 * The same answer in every variant, given without looking: what a model finds that learns the scenario by heart. One
 * variant in many may well be right; on the average it must not pay. Only where something rests on no fact can it earn.
 */
export function checkByHeart(context: CheckContext): void {
  const { scenario, exploits, faults } = context;
  if (buildTask(scenario, 0).expected.every(({ after }) => after.length > 0)) return;
  const tasks = Array.from({ length: Math.min(most, scenario.variants) }, (_, variant) =>
    buildTask(scenario, variant),
  );
  let best = 0;
  for (const calls of commonest(tasks.map(goldCalls)))
    for (const turns of [[calls], calls.map((call) => [call])]) {
      const rewards = tasks.map(
        (task) =>
          playAndGrade(context, task, { turns: turns.map(silently), verdicts: bestVerdicts(task) }).grade
            .reward,
      );
      best = Math.max(best, rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length);
    }
  exploits.add('by-heart', best);
  if (best > exploitLimit)
    faults.add(
      `The same answer in every variant, given without looking, earns ${best.toFixed(3)} on the average; ${exploitLimit} is the most it may. Let what is right vary more, or weigh less what can be guessed.`,
      locationOf(context, ['expect']),
    );
}

function goldCalls(task: Task): readonly TurnCall[] {
  return task.gold.flatMap(({ calls = [] }) => calls);
}

function silently(toolCalls: readonly TurnCall[]): readonly TurnMessage[] {
  return [{ role: 'assistant', content: '', toolCalls }];
}

/** The answers that are right most often, each once. */
function commonest(answers: readonly (readonly TurnCall[])[]): readonly (readonly TurnCall[])[] {
  const counts = new Map<string, { readonly calls: readonly TurnCall[]; count: number }>();
  for (const calls of answers) {
    const key = canonicalJson(calls as unknown as JsonValue);
    const known = counts.get(key);
    if (known) known.count += 1;
    else counts.set(key, { calls, count: 1 });
  }
  return [...counts.values()]
    .toSorted((one, other) => other.count - one.count)
    .slice(0, answersTried)
    .map(({ calls }) => calls);
}

/** So much better than the best constant answer may a single fact predict the decision. */
const factLead = 0.25;
/** So much may the whole interview earn on the average, with the best answer that does not listen to it. */
const interviewLimit = 0.25;
/** So much may who decides by the one fact that tells most. */
const oneFactLimit = 0.8;

/** Means over fewer variants say too little. */
export function enoughToMean({ variants }: Scenario): number {
  return Math.min(variants, most);
}

/**
 * Where what is right follows from too little: it would be learned by heart, and not by listening. On a page operators
 * play in the variants that were walked; where these are few, what they earn is told and not judged.
 */
export function checkAnswers(context: CheckContext, checked: number): AnswerMeasure {
  const { scenario, warnings } = context;
  const enough = scenario.shape === 'decision' ? 32 : 64;
  const measure = measureAnswers(scenario, {
    played: Math.min(checked, most),
    counted: 2048,
    enough,
    acted: context.acted,
  });
  const { distinct, fact = '', accuracy, constant, skills } = measure;
  const warn = (message: string, member: string) => warnings.add(message, locationOf(context, [member]));
  if (distinct < enough)
    warn(
      `There are ${distinct} distinct right answers; ${enough} or more cannot be learned by heart. Let the parts of what is right vary independently.`,
      'vary',
    );
  if (accuracy > constant + factLead)
    warn(
      `The fact "${fact}" alone predicts the decision in ${percent(accuracy)} of the variants, the best constant answer in ${percent(constant)}; ${percent(factLead)} more is the most it may. Let the decision follow from several facts that vary apart from each other.`,
      'facts',
    );
  if (checked < enoughToMean(scenario)) return measure;
  if (skills.interview > interviewLimit)
    warn(
      `The whole interview and the best constant answer earn ${skills.interview.toFixed(3)} on the average; ${interviewLimit} is the most they may. Let what is right vary more, or give discovery a smaller share of the credit.`,
      'expect',
    );
  if (skills.one_fact > oneFactLimit)
    warn(
      `Who decides by the fact "${fact}" alone earns ${skills.one_fact.toFixed(3)} on the average; ${oneFactLimit} is the most it may.`,
      'expect',
    );
  return measure;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
