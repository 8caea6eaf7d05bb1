import { version } from '../../../base/host/version.ts';
import { hashJson } from '../../../base/json/sha256.ts';
import type { Sampling } from '../../../eval/suite/suite.ts';
import type { PlayerCard } from '../../api/player.ts';

/** Who plays, as the command line was told. */
export interface ChosenPlayer {
  /** What a suite calls it. */
  readonly name?: string;
  readonly model?: string;
  readonly operator?: string;
  readonly baseUrl?: string;
  readonly system?: string;
  readonly sampling?: Sampling;
}

/** The card of a model or of a built-in operator, which goes with each episode that it plays. */
export function cardOf({ name, model, operator, baseUrl, system, sampling }: ChosenPlayer): PlayerCard {
  const parameters = {
    // The host alone: an address may hold a password.
    ...(baseUrl !== undefined && URL.canParse(baseUrl) && { host: new URL(baseUrl).host }),
    ...(system !== undefined && { system: hashJson(system) }),
    ...sampling,
  };
  return {
    name: (name ?? model ?? operator ?? 'unnamed').slice(0, 200),
    ...(model !== undefined && { model: model.slice(0, 200) }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    labels: {
      kind: model === undefined ? 'operator' : 'model',
      whetstone: version,
    },
  };
}
