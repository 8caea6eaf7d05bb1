import { join } from 'node:path';

import type { JsonObject } from '../../../base/json/value.ts';
import { checkFormat } from '../validate/check-format.ts';
import { idsOf, refer } from '../validate/check-references.ts';
import { questionsSchema } from '../format/questions.ts';
import type { Diagnostic, SourceFile } from '../diagnostic.ts';
import { faultOf } from './read-text.ts';
import type { Scenario } from '../scenario.ts';
import { readYamlFile } from './yaml.ts';

/** The questions that were written for a scenario's person, wherever they stand, and what is wrong with them. */
export interface Questions {
  readonly source: SourceFile | undefined;
  readonly faults: readonly Diagnostic[];
}

/** Reads them: not with the scenario, since they are most of its text and only who plays it needs them. */
export function readQuestions(scenario: Scenario): Questions {
  const file = join(scenario.folder, 'questions.yaml');
  try {
    const source = scenario.questionsSource ?? readYamlFile(file);
    return { source, faults: source ? faultsIn(source, scenario) : [] };
  } catch (error) {
    return { source: undefined, faults: [faultOf(error, file)] };
  }
}

function faultsIn(source: SourceFile, scenario: Scenario): readonly Diagnostic[] {
  const misread = source.faults.length > 0 ? source.faults : checkFormat(source, questionsSchema);
  if (misread.length > 0) return misread;
  const facts = idsOf(scenario.template['facts']);
  const faults: Diagnostic[] = [];
  for (const fact of Object.keys(source.value as JsonObject))
    refer(fact, facts, (message) => faults.push({ message, place: source.locate([fact]) }), 'fact');
  return faults;
}
