import { systemClock } from '../../base/host/clock.ts';
import { argumentsAsText } from '../../base/message/arguments.ts';
import type { Call } from '../../base/message/call.ts';
import type { Message } from '../../base/message/message.ts';
import type { Result } from '../../base/message/result.ts';
import { askApproval } from './ask-approval.ts';
import type { Approver, Asked } from './ask-approval.ts';
import type { ApprovalMade, CallRecord } from './call-record.ts';
import type { ArgumentChange, Note } from './contract.ts';
import { Failure, InvalidArgument } from './failure.ts';
import { programUse } from './lifecycle.ts';
import type { ToolUse } from './lifecycle.ts';
import { nearestNames } from './nearest-names.ts';
import { noteFor } from './note.ts';
import { cutToBudget, defaultOutputBudget } from './output-budget.ts';
import { readOutput } from './output.ts';
import { CallContext, perform } from './perform.ts';
import type { Late, Performed } from './perform.ts';
import type { PreparedTool } from './prepare-tool.ts';
import { readCall } from './read-call.ts';
import type { ReadCall } from './read-call.ts';
import { Ticket } from './ticket.ts';
import { toolbox } from './toolbox.ts';
import type { Toolbox, ToolSource } from './toolbox.ts';
import { Left, Watch } from './watch.ts';

/** Ten minutes: long enough for real work, short enough that a tool which hangs does not hang the run for ever. */
export const defaultToolTimeout = 600_000;

/** What happens on the way of one call, for those who show it. */
export type CallEvent =
  | { readonly type: 'note'; readonly on: 'request' | 'result' | 'failure'; readonly note: Note }
  | { readonly type: 'changes'; readonly changes: readonly ArgumentChange[] }
  | { readonly type: 'progress'; readonly progress: unknown }
  | { readonly type: 'late'; readonly late: Late };

export interface RunCallOptions {
  readonly messages?: readonly Message[];
  readonly step?: number;
  /** What tools get and no model sees. */
  readonly injected?: Readonly<Record<string, unknown>>;
  /** Milliseconds for tools that set no time of their own; `false` for none. */
  readonly toolTimeout?: number | false;
  /** Mend arguments that are almost JSON, for tools that do not say it themselves. */
  readonly repair?: boolean;
  /** Decides on calls that need a person. Without one they wait: the result says so. */
  readonly approver?: Approver | undefined;
  readonly signal?: AbortSignal;
  /** Shared by the calls of a run; alone, a call has its own. */
  readonly watch?: Watch;
  /** How often a call that was wrong came again, by its text. Shared by the calls of a run. */
  readonly mistakes?: Map<string, number>;
  /** The tool that reads on in results that were cut. */
  readonly outputReader?: string | undefined;
  readonly on?: ((event: CallEvent, call: Call) => void) | undefined;
  /** Starts tools, and stops them when the run ends. */
  readonly use?: ToolUse;
  /** Awaited after the call was found good and before the tool runs: where a journal writes it down. */
  readonly beforeRun?: ((call: Call) => Promise<void> | undefined) | undefined;
}

/**
 * Runs one call: find, read, check, approve, run, report. Never throws for what a model or a tool did wrong: every way
 * ends in a record with exactly one result.
 * @example const { result } = await runCall(call, toolbox(weather));
 */
export async function runCall(
  call: Call,
  tools: Toolbox | ToolSource,
  options: RunCallOptions = {},
): Promise<CallRecord> {
  const box = toolbox(tools as ToolSource);
  const watch = options.watch ?? new Watch(systemClock);
  if (options.watch !== undefined) return takeCall(call, box, watch, options);
  const abort = (): void => watch.abort(options.signal?.reason);
  if (options.signal?.aborted) abort();
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    return await takeCall(call, box, watch, options);
  } finally {
    options.signal?.removeEventListener('abort', abort);
    watch.close();
  }
}

async function takeCall(
  call: Call,
  box: Toolbox,
  watch: Watch,
  options: RunCallOptions,
): Promise<CallRecord> {
  const ticket = new Ticket(call, options);
  try {
    return await walk(ticket, box, watch, options);
  } catch (error) {
    if (!(error instanceof Left)) throw error;
    return ticket.refuse('cancelled', `The run was stopped before this call of "${call.name}" was run.`);
  }
}

/** The way of a call: find, read, check, approve, run, report. */
async function walk(
  ticket: Ticket,
  box: Toolbox,
  watch: Watch,
  options: RunCallOptions,
): Promise<CallRecord> {
  const { call } = ticket;
  const tool = box.find(call.name);
  if (tool === undefined) return ticket.refuse('unknown_tool', unknownTool(call, box));
  if (call.invalid?.reason === 'truncated') return ticket.refuse('truncated', cutOff(call));
  const repair = tool.tool.repair ?? options.repair ?? false;
  const reading = readCall(call, tool, { injected: options.injected ?? nothing, repair });
  const read = reading instanceof Promise ? await reading : reading;
  if (!read.ok) return ticket.refuse(read.code, read.text + specAfterThreeMistakes(call, tool, options));
  const context = new CallContext(
    call,
    options.messages ?? [],
    options.step ?? 1,
    options.injected ?? nothing,
  );
  return proceed(ticket, tool, read, context, watch, options);
}

