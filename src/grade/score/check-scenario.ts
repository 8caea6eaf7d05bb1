import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { wordsOf } from '../scenario/language/lexicon.ts';
import { messagesOf, pathsOf, playThrough } from '../scenario/paths.ts';
import { checkFormat } from '../scenario/check-format.ts';
import { questionsSchema } from '../scenario/format/questions.ts';
import { measurePerson } from '../scenario/measure-person.ts';
import type { PersonMeasure } from '../scenario/measure-person.ts';
import { earsOf } from '../scenario/person.ts';
import type { Scenario } from '../scenario/read-scenario.ts';
import { taskOf } from '../scenario/task-of.ts';
import type { Task } from '../scenario/task.ts';
import { readYaml } from '../scenario/yaml.ts';
import type { Place } from '../scenario/place.ts';
import { exploitLimit, exploits } from './exploit.ts';
import type { Grade } from './grade.ts';
import { gradeTranscript } from './grade-transcript.ts';
import { readLabels } from './labels.ts';
import { bestVerdicts, isAdvisory, judgedCriteria, leastAgreement } from './verdict.ts';
import type { Verdicts } from './verdict.ts';

/** What a check found: faults refuse the scenario, hints do not. */
export interface ScenarioReport {
  readonly scenario: string;
  readonly variantsChecked: number;
  readonly variants: number;
  readonly faults: readonly Finding[];
  readonly hints: readonly Finding[];
  /** Over the checked variants: the lowest and the highest reward of each path and each cheat. */
  readonly paths: readonly Span[];
  readonly exploits: readonly Span[];
  /** How well the person understands the questions of `questions.yaml`, where there are any. */
  readonly person?: PersonMeasure;
}

export interface Finding {
  readonly message: string;
  readonly place: Place;
  readonly variant?: number;
}

export interface Span {
  readonly id: string;
  readonly lowest: number;
  readonly highest: number;
}

export interface CheckOptions {
  /** How many variants to play, spread evenly; all of them by default. */
  readonly variants?: number;
}

/** Plays a scenario's paths and the built-in cheats over its variants, and looks for what cannot work. */
export function checkScenario(scenario: Scenario, options: CheckOptions = {}): ScenarioReport {
  const faults = new Findings();
  const hints = new Findings();
  const paths = new Spans();
  const cheats = new Spans();
  const fired = new Set<string>();
  const told = new Set<string>();
  const chosen = spread(scenario.variants, options.variants ?? scenario.variants);
  for (const variant of chosen) {
    const task = taskOf(scenario, variant);
    const at = (path: readonly (string | number)[]) => scenario.source.locate(path);
    const gold = checkGold(scenario, task, faults);
    if (gold) paths.add('gold', gold.reward);
    checkFlawed(scenario, { task, variant, gold: gold?.reward ?? 1, faults, paths, fired });
    for (const exploit of exploits) {
      const rewards = exploit
        .attempts(task)
        .map(
          (turns) => gradeTranscript(task, playThrough(task, turns), { verdicts: bestVerdicts(task) }).reward,
        );
      const best = Math.max(0, ...rewards);
      cheats.add(exploit.name, best);
      const limit = exploit.name === 'silent' ? 0 : exploitLimit;
      if (best > limit)
        faults.add(
          `The cheat "${exploit.name}" (${exploit.description}) earns ${best.toFixed(3)}; ${limit} is the most it may.`,
          at(['expect']),
          variant,
        );
    }
    for (const fact of gold?.factsFound ?? []) told.add(fact.fact);
    for (const leak of leaksIn(task)) faults.add(leak.message, at(placeOfFact(scenario, leak.fact)), variant);
  }
  checkPatterns(scenario, taskOf(scenario, 0), faults);
  const person = checkPerson(scenario, faults);
  checkTelling(scenario, told, faults);
  checkJudges(scenario, { faults, hints });
  checkMatter(scenario, fired, { faults, hints });
  if (scenario.variants < 64)
    hints.add(
      `There are ${scenario.variants} variants; 64 or more keep a model from learning them by heart.`,
      scenario.source.locate(['vary']),
    );
  return {
    scenario: `${scenario.collection}/${scenario.slug}`,
    variantsChecked: chosen.length,
    variants: scenario.variants,
    faults: faults.all(),
    hints: hints.all(),
    paths: paths.all(),
    exploits: cheats.all(),
    ...(person ? { person } : {}),
  };
}

