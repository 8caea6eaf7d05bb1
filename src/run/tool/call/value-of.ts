import type { CallRecord } from './call-record.ts';
import type { ValueOf } from '../contract.ts';

/**
 * What a tool answered to this call, with the type of its `run`; undefined where the call was another tool's, or failed.
 * @example for (const record of outcome.calls) total += valueOf(price, record)?.amount ?? 0;
 */
export function valueOf<Returned>(
  tool: { readonly name: string; run?(input: never, context: never): Returned },
  record: CallRecord,
): ValueOf<Returned> | undefined {
  if (!record.success || record.call.name !== tool.name) return undefined;
  // It came out of this tool's `run`.
  return record.value as ValueOf<Returned>;
}