const nothing = {};

type GoodReading = Extract<ReadCall, { ok: true }>;

async function proceed(
  ticket: Ticket,
  tool: PreparedTool,
  read: GoodReading,
  context: CallContext,
  watch: Watch,
  options: RunCallOptions,
): Promise<CallRecord> {
  const { call } = ticket;
  const definition = tool.tool;
  let input = read.input;
  if (definition.readArguments !== undefined) {
    const own = await watch.until(ownReading(tool, input, context), (why) => context.abort(why));
    if (own.kind === 'refused') {
      const text = own.text + specAfterThreeMistakes(call, tool, options);
      return ticket.refuse('invalid_arguments', text, own.cause);
    }
    input = own.input;
  }
  ticket.changed(read.changes);
  let approval: ApprovalMade | undefined;
  if (definition.approval !== undefined && definition.approval !== 'never') {
    const asking = askApproval(tool, read.arguments, input, context, options.approver);
    const asked = await watch.until(asking, (why) => context.abort(why));
    if (asked.kind === 'edited') {
      const edited = { ...call, arguments: asked.arguments as typeof call.arguments };
      return await runEdited(ticket, tool, edited, asked, context, watch, options);
    }
    if (asked.kind !== 'go') return stopAtApproval(ticket, input, asked);
    approval = asked.approval;
  }
  return execute(ticket, tool, input, approval, context, watch, options);
}

async function execute(
  ticket: Ticket,
  tool: PreparedTool,
  input: unknown,
  approval: ApprovalMade | undefined,
  context: CallContext,
  watch: Watch,
  options: RunCallOptions,
): Promise<CallRecord> {
  const { call } = ticket;
  const definition = tool.tool;
  if (tool.runs === 'client') return ticket.wait('client', input, approval);
  ticket.note('request', noteFor(tool, 'noteOnRequest', input));
  const written = options.beforeRun?.(call);
  if (written !== undefined) await written;
  if (definition.start !== undefined) {
    try {
      await watch.until((options.use ?? programUse).ensureStarted(definition), (why) => context.abort(why));
    } catch (error) {
      if (error instanceof Left) throw error;
      return ticket.fail('tool_threw', thrownText(tool, error), { input, approval, cause: error });
    }
  }
  const { clock } = watch;
  const startedAt = clock.now();
  const from = clock.monotonic();
  const ending = perform(tool, input, context, {
    watch,
    timeout: timeoutOf(tool, options),
    onProgress: (progress) => options.on?.({ type: 'progress', progress }, call),
    onLate: (late) => options.on?.({ type: 'late', late }, call),
  });
  const performed = ending instanceof Promise ? await ending : ending;
  const timing = { startedAt, durationMs: clock.monotonic() - from };
  return report(ticket, tool, input, performed, { timing, approval, outputReader: options.outputReader });
}

interface ReportOptions {
  readonly timing: { readonly startedAt: number; readonly durationMs: number };
  readonly approval: ApprovalMade | undefined;
  readonly outputReader: string | undefined;
}

function report(
  ticket: Ticket,
  tool: PreparedTool,
  input: unknown,
  performed: Performed,
  options: ReportOptions,
): CallRecord {
  const { approval, timing } = options;
  if (performed.kind === 'interrupted') {
    const code = performed.why.kind === 'timeout' ? 'timeout' : 'cancelled';
    return ticket.fail(code, interruptedText(tool, performed), { input, approval, timing, tool });
  }
  const value = performed.kind === 'value' ? performed.value : performed.error;
  if (value instanceof Failure) {
    const code = value instanceof InvalidArgument ? 'invalid_arguments' : 'failed';
    return ticket.fail(code, failureText(tool, value), { input, approval, timing, tool });
  }
  if (performed.kind === 'threw') {
    const text = thrownText(tool, performed.error);
    return ticket.fail('tool_threw', text, { input, approval, timing, tool, cause: performed.error });
  }
  const read = readOutput(value, tool.name);
  if (!read.ok) return ticket.fail('output_not_json', read.message, { input, approval, timing, tool });
  const budget = tool.tool.outputBudget ?? defaultOutputBudget;
  const { content, whole } = cutToBudget(read.content, budget, {
    callId: ticket.call.id,
    reader: options.outputReader,
  });
  const result: Result = {
    callId: ticket.call.id,
    name: ticket.call.name,
    content,
    ...(read.artifact !== undefined && { artifact: read.artifact }),
    startedAt: timing.startedAt,
    durationMs: timing.durationMs,
    ...(whole !== undefined && { truncated: { characters: whole.length } }),
  };
  ticket.note('result', noteFor(tool, 'noteOnResult', input, value));
  return ticket.done(result, true, {
    input,
    ...(approval && { approval }),
    ...(whole !== undefined && { whole }),
  });
}

