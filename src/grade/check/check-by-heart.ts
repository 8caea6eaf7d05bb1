import { canonicalJson } from '../../base/json/canonical.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { buildTask } from '../scenario/build-task.ts';
import type { Task } from '../scenario/task.ts';
import type { TurnCall, TurnMessage } from '../scenario/transcript.ts';
import { locationOf, playAndGrade } from './check-context.ts';
import type { CheckContext } from './check-context.ts';
import { exploitLimit } from './exploit.ts';
import { bestVerdicts } from '../score/verdict.ts';

/** So many variants show what an answer earns on the average, and so many answers are tried. */
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
