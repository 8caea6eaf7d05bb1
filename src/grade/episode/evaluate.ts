import { WhetstoneError } from '../../base/host/errors.ts';
import { randomId } from '../../base/host/random.ts';
import type { TurnAnswers } from '../play/play.ts';
import type { Task } from '../scenario/task.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import type { Grade } from '../score/grade.ts';
import { playMessages } from '../score/from-messages.ts';
import type { Transcript } from '../scenario/transcript.ts';
import type { EpisodeEngine } from './engine.ts';
import type { Caller, EvaluateRequest } from './request.ts';
import { readWindow } from './window.ts';

/** A conversation, graded as a whole; with a normalisation key it enters the scoring log. */
export interface Evaluated {
  readonly task: Task;
  readonly grade: Grade;
  /** The reward's z-score in each window, itself included; 0 where all are alike. */
  readonly normalized?: Readonly<Record<string, number>>;
}

export async function evaluate(
  engine: EpisodeEngine,
  caller: Caller,
  request: EvaluateRequest,
): Promise<Evaluated> {
  const task = engine.playable(engine.tasks.task(engine.tasks.choose(caller, request)));
  await mustBeAllowed(engine, caller, task);
  await engine.stage.mustBeReady(task);
  const transcript = await playBetweenOthers(engine, task, request);
  const { rewardConfig } = request;
  const grade = gradeTranscript(task, transcript, {
    verdicts: await engine.verdicts(task, transcript),
    ...(rewardConfig && { rewardConfig }),
  });
  if (request.normalizationKey === undefined) return { task, grade };
  const now = engine.clock.now();
  await engine.store.scores.insert({
    id: randomId('score'),
    owner: caller.id,
    normalizationKey: request.normalizationKey,
    collection: task.reference.collection,
    scenario: task.reference.scenario,
    scoringVersion: grade.scoringVersion,
    reward: grade.reward,
    at: now,
  });
  if (request.windows === undefined) return { task, grade };
  const normalized: Record<string, number> = {};
  for (const text of request.windows) {
    const window = readWindow(text);
    if (window === undefined) continue;
    const summary = await engine.store.scores.summarize({
      owner: caller.id,
      normalizationKey: request.normalizationKey,
      ...('last' in window ? { last: window.last } : { since: now - window.milliseconds }),
    });
    // Rounding leaves a trace of a spread where there is none.
    normalized[text] = summary.deviation < 1e-9 ? 0 : (grade.reward - summary.mean) / summary.deviation;
  }
  return { task, grade, normalized };
}

/** A client that may ask for the reward of a test without limit finds the answer by climbing, not by understanding. */
async function mustBeAllowed(
  { tasks, store }: EpisodeEngine,
  { id, explain, maxEvaluations }: Caller,
  { reference }: Task,
): Promise<void> {
  const { collection, scenario, variant } = reference;
  if (!explain && tasks.isTest(reference))
    throw new WhetstoneError(
      'test_not_evaluated',
      `${collection}/${scenario} is in a test split: it is graded once, at the end of an episode, and not through evaluations.`,
      { details: { collection, scenario } },
    );
  if (maxEvaluations === undefined) return;
  if (!(await store.scores.countEvaluation(id, `${collection}/${scenario}/${variant}`, maxEvaluations)))
    throw new WhetstoneError(
      'evaluations_exhausted',
      `This key has had ${collection}/${scenario}, variant ${variant}, evaluated as often as it may: ${maxEvaluations} times.`,
      { details: { collection, scenario, variant, limit: maxEvaluations } },
    );
}

/** A long conversation takes a while: others are answered between its turns. */
async function playBetweenOthers(
  { stage }: EpisodeEngine,
  task: Task,
  { messages, eachIsTurn = false }: EvaluateRequest,
): Promise<Transcript> {
  const playing = playMessages(task, messages, eachIsTurn);
  const id = randomId('evaluation');
  let acted: TurnAnswers['acted'];
  for (;;) {
    const { done, value } = playing.next(acted);
    if (done) return value;
    await new Promise<void>((resolve) => setImmediate(resolve));
    acted = await stage.act({ id, task, ...value });
  }
}
