import type { Access } from './adapter.ts';

/** Signs in with a bearer key; without a key, not at all. */
export const bearer: Access['headers'] = (key) =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };
