import type { EpisodeTurn } from '../../api/turn.ts';
import type { ToolResult } from '../../api/message.ts';

/** A longer result is only begun in lists of turns, and said where the whole of it is. */
const mostOfResult = 8192;
/** A page of turns that holds more ends there, if it has one turn at least. */
const mostOfPage = 1_000_000;

/** A turn as a list has it. */
export function listedTurn(turn: EpisodeTurn, episode: string): EpisodeTurn {
  if (!turn.results?.some(({ output }) => output.length > mostOfResult)) return turn;
  const place = `/api/v1/episodes/${encodeURIComponent(episode)}/turns/${turn.turn}/results`;
  return { ...turn, results: turn.results.map((result, index) => begun(result, `${place}/${index}`)) };
}

function begun(result: ToolResult, href: string): ToolResult {
  const { output } = result;
  if (output.length <= mostOfResult) return result;
  return {
    ...result,
    output: output.slice(0, mostOfResult).toWellFormed(),
    full: { href, bytes: Buffer.byteLength(output) },
  };
}

/** As many turns as one page may hold. */
export function pageOf(turns: readonly EpisodeTurn[]): readonly EpisodeTurn[] {
  let size = 0;
  const past = turns.findIndex((turn) => (size += JSON.stringify(turn).length) > mostOfPage);
  return past < 0 ? turns : turns.slice(0, Math.max(1, past));
}
