import { limits } from '../../api/limit.ts';
import type { ServerContext } from '../../http/context.ts';
import { listAt, objectAt, requiredNameAt } from '../../http/fields.ts';
import { takeRate } from '../../http/middleware/rate-limit.ts';
import { invalid, refusalOf } from '../../http/refusal.ts';
import { yieldToEventLoop } from '../../http/yield-to-event-loop.ts';
import type { RestContext } from './endpoint.ts';

/** An item of a batch: read, or refused by itself. */
export type Item<Read> = { readonly id: string } & ({ readonly read: Read } | { readonly error: unknown });

export function readBatch<Read>(
  body: unknown,
  read: (item: unknown, path: string) => Read,
): readonly Item<Read>[] {
  const items = listAt(objectAt(body, '')['items'], 'items', { min: 1, max: limits.batchItems });
  const seen = new Set<string>();
  return items.map((item, index) => {
    const path = `items[${index}]`;
    const id = requiredNameAt(objectAt(item, path)['id'], `${path}.id`);
    if (seen.has(id)) throw invalid(`${path}.id`, 'is in the batch twice.');
    seen.add(id);
    try {
      return { id, read: read(item, path) };
    } catch (error) {
      return { id, error };
    }
  });
}

/** An item costs of the rate what it would cost by itself; the request has paid for the first. */
export function takeItems(context: ServerContext, c: RestContext, items: readonly unknown[]): void {
  takeRate(context, c.var.identity, c.env.outgoing, items.length - 1);
}

/** Runs the items side by side, and those of one lane one after another. */
export async function runBatch<Read>(
  items: readonly Item<Read>[],
  run: (read: Read) => Promise<object>,
  laneOf?: (read: Read) => string,
): Promise<readonly object[]> {
  const lanes = new Map<string, Promise<unknown>>();
  const answer = async (item: Item<Read>): Promise<object> => {
    if ('error' in item) return refused(item.id, item.error);
    // Others are answered between two items.
    await yieldToEventLoop();
    try {
      return { id: item.id, status: 'success', ...(await run(item.read)) };
    } catch (error) {
      return refused(item.id, error);
    }
  };
  return Promise.all(
    items.map((item) => {
      const lane = 'error' in item ? undefined : laneOf?.(item.read);
      if (lane === undefined) return answer(item);
      const result = (lanes.get(lane) ?? Promise.resolve()).then(() => answer(item));
      lanes.set(lane, result);
      return result;
    }),
  );
}

function refused(id: string, error: unknown): object {
  const { message, code, turn } = refusalOf(error);
  // What is broken in the server is not an answer to an item: the whole batch is to be tried again.
  if (code === 'internal') throw error;
  return { id, status: 'error', message, code, ...(turn !== undefined && { turn }) };
}
