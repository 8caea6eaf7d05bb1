import { Hono } from 'hono';

import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import { version } from '../../../base/host/version.ts';
import { storedTrajectory } from '../../../eval/exchange/stored-episode.ts';
import type { EpisodeEngine } from '../../../grade/episode/engine.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { EpisodeDetail } from '../../api/episode.ts';
import type { HealthAnswer, ViewProgress } from '../../api/health.ts';
import type { ServerContext, ServerEnv } from '../../http/context.ts';
import { localCaller } from '../../http/keys.ts';
import { answerError, type Gate, guard } from '../../http/middleware/gate.ts';
import { answerFile, PageFile, readPageFiles } from '../page-files.ts';
import { readingEndpoints, type EpisodeReader } from '../rest/reading-endpoints.ts';
import { restApp, restEndpoints } from '../rest/rest-app.ts';
import { storedEpisodes } from '../rest/stored-episodes.ts';
import { writeDetail } from '../rest/write-answer.ts';
import { logDetail } from './log-detail.ts';
import { bytesOf, picturePath, type PictureReader, withAddresses, withPictures } from './pictures.ts';
import type { LogShelf } from './shelf.ts';

/** What a server shows that takes nothing: the episodes of its store, and those of logs. */
export interface View {
  /** For the page's head. */
  readonly title: string;
  readonly shelf?: LogShelf;
}

/** What may be asked of a server that only shows: nothing that changes anything. */
const shown = new Set([
  'getKey',
  'getCatalog',
  'listEpisodes',
  'getStats',
  'compareRuns',
  'listFailures',
  'followEpisode',
  'followAll',
]);

const readWhole: ViewProgress = { bytes: 0, of: 0, episodes: 0, done: true, faults: [] };

/** The page over logs: the same answers as a server's, of what is read from files. */
export function viewApp(
  context: ServerContext,
  gate: Gate,
  { view, page }: { readonly view: View; readonly page: string },
): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError((error, c) => answerError(c, error));
  app.use(guard(gate));
  const episodes = shownEpisodes(context.engine, view);
  const others = restEndpoints(context).filter(({ operation }) => shown.has(operation));
  app.route('/api/v1', restApp(context, [...others, ...readingEndpoints(episodes)]));
  app.get(picturePath, async (c) => {
    const { episode, turn, result, image } = c.req.param();
    const found = await episodes.picture(episode, [Number(turn), Number(result), Number(image)]);
    if (found === undefined) return c.notFound();
    return c.body(found.bytes, 200, { 'Content-Type': found.type, 'X-Content-Type-Options': 'nosniff' });
  });
  app.get('/health', (c) =>
    c.json({ status: 'ok', version, view: view.shelf?.progress() ?? readWhole } satisfies HealthAnswer),
  );
  const files = titledFiles(page, view.title);
  app.get('*', (c, next) => {
    const file = files.get(c.req.path);
    return file === undefined ? next() : Promise.resolve(answerFile(file, c.req.header('accept-encoding')));
  });
  app.notFound((c) =>
    answerError(c, new WhetstoneError('endpoint_unknown', `There is nothing at ${c.req.path}.`)),
  );
  return app;
}

/** The page, whose head says what it shows. */
function titledFiles(page: string, title: string): ReadonlyMap<string, PageFile> {
  const files = [...readPageFiles(page)].map(([path, file]): [string, PageFile] => {
    if (!file.type.startsWith('text/html')) return [path, file];
    const html = new TextDecoder().decode(file.bytes).replace('<html', `<html data-view="${quoted(title)}"`);
    return [path, new PageFile(new TextEncoder().encode(html), file.type, file.lasting)];
  });
  return new Map(files);
}

/** The logs as they are read: the one that was last asked for is kept, since its turns are asked for one page after the other. */
function shownEpisodes(engine: EpisodeEngine, view: View): EpisodeReader & PictureFinder {
  let last: { readonly id: string; readonly shown: Promise<ShownEpisode> } | undefined;
  const stored = storedEpisodes(engine);
  const read = (id: string): Promise<ShownEpisode> => {
    if (last?.id === id) return last.shown;
    const shown = engine.readRecord(localCaller, id).then((record) => showRecord(engine, view, record));
    // What could not be read is tried again.
    shown.catch(() => (last = undefined));
    last = { id, shown };
    return shown;
  };
  const isExplained = async (id: string): Promise<boolean> => (await read(id)).detail.explain !== undefined;
  return {
    episode: async (_caller, id) => {
      const { detail, picture } = await read(id);
      return withPictures(detail, picture);
    },
    head: async (_caller, id, most) => {
      const { explain: _explain, ...detail } = (await read(id)).detail;
      return { ...detail, turns: detail.turns.slice(0, most).map((turn) => withAddresses(turn, id)) };
    },
    turns: async (_caller, id, { from, limit }) => {
      const { turns } = (await read(id)).detail;
      const page = turns.slice(from - 1, from - 1 + limit);
      return { turns: page.map((turn) => withAddresses(turn, id)), count: turns.length };
    },
    exchanges: async (caller, id, turn) =>
      (await read(id)).detail.log === undefined ? stored.exchanges(caller, id, turn) : [],
    explanation: async (caller, id) => ((await isExplained(id)) ? stored.explanation(caller, id) : undefined),
    credit: async (caller, id) => ((await isExplained(id)) ? stored.credit(caller, id) : undefined),
    picture: async (id, [turn, result, image]) => {
      const { detail, picture } = await read(id);
      const found = detail.turns[turn - 1]?.results?.[result]?.images?.[image];
      const bytes = found && (await bytesOf(found, picture));
      return bytes && { bytes: new Uint8Array(bytes), type: found.media_type };
    },
  };
}

interface PictureFinder {
  readonly picture: (
    episode: string,
    place: readonly [turn: number, result: number, image: number],
  ) => Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string } | undefined>;
}

/** An episode with its pictures inside, as a saved page has it. */
export async function viewDetail(
  engine: EpisodeEngine,
  view: View,
  record: EpisodeRecord,
): Promise<EpisodeDetail> {
  const { detail, picture } = await showRecord(engine, view, record);
  return withPictures(detail, picture);
}

interface ShownEpisode {
  readonly detail: EpisodeDetail;
  /** For pictures that its log names. */
  readonly picture?: PictureReader | undefined;
}

/** An episode with its turns: explained where its scenario is here, and else as its log has it. */
async function showRecord(
  engine: EpisodeEngine,
  { shelf }: View,
  record: EpisodeRecord,
): Promise<ShownEpisode> {
  const read = await shelf?.read(record);
  if (read !== undefined)
    return { detail: logDetail(record, read.trajectory, read.log), picture: read.picture };
  const { store, tasks } = engine;
  try {
    const live = await engine.read(localCaller, record.id);
    const rows = await store.readTurns(record.id);
    return { detail: writeDetail(live, rows.slice(0, record.turnCount), localCaller) };
  } catch (error) {
    if (!isWhetstoneError(error) || error.code === 'store_unavailable') throw error;
    // Its scenario is not here, or another by now.
    const trajectory = await storedTrajectory(record, { store, tasks });
    return { detail: logDetail(record, trajectory, { file: store.place, format: 'episodes of Whetstone' }) };
  }
}

/** A text as the value of an attribute. */
function quoted(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
