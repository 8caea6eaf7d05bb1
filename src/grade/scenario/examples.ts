import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { evidenceOf, nobodysFact } from '../language/evidence.ts';
import type { Evidence, Example } from '../language/evidence.ts';
import { idleTalk } from '../language/idle-talk.ts';
import { lexiconOf } from '../language/lexicon.ts';
import { listOf, textsIn } from './list.ts';
import type { Fault } from './place.ts';
import { readQuestions } from './load/questions.ts';
import type { Scenario } from './scenario.ts';
import { unplayable } from './unplayable.ts';

/** What a person learns from: plain data, of which the same evidence is made on any thread. */
export interface Lessons {
  readonly examples: readonly Example[];
  readonly synonyms: readonly (readonly string[])[];
}

interface Read {
  readonly lessons?: Lessons;
  readonly fault?: Fault;
}

const known = new WeakMap<Scenario, Read>();

/**
 * The questions that were written for a scenario's person: the same for all variants, read once. With a fault in them
 * the scenario cannot be played: without them the person would answer otherwise, and every grade be another.
 */
export function lessonsIn(scenario: Scenario): Lessons | undefined {
  let read = known.get(scenario);
  if (read === undefined) known.set(scenario, (read = readLessons(scenario)));
  if (read.fault) throw unplayable(scenario.collection, scenario.slug, read.fault);
  return read.lessons;
}

function readLessons(scenario: Scenario): Read {
  const { source, faults } = readQuestions(scenario);
  if (faults[0]) return { fault: faults[0] };
  const examples = source && isJsonObject(source.value) ? examplesIn(source.value) : [];
  if (examples.length === 0) return {};
  const person = scenario.template['person'];
  const synonyms = isJsonObject(person) ? listsIn(person['synonyms']) : [];
  return { lessons: { examples, synonyms } };
}

export const idle: readonly Example[] = idleTalk.map((text) => ({ fact: nobodysFact, asked: true, text }));

/** All that a person learns: what is asked in its scenario, and what is said in any. */
export function taughtBy({ examples }: Lessons): readonly Example[] {
  return [...examples, ...idle];
}

const learnt = new WeakMap<Lessons, Evidence>();

/** What lessons teach; worked out once. */
export function evidenceFrom(lessons: Lessons): Evidence {
  let evidence = learnt.get(lessons);
  if (evidence === undefined) {
    evidence = evidenceOf(taughtBy(lessons), lexiconOf(lessons.synonyms));
    learnt.set(lessons, evidence);
  }
  return evidence;
}

function examplesIn(questions: JsonObject): readonly Example[] {
  return Object.entries(questions).flatMap(([fact, lists]) =>
    isJsonObject(lists)
      ? [
          ...textsIn(lists['asked']).map((text) => ({ fact, asked: true, text })),
          ...textsIn(lists['not']).map((text) => ({ fact, asked: false, text })),
        ]
      : [],
  );
}

function listsIn(value: JsonValue | undefined): readonly (readonly string[])[] {
  return listOf(value).map(textsIn);
}
