import type { Courtesy } from '../language/courtesy.ts';
import type { HeardTurn } from '../scenario/transcript.ts';
import type { PlayState } from '../scenario/play-state.ts';
import type { Task } from '../scenario/task.ts';
import type { Matched } from './match.ts';
import { questionIndexOf, type QuestionIndex, type Topic } from './question-index.ts';

/** Something that a person can be asked for, told without its content. */
export interface Askable {
  readonly id: string;
  /** The words of its patterns, and how others asked for it. */
  readonly words: string;
  readonly questions: readonly string[];
}

/** So many written questions say what is meant. */
const mostQuestions = 3;

/** All that a person can be asked for now: for whoever hears in place of the rules. */
export function askables(task: Task, state: PlayState): readonly Askable[] {
  const index = questionIndexOf(task);
  const written = task.examples()?.examples ?? [];
  return index.topics.flatMap((topic, place) => {
    if (topicNow(topic, { index, state }) !== topic) return [];
    const words = index.patterns.topics[place]!.patterns.flatMap(({ wanted }) => wanted.flat());
    const questions = written.filter(({ fact, asked }) => asked && fact === topic.fact?.id);
    return {
      id: idOf(topic, index),
      words: [...new Set(words)].join(' '),
      questions: questions.slice(0, mostQuestions).map(({ text }) => text),
    };
  });
}

/** What the rules make of a turn that somebody else has heard. What is on no list was not said. */
export function matchHeard({ asks, others }: HeardTurn, task: Task, state: PlayState): Matched {
  const index = questionIndexOf(task);
  const wanted = asks.flatMap((id) => {
    const topic = index.topics.find((one) => idOf(one, index) === id);
    return topic ? [topicNow(topic, { index, state })] : [];
  });
  return {
    wanted,
    confirmed: [],
    open: new Set(),
    asked: wanted.length + others,
    notUnderstood: others,
    strange: others,
  };
}

export const heardCourtesies = [
  'greeting',
  'howAreYou',
  'introduction',
  'thanks',
  'empathy',
  'reassurance',
  'farewell',
  'insult',
  'asksToBegin',
  'anythingElse',
] as const satisfies readonly Courtesy[];

/** In a journey, what is asked for by the same words in several sessions is asked for as it is now. */
function topicNow(topic: Topic, { index, state }: { index: QuestionIndex; state: PlayState }): Topic {
  const twin = index.twins.get(topic)?.find(({ fact }) => fact?.session === state.session);
  return twin ?? topic;
}

function idOf({ fact, act, says }: Topic, { topics }: QuestionIndex): string {
  if (fact) return fact.id;
  if (act) return `do:${act.id}`;
  return `talk:${topics.filter((one) => !one.fact && !one.act).findIndex((one) => one.says === says) + 1}`;
}