/** The gold path must earn exactly 1: else an expectation cannot be met, or the path is not gold. */
function checkGold(scenario: Scenario, task: Task, faults: Findings): Grade | undefined {
  const place = scenario.pathsSource?.locate(['gold']) ?? scenario.source.locate([]);
  const { variant } = task.reference;
  if (task.gold.length === 0) {
    faults.add(
      'There is no gold path: nothing shows that the scenario can be won. Write "gold" in paths.yaml.',
      place,
    );
    return undefined;
  }
  const transcript = playThrough(task, task.gold.map(messagesOf));
  if (transcript.terminalReason === 'error') {
    const said = transcript.turns.at(-1)?.outcomes.find((one) => one.isError)?.output ?? 'the world failed';
    faults.add(said, scenario.source.locate(['code']), variant);
  }
  const grade = gradeTranscript(task, transcript, { verdicts: bestVerdicts(task) });
  if (grade.reward !== 1) {
    const lost = grade.reasons
      .filter((one) => one.earned < one.possible || one.earned < 0)
      .map((one) => one.reason);
    faults.add(
      `The gold path earns ${grade.reward.toFixed(3)}, not 1. ${lost.slice(0, 3).join(' ') || 'No required expectation holds.'}`,
      place,
      variant,
    );
  }
  if (task.ends.length > 0 && transcript.terminalReason !== 'completed')
    faults.add(`The gold path does not complete the episode: ${task.ends.join(', ')} would.`, place, variant);
  if (transcript.turns.length < task.gold.length)
    faults.add(
      `The gold path goes on after the end, which comes at turn ${transcript.turns.length}.`,
      place,
      variant,
    );
  return grade;
}

function checkFlawed(
  scenario: Scenario,
  given: { task: Task; variant: number; gold: number; faults: Findings; paths: Spans; fired: Set<string> },
): void {
  const { task, variant, gold, faults, paths, fired } = given;
  const written = pathsOf(scenario, variant);
  const indexOf = (id: string) =>
    (Array.isArray(scenario.paths['flawed'])
      ? (scenario.paths['flawed'] as readonly JsonValue[])
      : []
    ).findIndex((one) => isJsonObject(one) && one['id'] === id);
  let above = { id: 'gold', reward: gold };
  for (const path of written.flawed) {
    const place = scenario.pathsSource!.locate(['flawed', indexOf(path.id)]);
    const verdicts = verdictsOf(task, path.verdicts ?? {});
    const grade = gradeTranscript(task, playThrough(task, path.turns.map(messagesOf)), { verdicts });
    paths.add(path.id, grade.reward);
    for (const one of [...grade.reasons, ...grade.dimensions.failure_metrics.criteria])
      if (
        one.earned < 0 ||
        (one.kind === 'failure' && one.earned === 0) ||
        one.kind === 'fatal' ||
        one.kind === 'prohibited'
      )
        fired.add(one.id);
    // Nothing is below nothing: two paths may both earn 0.
    if (grade.reward > 0 && grade.reward > above.reward - written.margin + 1e-9)
      faults.add(
        `"${path.id}" earns ${grade.reward.toFixed(3)}; it should be ${written.margin} or more below "${above.id}" (${above.reward.toFixed(3)}).`,
        place,
        variant,
      );
    if (path.at_most !== undefined && grade.reward > path.at_most)
      faults.add(`"${path.id}" earns ${grade.reward.toFixed(3)}, more than ${path.at_most}.`, place, variant);
    if (path.at_least !== undefined && grade.reward < path.at_least)
      faults.add(
        `"${path.id}" earns ${grade.reward.toFixed(3)}, less than ${path.at_least}.`,
        place,
        variant,
      );
    above = { id: path.id, reward: grade.reward };
  }
}

/** No judge is asked in a check: a path says what a good one would say of it. */
function verdictsOf(task: Task, written: Readonly<Record<string, number>>): Verdicts {
  const said = Object.entries(written).map(([id, score]) => [
    id,
    { score, votes: [score], reason: 'As written.' },
  ]);
  return { ...bestVerdicts(task), ...(Object.fromEntries(said) as Verdicts) };
}

