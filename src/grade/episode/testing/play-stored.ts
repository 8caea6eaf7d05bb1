import { hashJson } from '../../../base/json/sha256.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { Catalog } from '../../scenario/load/catalog.ts';
import { operators } from '../../play/operators.ts';
import type { Store } from '../../store/store.ts';
import { EpisodeEngine, type EngineOptions } from '../engine.ts';
import { TaskBook } from '../task-book.ts';

const caller = { id: 'local', explain: true };

/** A clock that stands still, so that two runs may be told apart by nothing but what was played. */
const standing = { now: () => 1_800_000_000_000, monotonic: () => 0, after: () => () => {} };

/** Plays every scenario of a catalog by every built-in operator through an engine before a store. */
export async function playStored(
  store: Store,
  catalog: Catalog,
  by: Pick<EngineOptions, 'voice' | 'judge'> = {},
): Promise<Readonly<Record<string, string>>> {
  const engine = new EpisodeEngine({ store, tasks: new TaskBook(catalog), clock: standing, ...by });
  const hashes: Record<string, string> = {};
  for (const scenario of catalog.collections.flatMap(({ scenarios }) => scenarios))
    for (const operator of operators) {
      const id = `${scenario.collection}/${scenario.slug}/${operator.name}`;
      const names = { collection: scenario.collection, scenario: scenario.slug };
      const variant = 17 % scenario.variants;
      const { record } = await engine.create(caller, {
        ...names,
        id,
        variant,
        seed: 3,
        scoreTurns: true,
        hash: id,
      });
      const task = engine.tasks.taskOf(record);
      let last = task.opening;
      for (let turn = 1; ; turn++) {
        const messages = operator.next(task, turn, last);
        if (messages === undefined) break;
        const { outcome } = await engine.submitTurn(caller, id, { messages, turn, hash: `${id} ${turn}` });
        last = outcome.observation;
        if (outcome.ended !== undefined) break;
      }
      await engine.end(caller, id, 'client_terminated');
      hashes[id] = await hashStored(store, id);
    }
  return hashes;
}

/** Of all that a store keeps of an episode. */
export async function hashStored(store: Store, id: string): Promise<string> {
  const rows = [await store.readEpisode(id), ...(await store.readTurns(id))];
  return hashJson(JSON.parse(JSON.stringify(rows)) as JsonValue);
}
