export { startServer } from './server.ts';
export type { RunningServer, ServerOptions } from './server.ts';
export type { RewardMode } from './context.ts';
export { createKey } from './keys.ts';
export { jsonLog } from './log.ts';
export type { Log } from './log.ts';
export { SqliteStore } from '../../grade/store/sqlite-store.ts';
export type { Store } from '../../grade/store/store.ts';
export { loadCatalog } from '../../grade/scenario/catalog.ts';
