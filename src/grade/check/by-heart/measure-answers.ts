import { random } from '../../play/operators.ts';
import { playTurn, startPlay } from '../../play/play.ts';
import { messagesOf } from '../../scenario/paths.ts';
import { buildTask } from '../../scenario/build-task.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { Task } from '../../scenario/task.ts';
import type { TurnMessage } from '../../scenario/transcript.ts';
import { gradeTranscript } from '../../score/grade-transcript.ts';
import { bestVerdicts } from '../../score/verdict.ts';
import { type ActedPaths, pathKey } from '../act-paths.ts';
import { playKnown } from '../play-known.ts';
import { answeredWith, constantAnswers, interviewOf, mixedAnswer } from './fixed-interview.ts';
import type { AnswerCall, Interview } from './fixed-interview.ts';
import { rightAnswer, rightDecision } from './right-answer.ts';
import { tellingFact } from './telling-fact.ts';

/** How far a scenario can be learned by heart, and how hard it is: means over the variants that were played. */
export interface AnswerMeasure {
  /** How many distinct right answers there are in so many variants. */
  readonly distinct: number;
  readonly counted: number;
  /** The one fact that alone predicts the decision best, how often it does, and how often the best constant decision is right. */
  readonly fact?: string;
  readonly accuracy: number;
  readonly constant: number;
  /** Mean rewards of operators, each more able than the one before. */
  readonly skills: Skills;
}

export interface Skills {
  /** Says and calls whatever comes. */
  readonly random: number;
  /** Asks and reads all that the gold path does, and gives the best constant answer. */
  readonly interview: number;
  /** The same, but it decides by the one fact that tells most. */
  readonly one_fact: number;
  /** Knows all. */
  readonly gold: number;
}

export interface MeasureOptions {
  /** In so many variants the operators play. */
  readonly played?: number;
  /** In so many variants right answers are counted, until there are `enough`. */
  readonly counted?: number;
  readonly enough?: number;
  /** What gold did on a page, where the world is one: an interview does the same there. See `actPaths`. */
  readonly acted?: ActedPaths | undefined;
}

const answersTried = 4;

/** In so many variants or more facts are looked at: fewer tell too little, and playing them takes longer. */
const least = 64;

export function measureAnswers(scenario: Scenario, options: MeasureOptions = {}): AnswerMeasure {
  const { played = 64, counted = Infinity, enough = Infinity, acted } = options;
  const briefing = String(scenario.template['briefing'] ?? '');
  const answers = new Set<string>();
  let seen = 0;
  for (; seen < Math.min(scenario.variants, counted) && answers.size < enough; seen++)
    answers.add(rightAnswer(buildTask(scenario, seen), briefing));
  const looked = Array.from({ length: Math.min(scenario.variants, Math.max(played, least)) }, (_, variant) =>
    buildTask(scenario, variant),
  );
  const tasks = looked.slice(0, played);
  const cases = looked.map((task) => ({
    facts: new Map(task.facts.map(({ id, says }) => [id, says])),
    right: rightDecision(task),
  }));
  const { id, accuracy, constant, says } = tellingFact(cases);
  const interviews = tasks.map((task) => interviewOf(task, briefing));
  const candidates = constantAnswers(interviews, answersTried);
  const interview = Math.max(0, ...candidates.map((answer) => meanReward(interviews, () => answer, acted)));
  // By what the fact says is right: the answer of the variants where that is so.
  const bySaid = new Map(
    [...new Set(says)].map((said) => [
      said,
      mixedAnswer(interviews.filter((_, index) => cases[index]!.right === said)),
    ]),
  );
  const oneFact =
    id === undefined ? interview : meanReward(interviews, (index) => bySaid.get(says[index]!) ?? [], acted);
  return {
    distinct: answers.size,
    counted: seen,
    ...(id === undefined ? {} : { fact: id }),
    accuracy,
    constant,
    skills: {
      random: mean(tasks.map(randomReward)),
      interview,
      one_fact: oneFact,
      gold: mean(tasks.map((task) => rewardOf(task, task.gold.map(messagesOf), acted))),
    },
  };
}

function meanReward(
  interviews: readonly Interview[],
  answer: (index: number) => readonly AnswerCall[],
  acted: ActedPaths | undefined,
): number {
  return mean(
    interviews.map((interview, index) =>
      rewardOf(interview.task, answeredWith(interview, answer(index)), acted),
    ),
  );
}

function rewardOf(task: Task, turns: readonly (readonly TurnMessage[])[], acted?: ActedPaths): number {
  const onPage = acted?.get(pathKey(task, task.gold.map(messagesOf)));
  return gradeTranscript(task, playKnown(task, turns, onPage), { verdicts: bestVerdicts(task) }).reward;
}

function randomReward(task: Task): number {
  const turns: (readonly TurnMessage[])[] = [];
  let { state, observation } = startPlay(task);
  while (state.ended === undefined) {
    const next = random.next(task, turns.length + 1, observation);
    if (!next) break;
    turns.push(next);
    ({ state, observation } = playTurn(task, state, next));
  }
  return rewardOf(task, turns);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}
