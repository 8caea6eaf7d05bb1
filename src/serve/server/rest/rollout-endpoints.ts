import { WhetstoneError } from '../../../base/host/errors.ts';
import { omitUndefined } from '../../../wire/json-fields.ts';
import { CreateRollout } from '../../api/rollout.ts';
import type { ServerContext } from '../../http/context.ts';
import { ordinaryBody } from '../../http/middleware/json-body.ts';
import { invalid } from '../../http/refusal.ts';
import { readBaseUrl } from '../rollout/base-url.ts';
import { playRollout, type RolloutRequest } from '../rollout/play-rollout.ts';
import type { TrialPlayer } from '../../http/trial-player.ts';
import { bodyReader } from '../../http/read-body.ts';
import { answerJson, type Endpoint } from './endpoint.ts';

const createRollout = bodyReader(CreateRollout);
const usualSeconds = 600;

/** Trials that this server plays itself, with an agent of its own and the trainer as the model. */
export function rolloutEndpoints(context: ServerContext): readonly Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/rollouts',
      operation: 'playRollout',
      body: ordinaryBody,
      answer: async (c) => {
        const request = readRollout(context, c.var.body);
        const left = new AbortController();
        const { outgoing } = c.env;
        outgoing.once('close', () => left.abort());
        const { caller } = c.var.identity;
        const rollout = await playRollout(context, caller, request, left.signal);
        context.metrics.count('whet_rollouts_total', 'Trials that this server played itself, by outcome.', {
          outcome: rollout.failure ?? 'graded',
        });
        return answerJson(c, rollout);
      },
    },
  ];
}

function readRollout(context: ServerContext, body: unknown): RolloutRequest {
  const { task, player, base_url, model, api_key: apiKey, timeout_s = usualSeconds } = createRollout(body);
  const { collection, scenario, split, variant, seed, index, group } = task;
  if (scenario === undefined && split === undefined)
    throw invalid('task.scenario', 'is missing. Name a scenario, or a split with an index.');
  return {
    task: { collection, ...omitUndefined({ scenario, split, variant, seed, index }) },
    ...omitUndefined({ group }),
    player: { name: player, make: playerOf(context, player) },
    trial: { baseUrl: readBaseUrl(base_url, context.trainers), ...omitUndefined({ model, apiKey }) },
    timeoutMs: timeout_s * 1000,
  };
}

function playerOf({ players }: ServerContext, name: string): TrialPlayer {
  const player = Object.hasOwn(players, name) ? players[name] : undefined;
  if (player !== undefined) return player;
  const known = Object.keys(players);
  throw new WhetstoneError(
    'player_unknown',
    known.length === 0
      ? 'This server has no players of its own: start it with `whet serve --players <module>`.'
      : `There is no player "${name}". Known: ${known.join(', ')}.`,
    { details: { player: name } },
  );
}
