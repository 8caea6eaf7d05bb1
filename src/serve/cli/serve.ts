import { Command, Option } from 'commander';

import { systemClock } from '../../base/host/clock.ts';
import { limits } from '../api/limit.ts';
import { jsonLog, noLog, writeByRound } from '../http/log.ts';
import type { RewardMode } from '../http/context.ts';
import type { Protocol } from '../server/app.ts';
import { startServer } from '../server/server.ts';
import { pageFolder } from '../terminal/bundled.ts';
import { loadPlayers } from '../terminal/load-players.ts';
import { openData, withData } from '../terminal/option/data-option.ts';
import { offerCatalog, tellFaults } from './offer-catalog.ts';
import { atLeastOne, port, positive } from '../terminal/option/option.ts';
import { judgeOf, withJudge, type JudgeFlags } from '../terminal/option/judge-option.ts';
import { personOf, withPerson, type PersonFlags } from '../terminal/option/person-option.ts';
import { scenarioFolder } from '../terminal/scenario-folder.ts';
import { stopSignal } from '../terminal/stop-signal.ts';

interface ServeOptions extends PersonFlags, JudgeFlags {
  readonly port: number;
  readonly host: string;
  readonly data: string;
  readonly scenarios?: string;
  readonly page?: string;
  readonly open?: boolean;
  readonly rateLimit?: number;
  readonly protocol: Protocol;
  readonly rewardMode: RewardMode;
  readonly hud?: number;
  readonly hudOpen?: boolean;
  readonly players?: string;
  readonly trainer?: readonly string[];
  readonly idleHours: number;
  readonly log: 'json' | 'none';
}

export function command(): Command {
  const serving = withData(new Command('serve'))
    .summary('start the reward server with its page')
    .description(
      'Starts the reward server: the Labs API under /api/v1, and the page at /.\nOn 127.0.0.1 it needs no key, until one is made with `whet keys create`.',
    )
    .option('--port <number>', 'port to listen on; 0 takes a free one', port, 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option('--page <folder>', 'folder of the built page (default: the bundled one)')
    .option('--open', 'need no key on loopback, even if keys were made')
    .option(
      '--rate-limit <number>',
      'requests per minute while no key is needed (default: no limit)',
      atLeastOne,
    )
    .addOption(
      new Option(
        '--protocol <name>',
        'which protocol is at the root; /api/v1, /ors, /openenv and /nemo-gym are always there',
      )
        .choices(['labs', 'ors', 'openenv', 'nemo-gym'])
        .default('labs'),
    )
    .addOption(
      new Option('--reward-mode <mode>', 'when trainers are told the reward')
        .choices(['final', 'delta', 'running'])
        .default('final'),
    )
    .option('--hud <port>', "serve HUD's control channel on this port too; 0 takes a free one", port)
    .option(
      '--hud-open',
      'HUD listens on --host although keys are needed: anyone who reaches its port can play',
    )
    .option('--players <module>', 'agents that play trials of trainers here: each function that it exports')
    .option(
      '--trainer <host...>',
      'hosts, in addition to this machine, where such a trial may find its model',
    )
    .option('--idle-hours <number>', 'hours after which an idle episode is ended', positive, limits.idleHours)
    .addOption(
      new Option('--log <kind>', 'what to write to stderr').choices(['json', 'none']).default('json'),
    );
  return withJudge(withPerson(serving)).action(async (options: ServeOptions) => serve(options));
}

async function serve(options: ServeOptions): Promise<void> {
  const stopped = stopSignal(); // Heard from now on, so that nothing printed below comes too early.
  const page = pageFolder(options.page);
  const person = await personOf(options);
  const judge = await judgeOf(options);
  const players = options.players === undefined ? undefined : await loadPlayers(options.players);
  const catalog = offerCatalog(scenarioFolder(options.scenarios));
  await using store = await openData(options.data);
  const log =
    options.log === 'none'
      ? noLog
      : jsonLog(
          writeByRound((text) => process.stderr.write(text)),
          () => systemClock.now(),
        );
  const server = await startServer({
    store,
    catalog,
    host: options.host,
    port: options.port,
    ...(page !== undefined && { page }),
    ...(options.open && { open: true }),
    ...(options.rateLimit !== undefined && { rateLimit: options.rateLimit }),
    protocol: options.protocol,
    rewardMode: options.rewardMode,
    ...(options.hud !== undefined && { hud: options.hud }),
    ...(options.hudOpen && { hudOpen: true }),
    ...(players && { players }),
    ...(options.trainer && { trainers: options.trainer }),
    idleMs: options.idleHours * 3_600_000,
    ...person,
    ...(judge && { judge }),
    log,
  });
  const keys = server.open ? 'without keys: everyone who uses this machine is the local person' : 'with keys';
  console.error(`Whetstone listens on ${server.url} (${keys}). Data: ${store.place}. Stop with Ctrl-C.`);
  console.log(JSON.stringify({ url: server.url, open: server.open, hud_port: server.hudPort }));
  using _ = tellFaults(catalog);
  await stopped;
  log('info', 'stopping', {});
  await server.close();
}
