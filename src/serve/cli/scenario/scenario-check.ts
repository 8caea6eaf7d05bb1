import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { buildTask } from '../../../grade/scenario/build-task.ts';
import { findScenario, loadCatalog } from '../../../grade/scenario/load/catalog.ts';
import type { Collection } from '../../../grade/scenario/load/collection.ts';
import { readScenario } from '../../../grade/scenario/load/read-scenario.ts';
import type { Scenario } from '../../../grade/scenario/scenario.ts';
import type { Diagnostic } from '../../../grade/scenario/diagnostic.ts';
import { formatLocation } from '../../../grade/scenario/diagnostic.ts';
import { PageStage } from '../../../grade/play/page/page-stage.ts';
import { actPaths } from '../../../grade/check/act-paths.ts';
import { checkCollection } from '../../../grade/check/check-collection.ts';
import { sayMissed } from '../../../grade/check/check-facts.ts';
import { checkScenario } from '../../../grade/check/check-scenario.ts';
import type { AnswerMeasure } from '../../../grade/check/by-heart/measure-answers.ts';
import type { PersonMeasure } from '../../../grade/check/measure-person.ts';
import type { Finding, ScenarioReport, Span } from '../../../grade/check/report.ts';
import { systemClock } from '../../../base/host/clock.ts';
import { CheckProgress } from './check-progress.ts';
import { CheckResults, hashOf, tableOf, type CheckedScenario } from './check-results.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { folderNamed, partsOf, scenarioFolder, splitName } from '../../terminal/scenario-folder.ts';

/** This many variants show what neighbours that differ in every axis can show; some scenarios have thousands. */
export const strictVariants = 512;

/** Of a page each path is walked in a browser, which takes seconds. */
export const pageVariants = 8;

export interface CheckFlags {
  readonly scenarios?: string;
  readonly variants?: number;
  readonly strict?: boolean;
  readonly results?: string;
}

/** Checks what was named, or everything: findings go to standard error as they come, the reports as JSON to standard output. */
export async function checkScenarios(names: readonly string[], flags: CheckFlags): Promise<void> {
  await using stage = new PageStage();
  const results = flags.results === undefined ? undefined : new CheckResults(flags.results);
  const all: CheckedScenario[] = [];
  let faults = 0;
  let warnings = 0;
  const fault = (finding: Finding) => {
    sayFinding(finding);
    faults++;
  };
  for (const found of findAll(names, flags.scenarios)) {
    found.faults.forEach(fault);
    for (const scenario of found.scenarios) {
      const variants = countFor(scenario, flags);
      const before = results?.find(scenario, { variants, strict: flags.strict === true });
      const checked = before ?? (await checkOne(scenario, { variants, stage }));
      const { report } = checked;
      all.push(checked);
      if (before) console.error(`${report.scenario}: unchanged since its last check`);
      else {
        results?.add(checked);
        printReport(report);
      }
      report.faults.forEach(fault);
      for (const warning of report.warnings) sayFinding(warning, flags.strict ? '' : 'warning: ');
      warnings += report.warnings.length;
    }
    for (const shelf of found.shelves) checkCollection(shelf).forEach(fault);
  }
  if (all.length > 1) console.error(`\n${tableOf(all)}\n`);
  if (flags.strict) faults += warnings;
  console.error(
    [
      `${count(all.length, 'scenario')}, ${faults === 0 ? 'no faults' : count(faults, 'fault')}`,
      ...(warnings === 0 || flags.strict ? [] : [`${count(warnings, 'warning')} (--strict refuses them)`]),
    ].join(', ') + '.',
  );
  console.log(
    JSON.stringify({ ok: faults === 0, faults, warnings, scenarios: all.map(({ report }) => report) }),
  );
  if (faults > 0) process.exitCode = exitCode.no;
}

async function checkOne(
  scenario: Scenario,
  { variants, stage }: { readonly variants: number; readonly stage: PageStage },
): Promise<CheckedScenario> {
  const began = systemClock.monotonic();
  const of = hashOf(scenario);
  const progress = new CheckProgress(`${scenario.collection}/${scenario.slug}`);
  const acted = await actPaths(scenario, { variants, stage, paths: 'all' });
  const report = checkScenario(scenario, { variants, acted, onStep: (says) => progress.say(says) });
  progress.clear();
  return { of, seconds: (systemClock.monotonic() - began) / 1000, report };
}

function countFor(scenario: Scenario, { variants, strict }: CheckFlags): number {
  if (buildTask(scenario, 0).page !== undefined) return variants ?? pageVariants;
  return Math.max(variants ?? 64, strict ? strictVariants : 0);
}

/** What each name refers to; everything goes collection by collection, so that none is kept longer than its check. */
function* findAll(names: readonly string[], folder: string | undefined): Generator<Found> {
  for (const name of names) yield findScenarios(name, folder);
  if (names.length > 0) return;
  const { directory, collections, misplaced } = loadCatalog(scenarioFolder(folder));
  yield { scenarios: [], faults: misplaced, shelves: [] };
  for (const { slug } of collections) yield findScenarios(join(directory, slug), folder);
}

