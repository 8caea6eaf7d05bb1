import { argumentsAsText } from '../../../base/message/arguments.ts';
import type { Call } from '../../../base/message/call.ts';
import { InvalidArgument } from '../failure.ts';
import type { Failure } from '../failure.ts';
import { nearestNames } from '../../../base/schema/check/nearest-names.ts';
import type { ToolEnd } from './deadlines.ts';
import type { PreparedTool } from '../prepare-tool.ts';
import type { Toolbox } from '../toolbox.ts';

/** What a model reads when it calls what is not there. */
export function unknownToolText(call: Call, box: Toolbox): string {
  const near = nearestNames(call.name, box.names);
  const meant = near.length === 0 ? '' : ` Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`;
  const known = box.size === 0 ? 'There are no tools now.' : `The tools are: ${box.names.join(', ')}.`;
  return `There is no tool "${call.name}", so nothing was run.${meant} ${known}`;
}

export function cutOffText(call: Call): string {
  return `The call of "${call.name}" was cut off before it was complete, so it was not run. ${call.invalid?.message ?? ''}`.trimEnd();
}

export function failureText(tool: PreparedTool, failure: Failure): string {
  if (failure instanceof InvalidArgument) {
    return `The arguments of "${tool.name}" are not right, so nothing was done:\n${failure.field}: expected ${failure.expected}\nCall it again with this corrected.`;
  }
  return failure.reason ?? `"${tool.name}" could not do this and gave no reason.`;
}

export function thrownText(tool: PreparedTool, error: unknown): string {
  return `"${tool.name}" failed: ${messageOf(error)}\nThis is a fault in the tool, not in the call; the same call may fail again.`;
}

export function interruptedText(
  tool: PreparedTool,
  performed: Extract<ToolEnd, { kind: 'interrupted' }>,
): string {
  return performed.why.kind === 'timeout'
    ? `"${tool.name}" did not answer within ${performed.why.ms} ms and was left behind. What it did until then is not known.`
    : `"${tool.name}" was cancelled before it answered. What it did until then is not known.`;
}

/** What was thrown may be anything, also what cannot be turned into a text. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof AggregateError && error.message === '')
      return error.errors.map(messageOf).join('; ');
    const { message } = Object(error) as { readonly message?: unknown };
    if (typeof message === 'string' && message !== '') return message;
    const text = String(error);
    return text === '[object Object]' ? JSON.stringify(error) : text;
  } catch {
    return 'something was thrown that cannot be shown';
  }
}

/** Who sends the same wrong call three times has not understood the schema: now the answer brings all of it. */
export function specAfterThreeMistakes(
  call: Call,
  tool: PreparedTool,
  mistakes: Map<string, number> | undefined,
): string {
  if (mistakes === undefined) return '';
  const key = `${call.name} ${argumentsAsText(call)}`;
  const times = (mistakes.get(key) ?? 0) + 1;
  mistakes.set(key, times);
  if (times < 3) return '';
  return `\nThis same call has now failed ${times} times. The whole specification of the tool: ${JSON.stringify(tool.spec)}`;
}
