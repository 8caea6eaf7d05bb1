import { systemClock } from '../../../base/host/clock.ts';
import { proposeQuestions, type ProposedSentence } from '../../../grade/episode/propose-questions.ts';
import { buildTask } from '../../../grade/scenario/build-task.ts';
import type { Scenario } from '../../../grade/scenario/scenario.ts';
import { exitCode } from '../../terminal/exit-code.ts';

export interface QuestionsFlags {
  readonly scenarios?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly script?: string;
  readonly count: number;
  readonly seconds: number;
}

/** Prints sentences for `questions.yaml` as YAML; what the person makes of each is behind it. */
export async function printQuestions(scenario: Scenario, flags: QuestionsFlags): Promise<void> {
  const { model, count, seconds } = flags;
  const { modelOf } = await import('../../terminal/option/model-option.ts');
  const named = model === undefined ? undefined : modelOf({ ...flags, model });
  const late = new AbortController();
  const cancel = systemClock.after(seconds * 1000, () => late.abort());
  const proposed = await proposeQuestions(buildTask(scenario), {
    ...(named && { model: named }),
    count,
    signal: late.signal,
  });
  cancel();
  console.error(
    'Look through them, take out what asks for something else, and put the rest into questions.yaml. The person does not yet understand what is marked as it is meant: those teach the most.',
  );
  for (const { fact, asked, not, fault } of proposed) {
    if (fault !== undefined) console.error(`${fact}: ${fault}`);
    console.log(`${fact}:`);
    printList('asked', asked, ({ drawsOut }) => (drawsOut ? '' : ' # not understood'));
    printList('not', not, ({ drawsOut }) => (drawsOut ? ' # draws it out' : ''));
  }
  if (proposed.length === 0)
    console.error('The person tells nothing when asked, so there is nothing to ask.');
  if (proposed.some(({ fault }) => fault !== undefined)) process.exitCode = exitCode.no;
}

function printList(
  name: string,
  sentences: readonly ProposedSentence[],
  mark: (sentence: ProposedSentence) => string,
): void {
  console.log(`  ${name}:${sentences.length === 0 ? ' []' : ''}`);
  for (const one of sentences) console.log(`    - ${JSON.stringify(one.text)}${mark(one)}`);
}
