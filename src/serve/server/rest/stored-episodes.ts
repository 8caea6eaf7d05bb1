import type { EpisodeEngine } from '../../../grade/episode/engine.ts';
import type { EpisodeOptions } from '../../../grade/episode/request.ts';
import type { Observation } from '../../../grade/scenario/transcript.ts';
import { creditEpisode } from './credit.ts';
import type { EpisodeReader } from './reading-endpoints.ts';
import { exchangesIn } from './usage.ts';
import { writeDetail, writeHead, writeStoredTurn } from './write-answer.ts';
import { writeShortExplanation } from './write-explanation.ts';

/** Episodes that were played here. */
export function storedEpisodes(engine: EpisodeEngine): EpisodeReader {
  return {
    episode: async (caller, id) => {
      const live = await engine.read(caller, id);
      const rows = await engine.store.readTurns(live.record.id);
      return writeDetail(live, rows.slice(0, live.record.turnCount), caller);
    },
    head: async (caller, id, turns) => {
      const record = await engine.readRecord(caller, id);
      // Written by the engine, from values of these types.
      const options = JSON.parse(record.options) as EpisodeOptions;
      const opening = JSON.parse(record.opening) as Observation;
      const rows = await engine.store.readTurns(record.id, 0, Math.min(turns, record.turnCount));
      return writeHead({ record, task: engine.tasks.taskOf(record), options, opening }, rows, caller);
    },
    turns: async (caller, id, { from, limit }) => {
      const record = await engine.readRecord(caller, id);
      const rows = await engine.store.readTurns(record.id, Math.max(0, from - 1), limit);
      const known = rows.filter(({ turn }) => turn <= record.turnCount);
      return { turns: known.map((row) => writeStoredTurn(row, caller)), count: record.turnCount };
    },
    exchanges: async (caller, id, turn) => {
      const record = await engine.readRecord(caller, id);
      const [row] = await engine.store.readTurns(record.id, Math.max(0, turn - 1), 1);
      return row?.turn === turn ? exchangesIn(row.usage) : [];
    },
    credit: async (caller, id) => creditEpisode(await engine.read(caller, id)),
    explanation: async (caller, id) => writeShortExplanation(await engine.read(caller, id)),
  };
}
