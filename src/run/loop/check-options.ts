import { WhetstoneError } from '../../base/host/errors.ts';
import type { RunOptions } from './options.ts';

/** Refuses what a run could not begin with, or would wait on for ever. */
export function checkOptions(options: RunOptions): void {
  const { messages = [], prompt, journal, runId, concurrency, toolTimeout, approvalKey } = options;
  if (messages.length === 0 && prompt === undefined && (journal === undefined || runId === undefined)) {
    throw refusal(
      'The run has neither a prompt nor messages: there is nothing to ask the model. Pass one of them.',
    );
  }
  if (concurrency !== undefined && !(concurrency >= 1)) {
    throw refusal(`A concurrency of ${String(concurrency)} lets no call run: it is a number from 1 on.`);
  }
  if (toolTimeout !== undefined && toolTimeout !== false && !(toolTimeout > 0)) {
    throw refusal(`A toolTimeout of ${String(toolTimeout)} means nothing: milliseconds above 0, or false.`);
  }
  if (approvalKey === '') {
    throw refusal('The approvalKey is empty, so anybody could sign. Is the variable set that it comes from?');
  }
}

function refusal(message: string): WhetstoneError {
  return new WhetstoneError('run_option_invalid', message);
}
