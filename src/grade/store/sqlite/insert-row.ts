import type { SettledReads, Value } from './settled-reads.ts';
import { isUniqueViolation } from './sqlite.ts';

/** Inserts one row within a write; false when one like it is there already. */
export function insertRow(reads: SettledReads, sql: string, values: readonly Value[]): boolean {
  try {
    reads.prepare(sql).run(...values);
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}
