import { WhetstoneError } from '../../base/host/errors.ts';
import type { TrialPlayer } from '../http/trial-player.ts';
import { importModule } from './import-module.ts';

/** The players of a module: each function that it exports, by its name. */
export async function loadPlayers(path: string): Promise<Readonly<Record<string, TrialPlayer>>> {
  const module = await importModule(path, 'a module of players');
  const players: Record<string, TrialPlayer> = {};
  for (const [name, value] of Object.entries(module))
    // What it returns is checked when a trial begins: `operator()` refuses what is not an agent.
    if (typeof value === 'function') players[name] = value as TrialPlayer;
  if (Object.keys(players).length === 0)
    throw new WhetstoneError(
      'usage',
      `${path} exports no players. Export a function that makes an agent for a trial: export function claims({ baseUrl }) { … }`,
    );
  return players;
}
