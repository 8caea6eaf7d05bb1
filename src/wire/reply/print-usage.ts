import type { Usage } from '../../base/message/usage.ts';
import type { PrintedUsage } from '../adapter.ts';

/** For an API that counts as we do. */
export function printUsage({ input, output }: Usage): PrintedUsage {
  return { input, output };
}

/** For an API that leaves the cache out of its input. */
export function printUncached({ input, output, cachedRead = 0, cachedWrite = 0 }: Usage): PrintedUsage {
  return { input: input - cachedRead - cachedWrite, output };
}
