import type { Caller, EvaluateRequest } from '../../../grade/episode/request.ts';
import { evaluate } from '../../../grade/episode/evaluate.ts';
import { winnerOf } from '../../../grade/score/compare-grades.ts';
import { scoringVersion } from '../../../grade/score/grade-transcript.ts';
import type { ServerContext } from '../../http/context.ts';
import { batchBody, ordinaryBody } from '../../http/middleware/json-body.ts';
import { readBatch, runBatch, takeItems } from './batch.ts';
import { answerJson, type Endpoint } from './endpoint.ts';
import { readCompare, readEvaluate, readEvaluateItem } from './read-request.ts';
import { writeEvaluation } from './write-answer.ts';

/** Conversations that were held elsewhere, graded as a whole. */
export function evaluateEndpoints(context: ServerContext): readonly Endpoint[] {
  const { engine, clock } = context;
  return [
    {
      method: 'POST',
      path: '/evaluate',
      operation: 'evaluate',
      body: ordinaryBody,
      answer: async (c) => {
        const request = readEvaluate(c.var.body);
        const started = clock.monotonic();
        const { evaluated, view } = await grade(context, c.var.identity.caller, request);
        return answerJson(c, {
          ...view,
          scoring_version: evaluated.grade.scoringVersion,
          metadata: {
            scenario_name: evaluated.task.name,
            evaluation_time_ms: clock.monotonic() - started,
          },
        });
      },
    },
    {
      method: 'POST',
      path: '/compare',
      operation: 'compare',
      body: ordinaryBody,
      answer: async (c) => {
        const { a, b } = readCompare(c.var.body);
        const { caller } = c.var.identity;
        const [one, other] = [await evaluate(engine, caller, a), await evaluate(engine, caller, b)];
        const [reward_a, reward_b] = [one.grade.reward, other.grade.reward];
        return answerJson(c, {
          winner: winnerOf(reward_a, reward_b),
          reward_a,
          reward_b,
          margin: Math.abs(reward_a - reward_b),
          scoring_version: one.grade.scoringVersion,
        });
      },
    },
    {
      method: 'POST',
      path: '/batch/evaluate',
      operation: 'batchEvaluate',
      body: batchBody,
      answer: async (c) => {
        const items = readBatch(c.var.body, readEvaluateItem);
        const started = clock.monotonic();
        const results = await runBatch(
          items,
          async (read) => (await grade(context, c.var.identity.caller, read)).view,
        );
        takeItems(context, c, items);
        return answerJson(c, {
          results,
          scoring_version: scoringVersion,
          total_time_ms: clock.monotonic() - started,
        });
      },
    },
  ];
}

async function grade({ engine, metrics }: ServerContext, caller: Caller, request: EvaluateRequest) {
  const evaluated = await evaluate(engine, caller, request);
  metrics.count('whet_evaluations_total', 'Conversations graded as a whole.');
  return { evaluated, view: writeEvaluation(evaluated.grade, caller, evaluated.normalized) };
}
