import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { Exchange } from '../../../grade/episode/usage.ts';
import type { EpisodeDetail } from '../../api/episode.ts';
import type { EpisodeTurn } from '../../api/turn.ts';
import type { CreditAnswer, ExplanationAnswer } from '../../api/explanation.ts';
import { limits } from '../../api/limit.ts';
import { countAt } from '../../http/fields.ts';
import { invalid } from '../../http/refusal.ts';
import { answerJson, type Endpoint, pathName, type RestContext } from './endpoint.ts';
import { listedTurn, pageOf } from './turn-window.ts';
import type { Bare } from './write-answer.ts';

/** Where episodes are read from: the store of a server, or the logs of a view. */
export interface EpisodeReader {
  readonly episode: (caller: Caller, id: string) => Promise<EpisodeDetail>;
  /** Only its first turns, and nothing that explains it. */
  readonly head: (caller: Caller, id: string, turns: number) => Promise<EpisodeDetail>;
  readonly turns: (caller: Caller, id: string, range: TurnRange) => Promise<FoundTurns>;
  /** What a turn exchanged with its provider, where its player kept it. */
  readonly exchanges: (caller: Caller, id: string, turn: number) => Promise<readonly Exchange[]>;
  /** Undefined where there is nothing to explain. */
  readonly explanation: (caller: Caller, id: string) => Promise<Bare<ExplanationAnswer> | undefined>;
  readonly credit: (caller: Caller, id: string) => Promise<Bare<CreditAnswer> | undefined>;
}

export interface TurnRange {
  /** The first is 1. */
  readonly from: number;
  readonly limit: number;
}

export interface FoundTurns {
  readonly turns: readonly EpisodeTurn[];
  /** How many there are in all. */
  readonly count: number;
}

/** Episodes as they are read: whole, or in windows where they are too long for that. */
export function readingEndpoints(reader: EpisodeReader): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/episodes/:id',
      operation: 'getEpisode',
      answer: async (c) => answerJson(c, await readEpisode(reader, c)),
    },
    {
      method: 'GET',
      path: '/episodes/:id/explanation',
      operation: 'explainEpisode',
      answer: (c) => answerReasons(c, reader.explanation),
    },
    {
      method: 'GET',
      path: '/episodes/:id/credit',
      operation: 'creditEpisode',
      answer: (c) => answerReasons(c, reader.credit),
    },
    {
      method: 'GET',
      path: '/episodes/:id/turns',
      operation: 'listTurns',
      answer: async (c) => {
        const id = pathName(c, 'id');
        const from = countAt(c.req.query('from'), 'from', { min: 1, max: Number.MAX_SAFE_INTEGER }) ?? 1;
        const limit = pageLimit(c, 'limit') ?? 50;
        const { turns: all, count } = await reader.turns(c.var.identity.caller, id, { from, limit });
        const turns = pageOf(all.map((turn) => listedTurn(turn, id)));
        const next = from + turns.length;
        return answerJson(c, { turns, turn_count: count, next_from: next <= count ? next : null });
      },
    },
    {
      method: 'GET',
      path: '/episodes/:id/turns/:turn/exchanges',
      operation: 'listExchanges',
      answer: (c) => {
        const turn = countAt(c.req.param('turn'), 'turn') ?? 0;
        return answerReasons(c, async (caller, id) => ({
          exchanges: await reader.exchanges(caller, id, turn),
        }));
      },
    },
    {
      method: 'GET',
      path: '/episodes/:id/turns/:turn/results/:result',
      operation: 'getResult',
      answer: async (c) => {
        const place = (name: string): number | undefined => countAt(c.req.param(name), name);
        const from = place('turn') ?? 0;
        const { turns } = await reader.turns(c.var.identity.caller, pathName(c, 'id'), { from, limit: 1 });
        const result = turns[0]?.results?.[place('result') ?? -1];
        if (result === undefined) throw invalid('result', 'names no result of this turn.');
        return answerJson(c, result);
      },
    },
  ];
}

/** What reveals answers goes only to keys that may explain. */
async function answerReasons(
  c: RestContext,
  read: (caller: Caller, id: string) => Promise<object | undefined>,
): Promise<Response> {
  const { caller } = c.var.identity;
  const id = pathName(c, 'id');
  if (!caller.explain)
    throw new WhetstoneError('request_forbidden', 'This key may not see the reasons: they reveal answers.');
  const found = await read(caller, id);
  if (found === undefined)
    throw new WhetstoneError('endpoint_unknown', `The episode ${id} comes from a log, which has no reasons.`);
  return answerJson(c, found);
}

async function readEpisode(reader: EpisodeReader, c: RestContext): Promise<EpisodeDetail> {
  const { caller } = c.var.identity;
  const id = pathName(c, 'id');
  const most = pageLimit(c, 'turns');
  if (most === undefined) return reader.episode(caller, id);
  const head = await reader.head(caller, id, most);
  // A log has no reasons, so its head is all of it.
  const isShort = head.turn_count <= most && head.log === undefined;
  const detail = isShort ? await reader.episode(caller, id) : head;
  return { ...detail, turns: pageOf(detail.turns.map((turn) => listedTurn(turn, id))) };
}

function pageLimit(c: RestContext, name: string): number | undefined {
  return countAt(c.req.query(name), name, { min: 1, max: limits.pageItems });
}