/** The questions that somebody wrote for the person: nearly all are understood, no near miss is, and nothing locked is told. */
function checkPerson(scenario: Scenario, faults: Findings): PersonMeasure | undefined {
  const file = join(scenario.folder, 'questions.yaml');
  if (!existsSync(file)) return undefined;
  const source = readYaml(readFileSync(file, 'utf8'), file);
  for (const fault of source.faults) faults.add(fault.message, fault.place);
  if (!isJsonObject(source.value)) return undefined;
  for (const fault of checkFormat(source, questionsSchema)) faults.add(fault.message, fault.place);
  const task = taskOf(scenario, 0);
  for (const fact of Object.keys(source.value))
    if (!task.facts.some((one) => one.id === fact))
      faults.add(`There is no fact "${fact}" to ask for.`, source.locate([fact]));
  const measure = measurePerson(task, source.value);
  const { questions, answered, lockedTold } = measure;
  if (answered < questions * leastRecall)
    faults.add(
      `The person understands ${answered} of ${questions} questions; ${leastRecall * 100} % are needed.`,
      source.locate([]),
    );
  for (const one of measure.failures)
    if (one.told.includes(one.fact))
      faults.add(`The near miss "${one.text}" draws "${one.fact}" out.`, source.locate([one.fact]));
  if (lockedTold > 0) faults.add(`${lockedTold} questions draw out what is locked.`, source.locate([]));
  return measure;
}

const leastRecall = 0.95;

/** Patterns of nothing but question words catch every question of their kind. */
function checkPatterns(scenario: Scenario, task: Task, faults: Findings): void {
  for (const { pattern, topic } of earsOf(task).asks)
    if (pattern.empty)
      faults.add(
        `The pattern "${pattern.source}" asks for nothing: it has only question words and small ones.`,
        scenario.source.locate(topic.fact ? [...placeOfFact(scenario, topic.fact.id), 'ask'] : ['person']),
      );
}

/** What people said of conversations must fit the criteria; a judge that counts should show what its agreement rests on. */
function checkJudges(scenario: Scenario, to: { readonly faults: Findings; readonly hints: Findings }): void {
  const labels = readLabels(scenario);
  for (const fault of labels.faults) to.faults.add(fault.message, fault.place);
  const criteria = isJsonObject(scenario.template['criteria']) ? scenario.template['criteria'] : {};
  for (const { id, judge } of judgedCriteria(taskOf(scenario, 0))) {
    if (judge.agreement === undefined) continue;
    const group = Object.keys(criteria).find((name) => indexIn(criteria[name], id) >= 0) ?? '';
    const place = scenario.source.locate(['criteria', group, indexIn(criteria[group], id), 'judge']);
    if (judge.model === undefined)
      to.hints.add(
        `The agreement of "${id}" is that of one model. Name it: any other may judge otherwise.`,
        place,
      );
    if (!labels.labelled.some((one) => id in one.labels))
      to.hints.add(
        `Nothing shows the agreement of "${id}". Write conversations with their labels in labels.yaml.`,
        place,
      );
    if (isAdvisory(judge))
      to.hints.add(
        `"${id}" counts for nothing: an agreement of ${judge.agreement} is below ${leastAgreement}.`,
        place,
      );
  }
}

function indexIn(list: JsonValue | undefined, id: string): number {
  return listOf(list).findIndex((one) => isJsonObject(one) && one['id'] === id);
}

/** Facts that nobody can learn: no words to ask for them, and no tool that shows them. */
function checkTelling(scenario: Scenario, told: ReadonlySet<string>, faults: Findings): void {
  listOf(scenario.template['facts']).forEach((fact, index) => {
    if (!isJsonObject(fact) || fact['reveal'] === 'volunteered' || fact['weight'] === 0) return;
    const id = String(fact['id']);
    if (told.has(id)) return;
    const place = scenario.source.locate(['facts', index]);
    const shown =
      JSON.stringify([scenario.template['tools'], scenario.template['person']]).includes(`"reveals":[`) ||
      Object.keys(scenario.code).length > 0;
    if (fact['reveal'] === 'hidden' && !shown)
      faults.add(`Nobody can learn "${id}": it is hidden, and no tool reveals it.`, place);
    else if (fact['reveal'] !== 'hidden' && !('ask' in fact))
      faults.add(`Nobody can learn "${id}": it has no words to ask for it ("ask").`, place);
    else faults.add(`The gold path never learns "${id}". Ask for it there, or take the fact away.`, place);
  });
}

