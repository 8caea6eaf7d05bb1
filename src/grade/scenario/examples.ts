import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { evidenceOf, nobodysFact } from '../language/evidence.ts';
import type { Evidence, Example } from '../language/evidence.ts';
import { idleTalk } from '../language/idle-talk.ts';
import { lexiconOf } from '../language/lexicon.ts';
import { listOf, textsIn } from './json-list.ts';
import type { Diagnostic } from './diagnostic.ts';
import { readQuestions } from './load/questions.ts';
import type { Scenario } from './scenario.ts';
import { invalidScenario } from './invalid-scenario.ts';

/** What a person learns from: plain data, of which the same evidence is made on any thread. */
export interface Examples {
  readonly examples: readonly Example[];
  readonly synonyms: readonly (readonly string[])[];
}

interface Read {
  readonly examples?: Examples;
  readonly fault?: Diagnostic;
}

const known = new WeakMap<Scenario, Read>();

/**
 * The questions that were written for a scenario's person: the same for all variants, read once. With a fault in them
 * the scenario cannot be played: without them the person would answer otherwise, and every grade be another.
 */
export function examplesIn(scenario: Scenario): Examples | undefined {
  let read = known.get(scenario);
  if (read === undefined) known.set(scenario, (read = readExamples(scenario)));
  if (read.fault) throw invalidScenario(scenario.collection, scenario.slug, read.fault);
  return read.examples;
}

function readExamples(scenario: Scenario): Read {
  const { source, faults } = readQuestions(scenario);
  if (faults[0]) return { fault: faults[0] };
  const examples = source && isJsonObject(source.value) ? listExamples(source.value) : [];
  if (examples.length === 0) return {};
  const person = scenario.template['person'];
  const synonyms = isJsonObject(person) ? listsIn(person['synonyms']) : [];
  return { examples: { examples, synonyms } };
}

/** What operators say that asks for nothing, in any conversation: the questions of a fact that nobody tells. */
export const idle: readonly Example[] = idleTalk.map((text) => ({
  fact: nobodysFact,
  asked: true,
  text,
}));

/** All that a person learns: what is asked in its scenario, and what is said in any. */
export function taughtBy({ examples }: Examples): readonly Example[] {
  return [...examples, ...idle];
}

const learnt = new WeakMap<Examples, Evidence>();

/** What examples teach; worked out once. */
export function evidenceFrom(examples: Examples): Evidence {
  let evidence = learnt.get(examples);
  if (evidence === undefined) {
    evidence = evidenceOf(taughtBy(examples), lexiconOf(examples.synonyms));
    learnt.set(examples, evidence);
  }
  return evidence;
}

function listExamples(questions: JsonObject): readonly Example[] {
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
