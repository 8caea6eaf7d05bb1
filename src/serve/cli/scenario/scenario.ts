import { Command } from 'commander';

import { loadCatalog } from '../../../grade/scenario/load/catalog.ts';
import { formatDiagnostic } from '../../../grade/scenario/diagnostic.ts';
import { buildTask } from '../../../grade/scenario/build-task.ts';
import { judgeOf, withJudge, type JudgeFlags } from '../../terminal/option/judge-option.ts';
import { personOf, withPerson, type PersonFlags } from '../../terminal/option/person-option.ts';
import { atLeastOne, whole } from '../../terminal/option/option.ts';
import { printAttack, type AttackFlags } from './scenario-attack.ts';
import { checkScenarios, pageVariants, strictVariants } from './scenario-check.ts';
import type { CheckFlags } from './scenario-check.ts';
import { playInTerminal } from './scenario-play.ts';
import { printAgreement } from './scenario-agree.ts';
import { printQuestions, type QuestionsFlags } from './scenario-questions.ts';
import { printTable, type TableFlags } from './scenario-table.ts';
import { openScenario, scenarioFolder } from '../../terminal/scenario-folder.ts';
import { createScenario } from './scenario-new.ts';

interface Flags extends PersonFlags, JudgeFlags {
  readonly scenarios?: string;
  readonly variant?: number;
  readonly seed?: number;
}

export function command(): Command {
  const scenario = new Command('scenario').description('Write, check, look at and play scenarios.');
  const withFolder = (command: Command) =>
    command.option(
      '--scenarios <folder>',
      'folder of collections (default: ./scenarios, else the bundled ones)',
    );
  withFolder(scenario.command('list').description('List all scenarios, as JSON.')).action(list);
  scenario
    .command('new')
    .description('Begin a scenario: a folder with everything in it, which passes the check.')
    .argument('<folder>', 'where, such as scenarios/my-collection/my-scenario')
    .option('--typescript', 'write it in TypeScript: right answers are calculated, and a tool is a function')
    .action(createScenario);
  withFolder(
    scenario
      .command('check')
      .description('Play the written paths and twelve built-in cheats, and look for what cannot work.')
      .argument('[names...]', 'collection/name, collection, or the path of a folder; everything when absent')
      .option(
        '--variants <count>',
        `how many variants to play, from the first (default: 64, and ${pageVariants} of a page)`,
        atLeastOne,
      )
      .option(
        '--strict',
        `play ${strictVariants} variants where the world is not a page, and refuse warnings too`,
      )
      .option(
        '--results <file>',
        'add a line of JSON for each scenario as it is checked; what the file lists as sound and has not changed is not checked again',
      ),
  ).action((names: readonly string[], flags: CheckFlags) => checkScenarios(names, flags));
  withFolder(
    scenario
      .command('table')
      .description(
        'Print a page with a row for each scenario: how many distinct right answers there are, how far one fact or a fixed interview gets, and what operators of rising skill earn. Takes some seconds for each.',
      )
      .argument('[names...]', 'collection/name, collection, or the path of a folder; everything when absent')
      .option('--variants <count>', 'how many variants the operators play', atLeastOne, 64),
  ).action((names: readonly string[], flags: TableFlags) => printTable(names, flags));
  withFolder(
    scenario
      .command('attack')
      .description(
        'Search for a reward without any work: the built-in cheats, then transcripts of empty words and calls that are changed step by step and kept when they earn more. Prints the best one, as short as possible, with what it was paid for and the line to correct.\nExit code 1 when it earns more than a scenario may pay.',
      )
      .argument('<name>', 'collection/name, or the path of its folder')
      .option('--transcripts <count>', 'how many to try', atLeastOne, 10_000)
      .option('--variant <number>', 'only this variant (default: one after the other)', whole)
      .option('--seed <number>', 'another seed tries others', whole, 0)
      .option('--json', 'print one line of JSON'),
  ).action((name: string, flags: AttackFlags) => printAttack(openScenario(name, flags.scenarios), flags));
  withFolder(
    scenario
      .command('questions')
      .description(
        'Propose questions and near misses for each fact, as YAML for questions.yaml, and mark those that the person does not understand as they are meant. A model writes them from what the facts say; without one, a few come from the patterns.',
      )
      .argument('<name>', 'collection/name, or the path of its folder')
      .option('--model <name>', 'who writes them: provider/model, or "mock" with --script')
      .option('--base-url <url>', 'another address of the provider, such as a local server')
      .option('--script <file>', 'what the model "mock" answers, as YAML or JSON')
      .option('--count <number>', 'how many of each per fact', atLeastOne, 5)
      .option('--seconds <number>', 'how long all of it may take', atLeastOne, 120),
  ).action((name: string, flags: QuestionsFlags) =>
    printQuestions(openScenario(name, flags.scenarios), flags),
  );
  withFolder(
    scenario
      .command('show')
      .description('Print one task of a scenario as its author sees it, answers included.')
      .argument('<name>', 'collection/name, or the path of its folder')
      .option('--variant <number>', 'which variant', whole, 0)
      .option('--seed <number>', "the person's seed", whole, 0),
  ).action(show);
  withJudge(
    withPerson(
      withFolder(
        scenario
          .command('play')
          .description('Be the operator yourself, in the terminal.')
          .argument('<name>', 'collection/name, or the path of its folder')
          .option('--variant <number>', 'which variant', whole, 0)
          .option('--seed <number>', "the person's seed", whole, 0),
      ),
    ),
  ).action(async (name: string, flags: Flags) => {
    const by = { ...(await personOf(flags)), judge: await judgeOf(flags) };
    const scenario = openScenario(name, flags.scenarios);
    await playInTerminal(buildTask(scenario, flags.variant, flags.seed), by);
  });
  withJudge(
    withFolder(
      scenario
        .command('agree')
        .description(
          'Let a judge judge the conversations that people have labelled (labels.yaml), and print how far the two agree.',
        )
        .argument('<name>', 'collection/name, or the path of its folder'),
    ),
  ).action((name: string, flags: Flags) => printAgreement(openScenario(name, flags.scenarios), flags));
  return scenario;
}

function list(flags: Flags): void {
  const catalog = loadCatalog(scenarioFolder(flags.scenarios));
  for (const fault of catalog.faults) console.error(formatDiagnostic(fault));
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

function show(name: string, flags: Flags): void {
  const task = buildTask(openScenario(name, flags.scenarios), flags.variant, flags.seed);
  console.log(JSON.stringify(task, undefined, 2));
}