/** Criteria that change nothing, whatever happens. */
function checkMatter(
  scenario: Scenario,
  fired: ReadonlySet<string>,
  to: { readonly faults: Findings; readonly hints: Findings },
): void {
  const criteria = isJsonObject(scenario.template['criteria']) ? scenario.template['criteria'] : {};
  for (const [group, list] of Object.entries(criteria))
    listOf(list).forEach((one, index) => {
      if (!isJsonObject(one)) return;
      const place = scenario.source.locate(['criteria', group, index]);
      const id = String(one['id']);
      if (one['weight'] === 0 || one['penalty'] === 0)
        to.faults.add(`"${id}" never matters: its weight is 0.`, place);
      else if (!('check' in one) && !('judge' in one) && !('levels' in one) && group !== 'terminology')
        to.faults.add(`"${id}" never matters: it has neither a check nor a judge.`, place);
      else if (
        group === 'rubrics' &&
        Array.isArray(one['levels']) &&
        new Set(listOf(one['levels']).map((level) => (isJsonObject(level) ? level['score'] : 0))).size < 2 &&
        !('judge' in one)
      )
        to.faults.add(`"${id}" never matters: its levels all have the same score.`, place);
      else if (['failure', 'scope', 'terminology'].includes(group) && !('judge' in one) && !fired.has(id))
        to.hints.add(
          `No path in paths.yaml shows that "${id}" matters. Write a flawed one that breaks it.`,
          place,
        );
    });
}

/** Answers that stand in the briefing already. */
function leaksIn(task: Task): readonly { readonly fact: string; readonly message: string }[] {
  const read = ` ${wordsOf(task.opening.content.toLowerCase()).join(' ')} `;
  return task.facts.flatMap((fact) => {
    if (fact.reveal === 'volunteered') return [];
    const leaked = [fact.says, fact.is].find((text) => {
      const words = wordsOf(text.toLowerCase());
      return words.length >= 4 && read.includes(` ${words.join(' ')} `);
    });
    return leaked === undefined
      ? []
      : [{ fact: fact.id, message: `The briefing gives "${fact.id}" away: "${leaked}" stands in it.` }];
  });
}

function placeOfFact(scenario: Scenario, id: string): readonly (string | number)[] {
  return [
    'facts',
    Math.max(
      0,
      listOf(scenario.template['facts']).findIndex((fact) => isJsonObject(fact) && fact['id'] === id),
    ),
  ];
}

/** `count` numbers from 0 to `total` - 1, spread evenly, 0 among them. */
function spread(total: number, count: number): readonly number[] {
  const many = Math.max(1, Math.min(total, count));
  return Array.from({ length: many }, (_, index) => Math.floor((index * total) / many));
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The same finding in many variants is one finding, with the first of them. */
class Findings {
  readonly #found = new Map<string, Finding & { count: number }>();

  add(message: string, place: Place, variant?: number): void {
    const key = `${place.file}:${place.line}:${message.replace(/[\d.]+/g, '#').slice(0, 60)}`;
    const known = this.#found.get(key);
    if (known) known.count++;
    else this.#found.set(key, { message, place, count: 1, ...(variant === undefined ? {} : { variant }) });
  }

  all(): readonly Finding[] {
    return [...this.#found.values()].map(({ count, ...finding }) =>
      count > 1 ? { ...finding, message: `${finding.message} (in ${count} variants)` } : finding,
    );
  }
}

class Spans {
  readonly #spans = new Map<string, { lowest: number; highest: number }>();

  add(id: string, reward: number): void {
    const span = this.#spans.get(id);
    if (!span) this.#spans.set(id, { lowest: reward, highest: reward });
    else {
      span.lowest = Math.min(span.lowest, reward);
      span.highest = Math.max(span.highest, reward);
    }
  }

  all(): readonly Span[] {
    return [...this.#spans].map(([id, span]) => ({ id, ...span }));
  }
}