/** A person changed the arguments: they are read and checked like any others, and run under the new hash. */
async function runEdited(
  ticket: Ticket,
  tool: PreparedTool,
  edited: Call,
  asked: Extract<Asked, { kind: 'edited' }>,
  context: CallContext,
  watch: Watch,
  options: RunCallOptions,
): Promise<CallRecord> {
  const read = await readCall(edited, tool, { injected: options.injected ?? nothing, repair: false });
  const own = read.ok && tool.tool.readArguments ? await ownReading(tool, read.input, context) : undefined;
  if (!read.ok || own?.kind === 'refused') {
    const why = read.ok ? (own?.kind === 'refused' ? own.text : '') : read.text;
    const text = `A person changed the arguments of this call, and the changed ones do not fit, so it was not run.\n${why}`;
    return ticket.refuse('rejected', text);
  }
  const input = own?.kind === 'input' ? own.input : read.input;
  const approval: ApprovalMade = { decision: 'edit', hash: asked.hashOf(read.arguments) };
  ticket.tell(`A person changed the arguments of this call to ${JSON.stringify(read.arguments)}.\n`);
  return execute(ticket, tool, input, approval, context, watch, options);
}

function stopAtApproval(
  ticket: Ticket,
  input: unknown,
  asked: Extract<Asked, { kind: 'waits' | 'rejected' }>,
): CallRecord {
  if (asked.kind === 'waits') return ticket.wait('approval', input, undefined, asked.request);
  const { approval } = asked;
  const because =
    approval.reason === undefined || approval.reason === '' ? '' : ` The reason: ${approval.reason}`;
  const text = `A person did not allow this call of "${ticket.call.name}", so it was not run.${because}`;
  return ticket.fail('rejected', text, { input, approval, ...(asked.cause ? { cause: asked.cause } : {}) });
}

type OwnReading =
  | { readonly kind: 'input'; readonly input: unknown }
  | { readonly kind: 'refused'; readonly text: string; readonly cause?: unknown };

async function ownReading(tool: PreparedTool, input: unknown, context: CallContext): Promise<OwnReading> {
  const refusal = (value: unknown): OwnReading => ({
    kind: 'refused',
    text:
      value instanceof Failure
        ? failureText(tool, value)
        : `The arguments of "${tool.name}" could not be read: ${messageOf(value)}`,
    ...(value instanceof Failure ? {} : { cause: value }),
  });
  try {
    const own: unknown = await tool.tool.readArguments?.(input as never, context);
    return own instanceof Failure ? refusal(own) : { kind: 'input', input: own };
  } catch (error) {
    return refusal(error);
  }
}

function unknownTool(call: Call, box: Toolbox): string {
  const near = nearestNames(call.name, box.names);
  const meant = near.length === 0 ? '' : ` Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`;
  const known = box.size === 0 ? 'There are no tools now.' : `The tools are: ${box.names.join(', ')}.`;
  return `There is no tool "${call.name}", so nothing was run.${meant} ${known}`;
}

function cutOff(call: Call): string {
  return `The call of "${call.name}" was cut off before it was complete, so it was not run. ${call.invalid?.message ?? ''}`.trimEnd();
}

function failureText(tool: PreparedTool, failure: Failure): string {
  if (failure instanceof InvalidArgument) {
    return `The arguments of "${tool.name}" are not right, so nothing was done:\n${failure.field}: expected ${failure.expected}\nCall it again with this mended.`;
  }
  return failure.reason ?? `"${tool.name}" could not do it and gave no reason.`;
}

function thrownText(tool: PreparedTool, error: unknown): string {
  return `"${tool.name}" failed: ${messageOf(error)}\nThis is a fault in the tool, not in the call; the same call may fail again.`;
}

function interruptedText(tool: PreparedTool, performed: Extract<Performed, { kind: 'interrupted' }>): string {
  return performed.why.kind === 'timeout'
    ? `"${tool.name}" did not answer within ${performed.why.ms} ms and was left behind. What it did until then is not known.`
    : `"${tool.name}" was cancelled before it answered. What it did until then is not known.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function timeoutOf(tool: PreparedTool, options: RunCallOptions): number {
  const timeout = tool.tool.timeout ?? options.toolTimeout ?? defaultToolTimeout;
  return timeout === false ? Infinity : timeout;
}

/** Who sends the same wrong call three times has not understood the schema: now the answer brings all of it. */
function specAfterThreeMistakes(call: Call, tool: PreparedTool, options: RunCallOptions): string {
  if (options.mistakes === undefined) return '';
  const key = `${call.name} ${argumentsAsText(call)}`;
  const times = (options.mistakes.get(key) ?? 0) + 1;
  options.mistakes.set(key, times);
  if (times < 3) return '';
  return `\nThis same call has now failed ${times} times. The whole specification of the tool: ${JSON.stringify(tool.spec)}`;
}
