import { isJsonObject } from '../../base/json/value.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { evidenceOf } from './language/evidence.ts';
import type { Evidence, Example } from './language/evidence.ts';
import { lexiconOf } from './language/lexicon.ts';
import { readQuestions } from './read-scenario.ts';
import type { Scenario } from './scenario.ts';

/** What a person learns from: plain data, of which the same evidence is made on any thread. */
export interface Lessons {
  readonly examples: readonly Example[];
  readonly synonyms: readonly (readonly string[])[];
}

const known = new WeakMap<Scenario, Lessons | undefined>();

/** The questions that were written for a scenario's person: the same for all variants, read once. */
export function lessonsIn(scenario: Scenario): Lessons | undefined {
  if (!known.has(scenario)) {
    const examples = examplesOf(scenario);
    const person = scenario.template['person'];
    const synonyms = isJsonObject(person) ? listsIn(person['synonyms']) : [];
    known.set(scenario, examples.length > 0 ? { examples, synonyms } : undefined);
  }
  return known.get(scenario);
}

const learnt = new WeakMap<Lessons, Evidence>();

/** What lessons teach; worked out once. */
export function evidenceFrom(lessons: Lessons): Evidence {
  let evidence = learnt.get(lessons);
  if (evidence === undefined) {
    evidence = evidenceOf(lessons.examples, lexiconOf(lessons.synonyms));
    learnt.set(lessons, evidence);
  }
  return evidence;
}

function examplesOf(scenario: Scenario): readonly Example[] {
  const source = readQuestions(scenario);
  // What is wrong with the file is told by the check; a person is not silent for it.
  if (!source || source.faults.length > 0 || !isJsonObject(source.value)) return [];
  return Object.entries(source.value).flatMap(([fact, lists]) =>
    isJsonObject(lists)
      ? [
          ...textsIn(lists['asked']).map((text) => ({ fact, asked: true, text })),
          ...textsIn(lists['not']).map((text) => ({ fact, asked: false, text })),
        ]
      : [],
  );
}

function listsIn(value: JsonValue | undefined): readonly (readonly string[])[] {
  return Array.isArray(value) ? value.map(textsIn) : [];
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
