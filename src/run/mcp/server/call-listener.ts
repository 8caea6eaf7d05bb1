import type { JsonObject } from '../../../base/json/value.ts';
import type { CallEvent } from '../../tool/call/run-call.ts';
import { noteText, ProgressWriter } from './write-progress.ts';

/** Where a client hears of its call while it runs. */
export interface CallListener {
  /** Where it wants progress. */
  readonly progressToken: string | number | undefined;
  /** The least grave words that it wants in its log; none where it does not say. */
  readonly logLevel: unknown;
  readonly send: (method: 'notifications/progress' | 'notifications/message', params: JsonObject) => void;
}

/** Notes are as grave as `info`. */
const hearsNotes: readonly unknown[] = ['debug', 'info'];

/** Tells a client of its call: as progress where it wants that, else the notes as lines of its log. */
export function tellTo({ progressToken, logLevel, send }: CallListener): (event: CallEvent) => void {
  if (progressToken !== undefined) {
    const writer = new ProgressWriter();
    return (event) => {
      const progress = writer.write(event);
      if (progress !== undefined) send('notifications/progress', { progressToken, ...progress });
    };
  }
  return (event) => {
    if (event.type === 'note' && hearsNotes.includes(logLevel))
      send('notifications/message', { level: 'info', data: noteText(event.note) });
  };
}
