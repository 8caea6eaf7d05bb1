import type { ServerContext } from '../../http/context.ts';
import { answerJson, type Endpoint } from './endpoint.ts';
import { writeKey } from './write-answer.ts';

/** The key that asks. */
export function keyEndpoints({ limiter }: ServerContext): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/key',
      operation: 'getKey',
      answer: async (c) => {
        const { caller, key, rateLimit } = c.var.identity;
        const rate = rateLimit === undefined ? undefined : limiter.look(caller.id, rateLimit);
        return answerJson(c, writeKey(key, caller, rate));
      },
    },
  ];
}
