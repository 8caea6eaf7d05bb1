import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Journal } from './journal.ts';

const running = new WeakMap<Journal, Set<string>>();

/** A run goes on once at a time: two on one journal would both run what they find open. Gives what lets it go. */
export function lockRun(journal: Journal | undefined, runId: string): () => void {
  if (journal === undefined) return () => undefined;
  const held = running.get(journal) ?? new Set<string>();
  running.set(journal, held);
  if (held.has(runId)) {
    throw new WhetstoneError(
      'journal_conflict',
      `The run ${JSON.stringify(runId)} is already running, in this process and on this journal. Wait for it, or use another runId.`,
      { details: { runId } },
    );
  }
  held.add(runId);
  return () => void held.delete(runId);
}
