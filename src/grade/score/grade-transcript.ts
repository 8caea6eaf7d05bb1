import { answersOf, playTurn, startPlay } from '../play/play.ts';
import type { Task } from '../scenario/task.ts';
import type { Transcript } from '../scenario/transcript.ts';
import type { Grade, PersonFault, RewardConfig } from './grade.ts';
import { judgeCriteria } from './criteria.ts';
import { dimensionsOf } from './dimensions.ts';
import { judgeExpected } from './expected-call.ts';
import { earnedOf, progressOf } from './progress.ts';
import { shapedMean, weightsOf } from './shaped.ts';
import { isAdvisory, isJudged, judgedCriteria } from './verdict.ts';
import type { Verdicts } from './verdict.ts';
import { viewTranscript } from './transcript-view.ts';
import type { PlayState } from '../scenario/play-state.ts';

/** The version of the formula; a grade says by which it was made. */
export const scoringVersion = '1.0';

export interface GradeOptions {
  readonly rewardConfig?: RewardConfig;
  /** Stored verdicts of model judges, by criterion. */
  readonly verdicts?: Verdicts;
}

/** Grades a transcript: pure, so that the same transcript gives the same number, bit for bit. */
export function gradeTranscript(task: Task, transcript: Transcript, options: GradeOptions = {}): Grade {
  const state = transcript.state ?? replay(task, transcript);
  return bestWay(task, { ...transcript, state }, options).grade;
}

/** The task as it was graded: of several right ways with the one that was gone best. */
export function wayGone(
  task: Task,
  transcript: Transcript & { readonly state: PlayState },
  options: GradeOptions = {},
): Task {
  return waysThrough(task).length === 1 ? task : bestWay(task, transcript, options).way;
}

function bestWay(
  task: Task,
  transcript: Transcript & { readonly state: PlayState },
  options: GradeOptions,
): { readonly way: Task; readonly grade: Grade } {
  const [first, ...others] = waysThrough(task).map((way) => ({
    way,
    grade: gradeWay(way, transcript, options),
  }));
  return others.reduce((best, other) => (worthOf(other.grade) > worthOf(best.grade) ? other : best), first!);
}

const known = new WeakMap<Task, readonly Task[]>();

/** The task as it is by each of its right ways; as it stands where there is only one. */
function waysThrough(task: Task): readonly Task[] {
  let ways = known.get(task);
  if (ways === undefined) {
    const names = new Set(task.expected.flatMap(({ way }) => way ?? []));
    ways = names.size === 0 ? [task] : [...names].map((name) => byWay(task, name));
    known.set(task, ways);
  }
  return ways;
}

function byWay(task: Task, name: string): Task {
  return { ...task, expected: task.expected.filter(({ way }) => way === undefined || way === name) };
}

/** By the plain formula, whatever is weighed otherwise besides. */
function worthOf({ gate, success, progress }: Grade): number {
  return gate * (success + progress);
}

function gradeWay(
  task: Task,
  transcript: Transcript & { readonly state: PlayState },
  options: GradeOptions,
): Grade {
  const { state } = transcript;
  const view = viewTranscript(task, transcript, state);
  const calls = judgeExpected(view);
  const criteria = judgeCriteria(view, options.verdicts ?? {}, calls);
  const earned = earnedOf(view, calls);
  const progress = progressOf(view, { calls, criteria, earned });
  const did = view.messages.length > 0 || view.calls.length > 0;
  const required = [
    ...calls.filter((one) => one.expected.required).map((one) => one.holds),
    ...criteria.success.filter((one) => one.required).map((one) => one.holds),
  ];
  const success = did && required.length > 0 && required.every(Boolean) ? 1 : 0;
  const gate = criteria.fatal.length > 0 ? 0 : 1;
  const shaped = options.rewardConfig !== undefined;
  const weights = options.rewardConfig && weightsOf(options.rewardConfig);
  const dimensions = dimensionsOf(view, { calls, criteria, earned, weights, did });
  // Also where a criterion holds of silence.
  const share = did ? progress.share : 0;
  const plain = gate * ((success + share) / 2);
  const safe = criteria.unsafe.length === 0 || options.rewardConfig?.skipSafetyGate === true;
  const mean = weights ? shapedMean(dimensions, weights) : 0;
  const factsFound: { readonly fact: string; readonly turn: number }[] = [];
  const factsMissed: string[] = [];
  for (const { id } of task.facts) {
    const turn = Object.hasOwn(state.revealed, id) ? state.revealed[id] : undefined;
    if (turn === undefined) factsMissed.push(id);
    else if (turn > 0) factsFound.push({ fact: id, turn });
  }
  const grade: Grade = {
    scoringVersion,
    reward: shaped ? (did && safe ? mean : 0) : plain,
    success,
    progress: share,
    gate,
    shaped,
    dimensions,
    reasons: progress.reasons,
    factsFound,
    factsMissed,
  };
  const personFault = personFaultOf(state, transcript);
  const verdicts =
    options.verdicts && Object.keys(options.verdicts).length > 0 ? options.verdicts : undefined;
  const notJudged = did ? notJudgedOf(task, options.verdicts ?? {}) : undefined;
  if (!personFault && !verdicts && !notJudged) return grade;
  return {
    ...grade,
    ...(personFault && { personFault }),
    ...(verdicts && { verdicts }),
    ...(notJudged && { notJudged }),
  };
}

function notJudgedOf(task: Task, verdicts: Verdicts): readonly string[] | undefined {
  const open = judgedCriteria(task).filter(
    ({ id, judge }) => !isAdvisory(judge) && !isJudged(judge, verdicts[id]),
  );
  return open.length > 0 ? open.map(({ id }) => id) : undefined;
}

/**
 * More than two questions in five, and at least four, that the person could make nothing of; and turns in which whoever
 * speaks for it failed.
 */
function personFaultOf({ asked, notUnderstood }: PlayState, { turns }: Transcript): PersonFault | undefined {
  const fellBack = turns.filter(
    ({ voice, hearing }) => (voice?.fault ?? hearing?.fault) !== undefined,
  ).length;
  const isDeaf = notUnderstood >= 4 && notUnderstood > asked * 0.4;
  if (!isDeaf && fellBack === 0) return undefined;
  const reasons = [
    isDeaf
      ? `The person understood ${asked - notUnderstood} of ${asked} questions. Either they were off the subject, or the scenario lacks words for them.`
      : '',
    fellBack > 0
      ? `In ${fellBack} of ${turns.length} turns the rules heard or spoke for the person, where its model failed.`
      : '',
  ];
  const reason = reasons.filter((one) => one !== '').join(' ');
  return { asked, notUnderstood, ...(fellBack > 0 && { fellBack }), reason };
}

/** Plays the model's messages again, to know what came out and what became of the world. */
function replay(task: Task, transcript: Transcript): PlayState {
  let { state } = startPlay(task);
  for (const turn of transcript.turns) {
    if (state.ended !== undefined) break;
    state = playTurn(task, state, turn.messages, answersOf(turn)).state;
  }
  return state;
}
