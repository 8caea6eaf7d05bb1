import type { Mutation } from '../mutation.ts';

export const mutations: readonly Mutation[] = [
  {
    name: 'turn-in-order',
    promise: 'An acknowledged turn is never lost: each number of an episode is stored once, in order.',
    file: 'src/grade/store/sqlite-store.ts',
    find: 'if (moved.changes === 0) return false;',
    replace: '',
    test: 'src/grade/store/store.test.ts',
  },
  {
    name: 'commit-reaches-disk',
    promise: 'A turn is on disk before it is acknowledged.',
    file: 'src/grade/store/sqlite.ts',
    find: 'PRAGMA synchronous = FULL',
    replace: 'PRAGMA synchronous = OFF',
    test: 'src/grade/store/sqlite-store.test.ts',
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
    find: "code === 'store_unavailable'\n        ? 'The store cannot be used now. Nothing was stored; ask again later.'\n        : error.message",
    replace: 'error.message',
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
    file: 'src/serve/server/guard.ts',
    find: "if (site === 'cross-site' || site === 'same-site')",
    replace: "if (site === 'same-site')",
    test: 'src/serve/server/guard.test.ts',
  },
];
