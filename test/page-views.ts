import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { buildPage } from '../scripts/build-page.ts';
import { buildTask } from '../src/grade/scenario/build-task.ts';
import { findScenario, loadCatalog } from '../src/grade/scenario/load/catalog.ts';
import { playOperators } from '../src/serve/cli/demo.ts';
import { connect } from '../src/serve/client/client.ts';
import { bundled } from '../src/serve/terminal/bundled.ts';
import { keepFilm } from './film.ts';
import { hostile, keepHostileLog, keepHostileScenario, longName, playHostile } from './hostile.ts';
import { startWhet, type WhetProcess } from './whet-process.ts';

/** A server with something on each of its views, and `whet view` of a folder of logs; much of both is hostile. */
export interface PageViews {
  readonly server: WhetProcess;
  readonly logs: WhetProcess;
  /** Each by its name, with its address. */
  readonly views: ReadonlyMap<string, string>;
}

export async function startViews(folder: string): Promise<PageViews> {
  await buildPage();
  await keepFilm(join(folder, 'logs', 'shopping'));
  await keepFilm(join(folder, 'logs', 'hostile'), { typed: hostile, failure: hostile, url: hostile });
  keepHostileLog(join(folder, 'logs', 'long.jsonl'));
  const room = join(folder, 'scenarios');
  cpSync(join(bundled('scenarios'), 'case-management'), join(room, 'case-management'), { recursive: true });
  const { collection, scenario } = keepHostileScenario(room);
  const hostileTask = [collection, scenario].map(encodeURIComponent).join('/');
  const data = join(folder, 'episodes.db');
  const [server, logs] = await Promise.all([
    startWhet([...['serve', '--port', '0', '--data', data, '--scenarios', room, '--log', 'none']]),
    startWhet(['view', ...['shopping', 'hostile', 'long.jsonl'].map((name) => join(folder, 'logs', name))]),
  ]);
  const client = connect({ url: server.url });
  const catalog = loadCatalog(bundled('scenarios'));
  await playOperators(client, [buildTask(findScenario(catalog, 'case-management', 'lumbar-strain'))]);
  const known = (await client.episodes()).episodes[0]!.episode_id;
  // One that has ended, so that it counts in every table, and one that is open.
  await client.endEpisode(await playHostile(server.url));
  const open = await playHostile(server.url);
  const shelf = connect({ url: logs.url });
  while ((await shelf.health()).view?.done !== true);
  const { episodes: logged } = await shelf.episodes();
  const inLogs = (place: number): string => `${logs.url}/#/episodes/${logged.at(-1 - place)?.episode_id}`;
  const beside =
    'run=first-start/gold&run=first-start/hasty&collection=case-management&scenario=lumbar-strain&variant=0';
  const inServer = {
    home: '',
    list: 'episodes',
    'a list in order': 'episodes?sort=reward',
    'an empty list': 'episodes?player=nobody',
    episode: `episodes/${known}`,
    'episode: calls': `episodes/${known}?tab=calls`,
    'episode: facts': `episodes/${known}?tab=facts`,
    'episode: credit': `episodes/${known}?tab=credit`,
    'episode: judges': `episodes/${known}?tab=judges`,
    'episode: raw': `episodes/${known}?tab=raw`,
    'hostile episode': `episodes/${open}`,
    'hostile episode: calls': `episodes/${open}?tab=calls`,
    'hostile episode: raw': `episodes/${open}?tab=raw`,
    'no such episode': 'episodes/none',
    players: 'players',
    runs: 'runs',
    'run: grid': 'runs/first-start/hasty?tab=grid',
    'run: distributions': 'runs/first-start/hasty?tab=distributions',
    'run: failures': 'runs/first-start/hasty?tab=failures',
    'run: config': 'runs/first-start/hasty?tab=config',
    training: 'training',
    weights: 'weights?rubrics=1',
    compare: 'compare?run=first-start/gold&run=first-start/hasty',
    'hostile compare': `compare?run=first-start/gold&run=${encodeURIComponent(`/${longName}`)}`,
    beside: `beside?${beside}`,
    scenarios: 'scenarios',
    'hostile scenario': `scenarios/${hostileTask}`,
    'hostile tools': `tools/${hostileTask}`,
    'hostile tool': `tools/${hostileTask}?api=gemini&tool=${longName}`,
    scenario: 'scenarios/case-management/lumbar-strain',
    tools: 'tools/case-management/lumbar-strain?api=gemini&tool=medical_assessment',
    'no such page': 'nowhere',
  };
  return {
    server,
    logs,
    views: new Map([
      ...Object.entries(inServer).map(([view, hash]) => [view, `${server.url}/#/${hash}`] as const),
      ['logs', `${logs.url}/#/episodes`],
      ['computer', `${inLogs(0)}?frame=3`],
      ['hostile computer', `${inLogs(1)}?frame=4`],
      ['hostile log', inLogs(2)],
      ['hostile log: calls', `${inLogs(2)}?tab=calls`],
      ['hostile log: raw', `${inLogs(2)}?tab=raw`],
    ]),
  };
}
