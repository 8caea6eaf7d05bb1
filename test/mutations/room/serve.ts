import type { Mutation } from '../mutation.ts';

export const mutations: readonly Mutation[] = [
  {
    name: 'turn-in-order',
    promise: 'An acknowledged turn is never lost: each number of an episode is stored once, in order.',
    file: 'src/grade/store/sqlite-store.ts',
    find: 'WHERE ?2 = 1 + (SELECT coalesce(max(turn), 0) FROM turn WHERE episode = ?1)',
    replace: 'WHERE ?2 > 0',
    test: 'src/grade/store/store.test.ts',
  },
  {
    name: 'turns-together-in-order',
    promise: 'Turns that go to Postgres together are each stored once and in order, like one by itself.',
    file: 'src/grade/store/postgres-turns.ts',
    find: 'episode.turn_count = given.turn - 1 AND ',
    replace: '',
    test: 'src/grade/store/store.test.ts',
  },
  {
    name: 'rows-of-others-are-seen',
    promise: 'Any server may answer any turn: what another process wrote is not answered from what is kept.',
    file: 'src/grade/store/row-cache.ts',
    find: 'if (version !== this.#seen) this.forget();',
    replace: 'if (Number.isNaN(this.#seen)) this.forget();',
    test: 'src/grade/store/row-cache.test.ts',
  },
  {
    name: 'commit-reaches-disk',
    promise:
      'Nobody is told of a turn that is not on disk yet: what another process has committed is brought there first.',
    file: 'src/grade/store/settled-reads.ts',
    find: 'if (version !== this.#onDisk)',
    replace: 'if (version !== version)',
    test: 'src/grade/store/disk-sync.test.ts',
  },
  {
    name: 'race-has-one-winner',
    promise: 'Of two different turns that race one wins, and the other is a conflict.',
    file: 'src/grade/episode/decide-turn.ts',
    find: 'if (!chosen && arrived !== count)',
    replace: 'if (!chosen && arrived > count)',
    test: 'src/grade/episode/engine.test.ts',
  },
  {
    name: 'store-place-stays-home',
    promise: 'Secrets stay home: an error does not say where the data are.',
    file: 'src/serve/server/refusal.ts',
    find: 'message: forClients[error.code] ?? error.message',
    replace: 'message: error.message',
    test: 'src/serve/server/full-disk.test.ts',
  },
  {
    name: 'reward-told-once',
    promise: 'A client that adds rewards up and one that keeps the last arrive at the same grade.',
    file: 'src/serve/server/session/session.ts',
    find: "if (context.rewardMode === 'final') return outcome.final?.reward ?? null;",
    replace: "if (context.rewardMode === 'final') return reward ?? 0;",
    test: 'src/serve/server/ors/ors.test.ts',
  },
  {
    name: 'other-sites-stay-out',
    promise: 'An open server is not for pages of other sites.',
    file: 'src/serve/server/middleware/gate.ts',
    find: "site === 'cross-site' ||",
    replace: '',
    test: 'src/serve/server/middleware/gate.test.ts',
  },
];
