import { readQuestions } from '../scenario/load/questions.ts';
import type { PersonMeasure } from './measure-person.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { buildTask } from '../scenario/build-task.ts';
import type { ActedPaths } from './act-paths.ts';
import { checkAnswers, checkByHeart, enoughToMean } from './by-heart/check-by-heart.ts';
import type { AnswerMeasure } from './by-heart/measure-answers.ts';
import { checkExpected, checkJudges, checkMatter, decidersOf } from './check-criteria.ts';
import {
  askableFacts,
  checkPatterns,
  checkPerson,
  checkShown,
  checkTelling,
  checkVolunteered,
} from './check-facts.ts';
import { checkCheats, checkFlawed, checkGold } from './check-paths.ts';
import { Leaks } from './check-leaks.ts';
import { checkMatchers } from './check-matchers.ts';
import { beginCheck, locationOf, WorldNeverEnds } from './check-context.ts';
import type { ScenarioReport } from './report.ts';

export interface CheckOptions {
  /** How many variants to play, from the first on: neighbours differ in every axis. All of them by default. */
  readonly variants?: number;
  /** What the paths did on a page, where the world is one: see `actPaths`. */
  readonly acted?: ActedPaths;
  /** Hears what is being done, before it is done. */
  readonly onStep?: (says: string) => void;
}

/** Plays a scenario's paths and the built-in cheats over its variants, and looks for what cannot work. */
export function checkScenario(given: Scenario, options: CheckOptions = {}): ScenarioReport {
  const context = beginCheck(given, options.acted);
  const step = options.onStep ?? (() => undefined);
  const { scenario } = context;
  const { faults, warnings, paths, exploits } = context;
  const head = {
    scenario: `${scenario.collection}/${scenario.slug}`,
    variants: scenario.variants,
    askable: askableFacts(buildTask(scenario, 0)).length,
    deciders: decidersOf(scenario),
  };
  const questions = readQuestions(scenario);
  // Nobody can play it.
  if (questions.faults.length > 0)
    return { ...head, variantsChecked: 0, faults: questions.faults, warnings: [], paths: [], exploits: [] };
  const count = Math.max(1, Math.min(scenario.variants, options.variants ?? scenario.variants));
  let checked = 0;
  let person: PersonMeasure | undefined;
  let answers: AnswerMeasure | undefined;
  try {
    const told = new Set<string>();
    const leaks = new Leaks(context);
    const first = new Map<string, number>();
    for (; checked < count; checked++) {
      step(`plays variant ${checked + 1} of ${count}`);
      const task = buildTask(scenario, checked);
      const gold = checkGold(context, task);
      checkFlawed(context, task, gold?.reward ?? 1);
      checkCheats(context, task);
      leaks.look(task);
      checkVolunteered(context, task);
      checkMatchers(context, task);
      for (const { fact } of gold?.factsFound ?? []) told.add(fact);
      const { reference, ...all } = task;
      const text = JSON.stringify(all);
      const same = first.get(text);
      if (same === undefined) first.set(text, reference.variant);
      else
        warnings.add(
          `It is the same task as variant ${same}: an axis of "vary" that nothing uses makes no more of them.`,
          locationOf(context, ['vary']),
          reference.variant,
        );
    }
    leaks.report();
    step('gives the same answers in every variant');
    checkByHeart(context);
    step('looks how far it can be learned by heart');
    const onPage = buildTask(scenario, 0).page !== undefined;
    if (onPage || checked >= enoughToMean(scenario)) answers = checkAnswers(context, checked);
    checkPatterns(context);
    step('asks what is written in questions.yaml');
    person = checkPerson(context, questions.source);
    checkTelling(context, told);
    checkShown(context);
    checkJudges(context);
    checkMatter(context);
    checkExpected(context);
  } catch (error) {
    if (!(error instanceof WorldNeverEnds)) throw error;
  }
  if (scenario.variants < 64)
    warnings.add(
      `There are ${scenario.variants} variants; 64 or more keep a model from learning them by heart.`,
      locationOf(context, ['vary']),
    );
  return {
    ...head,
    variantsChecked: checked,
    faults: faults.all(),
    warnings: warnings.all(),
    paths: paths.all(),
    exploits: exploits.all(),
    ...(person ? { person } : {}),
    ...(answers ? { answers } : {}),
  };
}
