import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { Command } from 'commander';

import { WhetstoneError } from '../../base/host/errors.ts';
import { loadCatalog } from '../../grade/scenario/catalog.ts';
import { readScenario } from '../../grade/scenario/read-scenario.ts';
import type { Scenario } from '../../grade/scenario/read-scenario.ts';
import { taskOf } from '../../grade/scenario/task-of.ts';
import type { Place } from '../../grade/scenario/place.ts';
import { checkCollection } from '../../grade/score/check-collection.ts';
import { checkScenario } from '../../grade/score/check-scenario.ts';
import type { ScenarioReport, Span } from '../../grade/score/check-scenario.ts';
import { exitCode } from './exit-code.ts';
import { judgeOf, withJudge, type JudgeFlags } from './judge-option.ts';
import { voiceOf, withPerson, type PersonFlags } from './person-option.ts';
import { playInTerminal } from './scenario-play.ts';
import { printAgreement } from './scenario-agree.ts';
import { openScenario, scenarioFolder } from './scenario-folder.ts';
import { newScenarioFiles } from './scenario-template.ts';

interface Flags extends PersonFlags, JudgeFlags {
  readonly scenarios?: string;
  readonly variants?: string;
  readonly variant?: string;
  readonly seed?: string;
}

export function command(): Command {
  const scenario = new Command('scenario').description('Write, check, look at and play scenarios.');
  const withFolder = (command: Command) =>
    command.option(
      '--scenarios <folder>',
      'folder of collections (default: ./scenarios, else the bundled ones)',
    );
  withFolder(scenario.command('list').description('List what there is, as JSON.')).action(list);
  scenario
    .command('new')
    .description('Begin a scenario: a folder with everything in it, which passes the check.')
    .argument('<folder>', 'where, such as scenarios/my-collection/my-scenario')
    .action(create);
  withFolder(
    scenario
      .command('check')
      .description('Play the written paths and twelve built-in cheats, and look for what cannot work.')
      .argument('[names...]', 'collection/name, collection, or the path of a folder; everything when absent')
      .option('--variants <count>', 'how many variants to play, spread evenly (default: 64)'),
  ).action(check);
  withFolder(
    scenario
      .command('show')
      .description('Print one task of a scenario as its author sees it, answers included.')
      .argument('<name>', 'collection/name, or the path of its folder')
      .option('--variant <number>', 'which variant', '0')
      .option('--seed <number>', "the person's seed", '0'),
  ).action(show);
  withJudge(
    withPerson(
      withFolder(
        scenario
          .command('play')
          .description('Be the operator yourself, in the terminal.')
          .argument('<name>', 'collection/name, or the path of its folder')
          .option('--variant <number>', 'which variant', '0')
          .option('--seed <number>', "the person's seed", '0'),
      ),
    ),
  ).action(async (name: string, flags: Flags) => {
    const by = { voice: voiceOf(flags), judge: judgeOf(flags) };
    const scenario = openScenario(name, flags.scenarios);
    await playInTerminal(taskOf(scenario, Number(flags.variant), Number(flags.seed)), by);
  });
  withJudge(
    withFolder(
      scenario
        .command('agree')
        .description(
          'Ask a judge of the conversations that people have labelled (labels.yaml), and print how far the two agree.',
        )
        .argument('<name>', 'collection/name, or the path of its folder'),
    ),
  ).action((name: string, flags: Flags) => printAgreement(openScenario(name, flags.scenarios), flags));
  return scenario;
}

function list(flags: Flags): void {
  const catalog = loadCatalog(scenarioFolder(flags.scenarios));
  for (const fault of catalog.faults) console.error(`${at(fault.place)}: ${fault.message}`);
  console.log(
    JSON.stringify(
      catalog.collections.map(({ slug, name, splits, scenarios }) => ({
        slug,
        name,
        splits,
        scenarios: scenarios.map((one) => ({
          slug: one.slug,
          name: one.name,
          shape: one.shape,
          version: one.version,
          variants: one.variants,
        })),
      })),
    ),
  );
}

