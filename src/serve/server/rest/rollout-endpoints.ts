import { WhetstoneError } from '../../../base/host/errors.ts';
import { limits } from '../../api/limit.ts';
import { schemas } from '../../api/schema.ts';
import type { ServerContext } from '../../http/context.ts';
import { integerAt, nameAt, objectAt, requiredNameAt } from '../../http/fields.ts';
import { ordinaryBody } from '../../http/middleware/json-body.ts';
import { invalid } from '../../http/refusal.ts';
import { readBaseUrl } from '../rollout/base-url.ts';
import { playRollout, type RolloutRequest } from '../rollout/play-rollout.ts';
import type { TrialPlayer } from '../../http/trial-player.ts';
import { fieldsOf, mustBeSpelt } from '../../http/spelling.ts';
import { answerJson, type Endpoint } from './endpoint.ts';

const fields = fieldsOf(schemas['CreateRollout']);
const usualSeconds = 600;
const count = { min: 0, max: Number.MAX_SAFE_INTEGER };

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
  const asked = objectAt(body, '');
  mustBeSpelt(asked, fields);
  const task = objectAt(asked['task'], 'task');
  const at = (name: string): string => `task.${name}`;
  const scenario = nameAt(task['scenario'], at('scenario'));
  const split = nameAt(task['split'], at('split'));
  if (scenario === undefined && split === undefined)
    throw invalid(at('scenario'), 'is missing. Name a scenario, or a split with an index.');
  const variant = integerAt(task['variant'], at('variant'), count);
  const seed = integerAt(task['seed'], at('seed'), count);
  const index = integerAt(task['index'], at('index'), count);
  const group = nameAt(task['group'], at('group'));
  const name = requiredNameAt(asked['player'], 'player');
  const model = nameAt(asked['model'], 'model');
  const apiKey = nameAt(asked['api_key'], 'api_key', 1000);
  const baseUrl = nameAt(asked['base_url'], 'base_url', 2000);
  if (baseUrl === undefined) throw invalid('base_url', 'is missing.');
  const seconds =
    integerAt(asked['timeout_s'], 'timeout_s', { min: 1, max: limits.rolloutSeconds }) ?? usualSeconds;
  return {
    task: {
      collection: requiredNameAt(task['collection'], at('collection')),
      ...(scenario !== undefined && { scenario }),
      ...(split !== undefined && { split }),
      ...(variant !== undefined && { variant }),
      ...(seed !== undefined && { seed }),
      ...(index !== undefined && { index }),
    },
    ...(group !== undefined && { group }),
    player: { name, make: playerOf(context, name) },
    trial: {
      baseUrl: readBaseUrl(baseUrl, context.trainers),
      ...(model !== undefined && { model }),
      ...(apiKey !== undefined && { apiKey }),
    },
    timeoutMs: seconds * 1000,
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
