import { equal } from '../../python/value.ts';
import { type Finding, finding, shown } from '../finding.ts';
import { Backend, type MadeCall } from './backend.ts';
import type { Dialogue } from './dialogue.ts';

/** The calls of a turn, step by step; a step is what was called at once. */
export type Turn = readonly (readonly MadeCall[])[];

/**
 * What is wrong first with the turns of an answer. After each turn in which something should be called, the APIs must be as
 * they are after the right calls, and whatever these were told must have been told by now; what is called besides does no
 * harm.
 */
export function checkTurns(
  turns: readonly Turn[],
  { involved, initial, truth }: Dialogue,
): Finding | undefined {
  if (turns.length !== truth.length)
    return finding(
      'multi_turn:force_terminated',
      `The answer has ${turns.length} turns, and the question ${truth.length}.`,
    );
  const answer = new Backend(involved, initial);
  const right = new Backend(involved, initial);
  const told: string[] = [];
  for (const [index, expected] of truth.entries()) {
    const steps = turns[index]!.filter((step) => step.length > 0);
    told.push(...steps.flat().map((call) => answer.run(call)));
    const expectedWords = expected.map((call) => right.run(call));
    if (expected.length === 0) continue;
    if (steps.length === 0)
      return finding('multi_turn:empty_turn_model_response', `Nothing was called in turn ${index}.`);
    const differing = differences(answer, right);
    if (differing.length > 0)
      return finding(
        'multi_turn:instance_state_mismatch',
        ...differing.map((each) => `After turn ${index}, ${each} is not as it should be.`),
      );
    const missing = without(expectedWords, told);
    if (missing.length > 0)
      return finding(
        'multi_turn:execution_response_mismatch',
        ...missing.map((words) => `No call up to turn ${index} was answered ${shown(words)}`),
      );
  }
  return undefined;
}

/** The attributes of the first API that are not what they should be. */
function differences(answer: Backend, right: Backend): readonly string[] {
  const states = answer.states();
  for (const [name, expected] of right.states()) {
    const state = states.get(name)!;
    const wrong = [...expected].filter(([attribute, value]) => !equal(state.get(attribute) ?? null, value));
    if (wrong.length > 0) return wrong.map(([attribute]) => `${name}.${attribute}`);
  }
  return [];
}

/** Those that are not among the others, each of which is taken once. */
function without(wanted: readonly string[], given: readonly string[]): readonly string[] {
  const left = [...given];
  return wanted.filter((words) => {
    const at = left.indexOf(words);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
