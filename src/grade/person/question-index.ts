import { Recent } from '../../base/host/recent.ts';
import type { Lexicon } from '../language/lexicon.ts';
import type { Token } from '../language/tokens.ts';
import { topicIndexOf } from '../language/topic.ts';
import type { TopicIndex } from '../language/topic.ts';
import type { Fact, PersonAct, Task } from '../scenario/task.ts';
import { briefingOf } from './read-aloud.ts';
import type { Briefing } from './read-aloud.ts';

/** What can be asked for: a fact, something the person does, or talk. */
export interface Topic {
  readonly fact?: Fact;
  readonly act?: PersonAct;
  readonly says: string;
  /** Its first pattern. */
  readonly about: string;
}

/** What a person can be asked for, and by which words. */
export interface QuestionIndex {
  readonly lexicon: Lexicon;
  readonly patterns: TopicIndex;
  /** By the number that the patterns give them. */
  readonly topics: readonly Topic[];
  /** Its facts belong to several sessions. */
  readonly isJourney: boolean;
  /** In a journey, what is asked for by the same patterns in several sessions: "How bad is the pain?" */
  readonly twins: ReadonlyMap<Topic, readonly Topic[]>;
  readonly briefing: Briefing;
  /** The words of a topic's first pattern, for a question that only says "it". */
  readonly spoken: Recent<string, readonly Token[]>;
}

const known = new WeakMap<Task, QuestionIndex>();

/** The questions that a task's person answers: read once a task. */
export function questionIndexOf(task: Task): QuestionIndex {
  let index = known.get(task);
  if (index === undefined) known.set(task, (index = readIndex(task)));
  return index;
}

function readIndex(task: Task): QuestionIndex {
  const facts = task.facts.filter((fact) => fact.reveal !== 'hidden');
  const { person } = task;
  const asks = [...facts, ...person.acts, ...person.topics].map(({ ask }) => ask);
  const topics: readonly Topic[] = [
    ...facts.map((fact) => ({ fact, says: fact.says })),
    ...person.acts.map((act) => ({ act, says: act.says })),
    ...person.topics.map(({ says }) => ({ says })),
  ].map((topic, index) => ({ ...topic, about: asks[index]![0] ?? '' }));
  const patterns = topicIndexOf(asks, person);
  const isJourney = facts.some(({ session }) => session !== facts[0]!.session);
  return {
    lexicon: patterns.lexicon,
    patterns,
    topics,
    isJourney,
    twins: isJourney ? twinsIn(topics, asks) : new Map(),
    briefing: briefingOf(task),
    spoken: new Recent(100),
  };
}

function twinsIn(
  topics: readonly Topic[],
  asks: readonly (readonly string[])[],
): ReadonlyMap<Topic, readonly Topic[]> {
  const alike = Map.groupBy(topics.keys(), (index) => (topics[index]!.fact ? asks[index]!.join('\n') : ''));
  alike.delete('');
  return new Map(
    [...alike.values()].flatMap((places) => {
      const twins = places.map((place) => topics[place]!);
      return twins.length > 1 ? twins.map((topic) => [topic, twins] as const) : [];
    }),
  );
}