interface Found {
  readonly scenarios: readonly Scenario[];
  readonly faults: readonly Diagnostic[];
  /** Collections that were named as a whole. */
  readonly shelves: readonly Collection[];
}

/** The path of a scenario's folder or of a collection's, or `collection/name`, or `collection`, or nothing for all. */
export function findScenarios(name: string, folder: string | undefined): Found {
  const path = resolve(name);
  const own = folderNamed(name);
  if (own !== undefined) {
    const read = readScenario(own, { collection: basename(dirname(own)), scenario: basename(own) });
    return { scenarios: read.scenario ? [read.scenario] : [], faults: read.faults, shelves: [] };
  }
  const isShelf = name !== '' && existsSync(join(path, 'collection.yaml'));
  const catalog = loadCatalog(isShelf ? dirname(path) : scenarioFolder(folder));
  const parts = partsOf(name);
  const [collection = '', one] = isShelf ? [basename(path)] : parts.length === 1 ? parts : splitName(name);
  if (collection === '') {
    const scenarios = catalog.collections.flatMap((shelf) => shelf.scenarios);
    return { scenarios, faults: catalog.faults, shelves: catalog.collections };
  }
  const shelf = catalog.collections.find(({ slug }) => slug === collection);
  if (shelf === undefined || (one !== undefined && !shelf.slugs.includes(one)))
    // Says what there is, and which is the nearest.
    return { scenarios: [findScenario(catalog, collection, one ?? '')], faults: [], shelves: [] };
  if (one === undefined) return { scenarios: shelf.scenarios, faults: shelf.faults, shelves: [shelf] };
  const read = shelf.read(one);
  return { scenarios: read.scenario ? [read.scenario] : [], faults: read.faults, shelves: [] };
}

function printReport(report: ScenarioReport): void {
  const spans = (list: readonly Span[]) =>
    list
      .map(
        ({ id, lowest, highest }) =>
          `${id} ${lowest.toFixed(2)}${highest > lowest ? `–${highest.toFixed(2)}` : ''}`,
      )
      .join(', ');
  console.error(`${report.scenario}: ${report.variantsChecked} of ${report.variants} variants`);
  if (report.variantsChecked === 0) return;
  console.error(`  paths: ${spans(report.paths)}`);
  console.error(`  cheats: ${spans(report.exploits)}`);
  const deciders = [...Map.groupBy(report.deciders, ({ by }) => by)];
  if (deciders.length > 0)
    console.error(
      `  criteria: ${deciders.map(([by, list]) => `${by}: ${[...new Set(list.map(({ criterion }) => criterion))].join(', ')}`).join('; ')}`,
    );
  if (report.askable === 0)
    console.error('  person: tells nothing when asked, so there is nothing to measure');
  if (report.person) {
    const { questions, answered, nearMisses, falseReveals } = report.person;
    console.error(
      `  person: understands ${answered} of ${questions} questions, ${falseReveals} of ${nearMisses} near misses draw something out`,
    );
    // Where too many are missed, each is a fault, with what to do about it.
    if (report.faults.length === 0) sayFailures(report.person);
  }
  if (report.answers) console.error(sayAnswers(report.answers));
}

/** Of so many facts one sentence each gives an idea of what is missed. */
const shownFacts = 3;

/** Some of what a person that is good enough missed, or told though nobody asked for it: the JSON has all. */
function sayFailures({ failures }: PersonMeasure): void {
  const missed = failures.filter(({ told, fact }) => !told.includes(fact));
  const drawn = failures.filter(({ told, fact }) => told.includes(fact));
  const lines = [
    ...firstOfEachFact(missed).map(sayMissed),
    ...firstOfEachFact(drawn).map(({ text, fact }) => `The near miss "${text}" draws "${fact}" out.`),
  ];
  for (const line of lines) console.error(`    ${line}`);
  const more = failures.length - lines.length;
  if (more > 0) console.error(`    … and ${more} more, in "person.failures" of the JSON on standard output.`);
}

function firstOfEachFact(failures: PersonMeasure['failures']): PersonMeasure['failures'] {
  const byFact = Map.groupBy(failures, ({ fact }) => fact);
  return [...byFact.values()].slice(0, shownFacts).map(([first]) => first!);
}

/** How far a scenario can be learned by heart. */
function sayAnswers({ distinct, fact, accuracy, constant, skills }: AnswerMeasure): string {
  const means = Object.entries(skills).map(([name, mean]) => `${name.replace('_', ' ')} ${mean.toFixed(2)}`);
  const told = fact === undefined ? '' : `, ${accuracy.toFixed(2)} by "${fact}" alone`;
  return `  answers: ${distinct} or more distinct; decision ${constant.toFixed(2)} by the best constant${told}; means: ${means.join(', ')}`;
}

function sayFinding({ place, message, variant }: Finding, kind = ''): void {
  const short = relative('.', place.file);
  const where = formatLocation(place, short.startsWith('..') ? place.file : short);
  console.error(`${where}: ${kind}${message}${variant === undefined ? '' : ` [variant ${variant}]`}`);
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
}
