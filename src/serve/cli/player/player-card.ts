import { version } from '../../../base/host/version.ts';
import type { PlayerCard } from '../../api/player.ts';

/** Who plays, as the command line was told. */
export interface ChosenPlayer {
  /** What a suite calls it. */
  readonly name?: string;
  readonly model?: string;
  readonly operator?: string;
  readonly baseUrl?: string;
}

/** The card of a model or of a built-in operator, which goes with each episode that it plays. */
export function cardOf({ name, model, operator, baseUrl }: ChosenPlayer): PlayerCard {
  return {
    name: (name ?? model ?? operator ?? 'unnamed').slice(0, 200),
    ...(model !== undefined && { model: model.slice(0, 200) }),
    // The host alone: an address may hold a password.
    ...(baseUrl !== undefined && URL.canParse(baseUrl) && { parameters: { host: new URL(baseUrl).host } }),
    labels: {
      kind: model === undefined ? 'operator' : 'model',
      whetstone: version,
    },
  };
}
