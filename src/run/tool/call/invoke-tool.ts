import type { JsonObject } from '../../../base/json/value.ts';
import type { Result } from '../../../base/message/result.ts';
import { describeIssues } from '../../../base/schema/check/issue.ts';
import type { ArgumentChecker } from './check-arguments.ts';
import type { ApprovalMade, CallErrorCode, CallRecord } from './call-record.ts';
import { failureText, interruptedText, thrownText } from './call-text.ts';
import { Failure, InvalidArgument } from '../failure.ts';
import { programUse } from '../lifecycle.ts';
import { cutToBudget, defaultOutputBudget, readOutput, ToolOutput } from '../output.ts';
import type { PreparedTool } from '../prepare-tool.ts';
import type { RunCallOptions } from './run-call.ts';
import { noteFor } from './call-record-builder.ts';
import type { CallRecordBuilder } from './call-record-builder.ts';
import { Abandoned, runWithinDeadline } from './deadlines.ts';
import type { CallContext, Deadlines, ToolEnd } from './deadlines.ts';

/** Ten minutes: long enough for real work, short enough that a tool which hangs does not hang the run for ever. */
const defaultToolTimeout = 600_000;

/** One call on its scope, and all that goes with it. */
export interface CallScope {
  readonly builder: CallRecordBuilder;
  readonly tool: PreparedTool;
  readonly context: CallContext;
  readonly deadlines: Deadlines;
  readonly options: RunCallOptions;
}

/**
 * Runs a tool on arguments that were read and allowed, and reports how it ended. At once where everything is at hand:
 * each promise more would be paid by every call.
 */
export function invokeTool(
  scope: CallScope,
  input: unknown,
  approval: ApprovalMade | undefined,
): CallRecord | Promise<CallRecord> {
  const { builder, tool, options } = scope;
  // Also a tool of the provider's that is to run here, and was not told how: nothing has run it.
  if (tool.tool.run === undefined || tool.runs === 'client') return builder.wait('client', input, approval);
  builder.note('request', noteFor(tool, 'noteOnRequest', input));
  const written = options.beforeRun?.(builder.call);
  if (written === undefined && !tool.hasLife) return start(scope, input, approval);
  return startLater(scope, input, approval, written);
}

async function startLater(
  scope: CallScope,
  input: unknown,
  approval: ApprovalMade | undefined,
  written: Promise<void> | undefined,
): Promise<CallRecord> {
  const { builder, tool, deadlines, context, options } = scope;
  if (written !== undefined) await written;
  if (tool.hasLife) {
    const starting = (options.use ?? programUse).ensureStarted(tool.tool);
    const timeoutMs = timeoutOf(tool, options);
    const started = await deadlines.settle(starting, { timeoutMs, onInterrupt: (why) => context.abort(why) });
    if (started.kind === 'interrupted') throw new Abandoned(started.why);
    if (started.kind === 'threw')
      return builder.fail('tool_threw', thrownText(tool, started.error), {
        input,
        approval,
        cause: started.error,
      });
  }
  return start(scope, input, approval);
}

function start(
  scope: CallScope,
  input: unknown,
  approval: ApprovalMade | undefined,
): CallRecord | Promise<CallRecord> {
  const { builder, tool, deadlines, context, options } = scope;
  const { clock } = deadlines;
  options.on?.({ type: 'tool-start' }, builder.call);
  const startedAt = clock.now();
  const from = clock.monotonic();
  const go = (): ToolEnd | Promise<ToolEnd> =>
    runWithinDeadline(tool, input, context, {
      deadlines,
      timeout: timeoutOf(tool, options),
      onProgress: (progress) => options.on?.({ type: 'progress', progress }, builder.call),
      onLate: (late) => options.on?.({ type: 'late', late }, builder.call),
    });
  const ending = options.around === undefined ? go() : options.around(builder.call, go);
  const finish = (performed: ToolEnd): CallRecord => {
    const timing = { startedAt, durationMs: clock.monotonic() - from };
    return report(builder, tool, input, performed, { timing, approval, outputReader: options.outputReader });
  };
  if (tool.output !== undefined) return checkedEnd(tool, tool.output, ending).then(finish);
  return ending instanceof Promise ? ending.then(finish) : finish(ending);
}

