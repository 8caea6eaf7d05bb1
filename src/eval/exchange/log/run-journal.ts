import { readFileSync, statSync } from 'node:fs';

import { WhetstoneError } from '../../../base/host/errors.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import { addUsage, noUsage } from '../../../base/message/usage.ts';
import { entriesIn } from '../../../run/loop/journal/journal-lines.ts';
import type { JournalEntry } from '../../../run/loop/journal/journal.ts';
import { historyIn, recover } from '../../../run/loop/journal/recover.ts';
import type { Trajectory } from '../trajectory.ts';
import type { Store } from '../../../grade/store/store.ts';
import { textAt } from '../fields.ts';
import { type Log, nameOf } from './log.ts';

/** The file that a run of `fileJournal` is in. It is only read: a run may go on writing into it. */
export function journalLog(path: string): Log {
  const { size } = statSync(path);
  const read = (): Trajectory => {
    const bytes = readFileSync(path);
    const entries = entriesIn(bytes.subarray(0, bytes.lastIndexOf(10) + 1), (why, cause) => {
      throw new WhetstoneError('log_unreadable', `${path} is a journal that cannot be read: ${why}.`, {
        cause,
      });
    });
    return readRun(runIdOf(path), entries);
  };
  return {
    path,
    format: 'a journal of a run',
    bytes: size,
    // eslint-disable-next-line typescript/require-await
    async *entries() {
      yield { trajectory: read(), place: {}, readTo: size };
    },
    read: () => Promise.resolve(read()),
  };
}

/** The runs of `storeJournal`, of which a store may hold many. */
export function runsLog(store: Store): Log {
  const read = async (run: string): Promise<Trajectory> =>
    readRun(
      run,
      (await store.runs.read(run)).map((entry) => JSON.parse(entry) as JournalEntry),
    );
  return {
    path: store.place,
    format: 'a journal of a run',
    bytes: 0,
    async *entries() {
      for (let after: string | undefined = ''; after !== undefined;) {
        const runs: readonly string[] = await store.runs.scan(after, page);
        for (const run of runs) yield { trajectory: await read(run), place: { run }, readTo: 0 };
        after = runs.at(-1);
      }
    },
    read: (place) => read(textAt(place, 'run') ?? ''),
  };
}

const page = 100;

/** Whether the first line of a file is that of a journal. */
export function isJournal(line: JsonObject): boolean {
  return line['type'] === 'start' && Array.isArray(line['messages']);
}

/** A run of the library, as its journal has it: what has no grade. */
function readRun(runId: string, entries: readonly JournalEntry[]): Trajectory {
  const recovered = recover(runId, entries) ?? { start: [], steps: [], ended: undefined };
  const { steps, ended } = recovered;
  const from = steps.find(({ reply }) => reply.message.from)?.reply.message.from;
  const usage = steps.reduce((sum, { reply }) => addUsage(sum, reply.usage ?? noUsage), noUsage);
  const [first] = entries;
  const end = entries.findLast((entry) => entry.type === 'end');
  const error = steps.at(-1)?.reply.error;
  return {
    id: runId,
    task: runId,
    trial: 1,
    agent: { name: from?.model ?? 'unknown', ...(from && { model: `${from.api}/${from.model}` }) },
    tools: [],
    messages: historyIn(recovered),
    tokens: [],
    ended: ended ?? 'not ended',
    ...(error && { error: error.message }),
    ...(first?.type === 'start' && { startedAt: new Date(first.at).toISOString() }),
    ...(end?.type === 'end' && { endedAt: new Date(end.at).toISOString() }),
    metadata: {
      collection: 'runs',
      scenario: runId,
      usage: { inputTokens: usage.input, outputTokens: usage.output },
    },
  };
}

function runIdOf(path: string): string {
  const name = nameOf(path);
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // Somebody gave the file another name.
  }
}
