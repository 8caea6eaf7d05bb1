import type { SplitEntry } from '../api/catalog.ts';

/** What a split is for, by its name: whatever is not for tests or validation is for training. */
export function splitType(split: string): SplitEntry['type'] {
  return split === 'test' || split === 'validation' ? split : 'train';
}