function create(folder: string): void {
  const target = resolve(folder);
  if (existsSync(join(target, 'scenario.yaml')))
    throw new WhetstoneError('usage', `${folder} holds a scenario already. Choose another folder.`);
  mkdirSync(target, { recursive: true });
  for (const [file, text] of Object.entries(newScenarioFiles(basename(target))))
    writeFileSync(join(target, file), text);
  const shelf = join(dirname(target), 'collection.yaml');
  if (!existsSync(shelf))
    writeFileSync(
      shelf,
      `name: ${basename(dirname(target))}\ndescription: What these scenarios are about.\nsplits:\n  train: [${basename(target)}]\n`,
    );
  console.error(
    `Written to ${folder}. Next:\n  whet scenario check ${folder}\n  whet scenario play ${folder}`,
  );
}

function check(given: readonly string[], flags: Flags): void {
  const names = given.length > 0 ? given : [''];
  const variants = Number(flags.variants ?? 64);
  const reports: ScenarioReport[] = [];
  let faults = 0;
  const say = (place: Place, text: string) => console.error(`${at(place)}: ${text}`);
  const judge = (scenario: Scenario) => {
    const report = checkScenario(scenario, { variants });
    reports.push(report);
    faults += report.faults.length;
    printReport(report, say);
  };
  for (const name of names) {
    if (existsSync(join(name, 'scenario.yaml'))) {
      const folder = resolve(name);
      const read = readScenario(folder, {
        collection: basename(dirname(folder)),
        scenario: basename(folder),
      });
      for (const fault of read.faults) say(fault.place, fault.message);
      faults += read.faults.length;
      if (read.scenario) judge(read.scenario);
      continue;
    }
    const isShelf = existsSync(join(name, 'collection.yaml'));
    const folder = isShelf ? dirname(resolve(name)) : scenarioFolder(flags.scenarios);
    const [collection, one] = isShelf ? [basename(resolve(name))] : name.split('/');
    const catalog = loadCatalog(folder);
    const inside = join(folder, ...[collection ?? '', one ?? ''].filter((part) => part !== ''));
    for (const fault of catalog.faults.filter((known) => known.place.file.startsWith(inside))) {
      say(fault.place, fault.message);
      faults++;
    }
    const shelves = catalog.collections.filter((shelf) => !collection || shelf.slug === collection);
    const chosen = shelves.flatMap((shelf) =>
      shelf.scenarios.filter((scenario) => !one || scenario.slug === one),
    );
    if (chosen.length === 0 && faults === 0)
      throw new WhetstoneError('scenario_unknown', `There is nothing called "${name}" in ${folder}.`);
    chosen.forEach(judge);
    if (!one)
      for (const shelf of shelves)
        for (const finding of checkCollection(shelf)) {
          say(finding.place, finding.message);
          faults++;
        }
  }
  console.error(
    faults === 0
      ? `${reports.length} scenario${reports.length === 1 ? '' : 's'}, no faults.`
      : `${faults} fault${faults === 1 ? '' : 's'}.`,
  );
  console.log(JSON.stringify({ ok: faults === 0, faults, scenarios: reports }));
  if (faults > 0) process.exitCode = exitCode.no;
}

function printReport(report: ScenarioReport, say: (place: Place, text: string) => void): void {
  const spans = (list: readonly Span[]) =>
    list
      .map(
        (span) =>
          `${span.id} ${round(span.lowest)}${span.highest > span.lowest ? `–${round(span.highest)}` : ''}`,
      )
      .join(', ');
  console.error(`${report.scenario}: ${report.variantsChecked} of ${report.variants} variants`);
  console.error(`  paths: ${spans(report.paths)}`);
  console.error(`  cheats: ${spans(report.exploits)}`);
  if (report.person) {
    const { questions, answered, nearMisses, falseReveals } = report.person;
    console.error(
      `  person: understands ${answered} of ${questions} questions, ${falseReveals} of ${nearMisses} near misses draw something out`,
    );
  }
  for (const fault of report.faults)
    say(fault.place, `${fault.message}${fault.variant === undefined ? '' : ` [variant ${fault.variant}]`}`);
  for (const hint of report.hints) say(hint.place, `hint: ${hint.message}`);
}

function show(name: string, flags: Flags): void {
  const task = taskOf(openScenario(name, flags.scenarios), Number(flags.variant), Number(flags.seed));
  console.log(JSON.stringify(task, undefined, 2));
}

function at(place: Place): string {
  const short = relative('.', place.file);
  return `${short.startsWith('..') ? place.file : short}:${place.line}:${place.column}`;
}

function round(value: number): string {
  return value.toFixed(2);
}
