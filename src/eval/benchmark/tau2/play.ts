import type { PlayableBenchmark } from '../play/playable.ts';
export function openTau2Tasks(_folder: string, _domain: string | undefined): PlayableBenchmark {
  throw new Error('not yet');
}
