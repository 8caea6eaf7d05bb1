import type { Hono, MiddlewareHandler } from 'hono';

import type { Clock } from '../../base/host/clock.ts';
import { version } from '../../base/host/version.ts';
import type { HealthAnswer, ReadyAnswer } from '../api/health.ts';
import type { ServerContext, ServerEnv } from '../http/context.ts';
import { bearerKey, identityOf } from '../http/middleware/identify.ts';

/** Health, readiness and metrics, at the root. */
export function serveHealth(app: Hono<ServerEnv>, context: ServerContext): void {
  app.get('/health', (c) => c.json({ status: 'ok', version } satisfies HealthAnswer));
  const notReady = forASecond(context.clock, () => whyNotReady(context));
  app.get('/ready', async (c) => {
    const reason = context.stopping() ? 'stopping' : await notReady();
    const answer: ReadyAnswer = reason === undefined ? { status: 'ready' } : { status: 'not_ready', reason };
    return c.json(answer, reason === undefined ? 200 : 503);
  });
  app.get('/metrics', onlyWithKey(context), async (c) => {
    const { heapUsed, rss } = process.memoryUsage();
    const text = context.metrics.write([
      ...(await groupGauges(context)),
      {
        name: 'whet_held_bytes',
        help: 'Bytes of the bodies and messages being worked on.',
        value: context.bodies.held,
      },
      { name: 'whet_heap_bytes', help: 'Bytes of the JavaScript heap in use.', value: heapUsed },
      { name: 'whet_resident_bytes', help: 'Bytes of memory the process holds.', value: rss },
    ]);
    return c.body(text, 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
}

/** The figures of a server that has keys are for those who have one. */
function onlyWithKey(context: ServerContext): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    if (!context.open) await identityOf(context, bearerKey(c.env.incoming));
    await next();
  };
}

/** Works at most once a second, however often it is asked: no key is needed, and each answer writes to the disk. */
function forASecond<Answer>(clock: Clock, work: () => Promise<Answer>): () => Promise<Answer> {
  let latest: Promise<Answer> | undefined;
  let at = 0;
  return () => {
    const now = clock.monotonic();
    if (latest === undefined || now - at >= 1000) {
      latest = work();
      at = now;
    }
    return latest;
  };
}

async function whyNotReady(context: ServerContext): Promise<string | undefined> {
  try {
    await context.engine.store.ping();
    return undefined;
  } catch {
    return 'store_unavailable';
  }
}

const groupWindow = 10_000;

/** Nothing while the store does not answer: a gauge that is missing says more than a wrong one. */
async function groupGauges(context: ServerContext) {
  try {
    const { groups, withoutSpread } = await context.engine.store.sums.summarizeGroups(groupWindow);
    const among = `among the latest ${groupWindow} complete episodes that carry one`;
    return [
      { name: 'whet_groups', help: `Groups of two episodes and more, ${among}.`, value: groups },
      {
        name: 'whet_groups_without_spread',
        help: `Groups in which every episode earned the same reward, ${among}.`,
        value: withoutSpread,
      },
    ];
  } catch {
    return [];
  }
}
