import type { PlayState, TerminalReason } from '../scenario/play-state.ts';
import type { Observation, Transcript } from '../scenario/transcript.ts';
import type { EpisodeRecord } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { readTurn } from './live-episode.ts';

/** The transcript of an episode as its store holds it. */
export async function storedTranscript(record: EpisodeRecord, store: Store): Promise<Transcript> {
  const rows = await store.readTurns(record.id);
  const { collection, scenario, variant, seed, version } = record;
  return {
    task: { collection, scenario, variant, seed, version },
    opening: JSON.parse(record.opening) as Observation,
    turns: rows.slice(0, record.turnCount).map(readTurn),
    state: JSON.parse(record.state) as PlayState,
    ...(record.terminalReason === null ? {} : { terminalReason: record.terminalReason as TerminalReason }),
  };
}
