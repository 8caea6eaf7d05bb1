import type { CallRecord } from '../tool/call/call-record.ts';
import type { ValueOf } from '../tool/contract.ts';
import type { RunEvent } from './event.ts';

/** What happens in the calls of one tool, with its types: what it reports, what it ran on and what it answered. */
export type ToolEvent<Input, Returned> =
  | Extract<
      RunEvent,
      {
        type:
          | 'call-start'
          | 'call-delta'
          | 'call-end'
          | 'note'
          | 'changes'
          | 'approval'
          | 'tool-start'
          | 'nested'
          | 'late';
      }
    >
  | (Of<'progress'> & { readonly progress: YieldedBy<Returned> })
  | (Of<'result'> & {
      readonly record: CallRecord & { readonly input?: Input; readonly value?: ValueOf<Returned> };
    });

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

type YieldedBy<Returned> = Returned extends
  | Generator<infer Yielded, unknown>
  | AsyncGenerator<infer Yielded, unknown>
  ? Yielded
  : unknown;

/**
 * An event of a run, with the types of a tool; undefined where it is not about a call of that tool.
 * @example const seen = eventOf(price, event); if (seen?.type === 'result') total += seen.record.value?.amount ?? 0;
 */
export function eventOf<Input, Returned>(
  tool: { readonly name: string; run?(input: Input, context: never): Returned },
  event: RunEvent,
): ToolEvent<Input, Returned> | undefined {
  // The names agree, and only this tool runs and answers under its name.
  return nameIn(event) === tool.name ? (event as ToolEvent<Input, Returned>) : undefined;
}

function nameIn(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'call-end':
      return event.call.name;
    case 'approval':
      return event.request.name;
    case 'result':
      return event.record.call.name;
    case 'call-start':
    case 'call-delta':
    case 'note':
    case 'changes':
    case 'tool-start':
    case 'progress':
    case 'nested':
    case 'late':
      return event.name;
    default:
      return undefined;
  }
}