/** How it ended, with its answer as its `output` schema reads it; an answer that does not fit is a failure. */
async function checkedEnd(
  { name }: PreparedTool,
  output: ArgumentChecker,
  ending: ToolEnd | Promise<ToolEnd>,
): Promise<ToolEnd> {
  const ended = await ending;
  const { value } = ended.kind === 'value' ? ended : {};
  if (ended.kind !== 'value' || value instanceof Failure || value instanceof Error) return ended;
  const bare: unknown = value instanceof ToolOutput ? value.content : value;
  // A checker takes any value; most are given arguments.
  const checked = await output.check((bare ?? null) as JsonObject);
  if (!checked.ok) {
    const wrong = `"${name}" ran, but what it returned does not fit its output schema:\n${describeIssues(checked.issues)}\nThis is a fault in the tool, not in the call.`;
    return { ...ended, value: new Failure(wrong, 'output_invalid') };
  }
  return {
    ...ended,
    value:
      value instanceof ToolOutput
        ? new ToolOutput(checked.value, value.artifact, value.acknowledgedSafetyChecks)
        : checked.value,
  };
}

interface ReportOptions {
  readonly timing: { readonly startedAt: number; readonly durationMs: number };
  readonly approval: ApprovalMade | undefined;
  readonly outputReader: string | undefined;
}

function report(
  builder: CallRecordBuilder,
  tool: PreparedTool,
  input: unknown,
  performed: ToolEnd,
  options: ReportOptions,
): CallRecord {
  const { approval, timing } = options;
  if (performed.kind === 'interrupted') {
    const code = performed.why.kind === 'timeout' ? 'timeout' : 'cancelled';
    return builder.fail(code, interruptedText(tool, performed), { input, approval, timing, tool });
  }
  const value = performed.kind === 'value' ? performed.value : performed.error;
  const budget = tool.tool.outputBudget ?? defaultOutputBudget;
  const cut = { callId: builder.call.id, reader: options.outputReader };
  const fail = (code: CallErrorCode, text: string, cause?: unknown): CallRecord => {
    // What a failure says may be as long as any answer.
    const { content, whole } = cutToBudget([{ type: 'text', text }], budget, cut);
    const told = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return builder.fail(code, told, { input, approval, timing, tool, cause, ...(whole && { whole }) });
  };
  if (value instanceof Failure) {
    return fail(
      value instanceof InvalidArgument ? 'invalid_arguments' : value.code,
      failureText(tool, value),
    );
  }
  if (performed.kind === 'threw' || value instanceof Error)
    return fail('tool_threw', thrownText(tool, value), value);
  const read = readOutput(value, tool.name);
  if (!read.ok) return builder.fail('output_not_json', read.message, { input, approval, timing, tool });
  const { content, whole } = cutToBudget(read.content, budget, cut);
  const agreed = value instanceof ToolOutput ? value.acknowledgedSafetyChecks : [];
  const result: Result = {
    callId: builder.call.id,
    name: builder.call.name,
    content,
    ...(read.artifact !== undefined && { artifact: read.artifact }),
    ...(agreed.length > 0 && { acknowledgedSafetyChecks: agreed }),
    startedAt: timing.startedAt,
    durationMs: timing.durationMs,
    ...(whole !== undefined && { truncated: { characters: whole.length } }),
  };
  const bare = value instanceof ToolOutput ? value.content : value;
  builder.note('result', noteFor(tool, 'noteOnResult', input, bare));
  return builder.done(result, true, {
    input,
    ...(approval && { approval }),
    ...(whole !== undefined && { whole }),
    value: bare,
  });
}

/** Its time was over before it had even run. */
export function notReady(builder: CallRecordBuilder, ms: number): CallRecord {
  return builder.refuse(
    'timeout',
    `"${builder.call.name}" was not ready within ${ms} ms, so it was not run.`,
  );
}

export function timeoutOf(tool: PreparedTool, options: RunCallOptions): number {
  const timeout = tool.tool.timeout ?? options.toolTimeout ?? defaultToolTimeout;
  return timeout === false ? Infinity : timeout;
}
