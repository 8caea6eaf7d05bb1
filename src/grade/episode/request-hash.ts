import { hash } from 'node:crypto';

import { canonicalJson } from '../../base/json/canonical.ts';

/** The same value gives the same hash, whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return hash('sha256', canonicalJson(value as never), 'hex');
}
