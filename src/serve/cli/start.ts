import { Command } from 'commander';

import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import type { Catalog } from '../../grade/scenario/load/catalog.ts';
import { readQuestions } from '../../grade/scenario/load/questions.ts';
import { buildTask } from '../../grade/scenario/build-task.ts';
import type { Task } from '../../grade/scenario/task.ts';
import { connect } from '../client/client.ts';
import { startServer, type RunningServer, type ServerOptions } from '../server/server.ts';
import { pageFolder } from '../terminal/bundled.ts';
import { openData, withData } from '../terminal/option/data-option.ts';
import { operatorTable, playOperators, worstReason } from './demo.ts';
import { offerCatalog, tellFaults } from './offer-catalog.ts';
import { port } from '../terminal/option/option.ts';
import { commandName } from '../terminal/command-name.ts';
import { scenarioFolder } from '../terminal/scenario-folder.ts';
import { stopSignal } from '../terminal/stop-signal.ts';

interface StartOptions {
  readonly port: number;
  readonly data: string;
  readonly scenarios?: string;
  readonly page?: string;
}

const defaultPort = 4170;
/** How many ports after a taken one are tried. */
const portsToTry = 20;

export function command(): Command {
  return withData(new Command('start'))
    .description(
      'Starts the server with its page, plays four built-in operators through the scenarios of a train split, and says what to try next. Needs no key; on this machine only.',
    )
    .option(
      '--port <number>',
      'port to listen on, or the next one if it is taken; 0 takes any',
      port,
      defaultPort,
    )
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option('--page <folder>', 'folder of the built page (default: the bundled one)')
    .action(async (options: StartOptions) => start(options));
}

async function start(options: StartOptions): Promise<void> {
  const stopped = stopSignal(); // Heard from now on, so that nothing printed below comes too early.
  const page = pageFolder(options.page);
  const catalog = offerCatalog(scenarioFolder(options.scenarios));
  await using store = await openData(options.data);
  await using server = await startOnFreePort({
    store,
    catalog,
    port: options.port,
    open: true, // It listens on this machine only.
    log: (_, event, { message }) => {
      if (event === 'scenario_fault') console.error(`whet: ${message}`);
    },
    ...(page === undefined ? {} : { page }),
  });
  const client = connect({ url: server.url });
  const tasks = demoTasks(catalog);
  const performances = await playOperators(client, tasks);
  const worst = worstReason(performances);
  const { collection, scenario } = tasks[0]!.reference;
  const whet = commandName();
  console.log(`
Four built-in operators played ${tasks.length} tasks of ${collection}:

${operatorTable(performances)}
${worst === undefined ? '' : `\n${worst}\n`}
The page: ${server.url}
Episodes are kept in ${options.data}. Stop with Ctrl-C.

Try next:
  1. Open the page: Runs compares the four, and an episode shows each call, each fact missed, each reason.
     Or ask as a trainer would: curl -s ${server.url}/api/v1/catalog/${collection}/${scenario}
  2. Play it yourself: ${whet} scenario play ${collection}/${scenario}
  3. Let a model play it: ${whet} run ${collection}/${scenario} --model openai/gpt-…
`);
  if (page === undefined)
    console.error('whet: the page is not built, so only the API is served: npm run build');
  using _ = tellFaults(catalog);
  await stopped;
}

/** The first free port from the wanted one on; says so when that is another. */
async function startOnFreePort(options: ServerOptions & { readonly port: number }): Promise<RunningServer> {
  const { port: wanted } = options;
  for (let tried = wanted; ; tried++) {
    try {
      const server = await startServer({ ...options, port: tried });
      if (tried !== wanted) console.error(`whet: port ${wanted} is taken, so this is on ${tried}.`);
      return server;
    } catch (error) {
      const taken = isWhetstoneError(error) && error.code === 'address_taken';
      if (!taken || tried >= Math.min(wanted + portsToTry, 65_535)) throw error;
    }
  }
}

/** How many variants of each scenario. */
const variants = 3;

/** What can be played of the train split of the first bundled collection, or where the user brought others, of the first that has something. */
function demoTasks(catalog: Catalog): readonly Task[] {
  const known = catalog.collections.toSorted((one) => (one.slug === 'case-management' ? -1 : 0));
  for (const { slugs, splits, read } of known) {
    const found = (splits['train'] ?? slugs).flatMap((slug) => {
      const { scenario } = read(slug);
      return scenario && readQuestions(scenario).faults.length === 0 ? [scenario] : [];
    });
    if (found.length > 0)
      return found.flatMap((scenario) =>
        Array.from({ length: Math.min(variants, scenario.variants) }, (_, variant) =>
          buildTask(scenario, variant),
        ),
      );
  }
  throw new WhetstoneError('scenario_unknown', `No scenario in ${catalog.directory} can be played.`, {
    details: { directory: catalog.directory, faults: catalog.faults.length },
  });
}
