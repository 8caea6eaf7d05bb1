import type { Call } from '../../../base/message/call.ts';
import { askApproval } from './ask-approval.ts';
import type { Asked } from './ask-approval.ts';
import type { BeforeCall } from './call-guard.ts';
import type { ApprovalMade, CallRecord } from './call-record.ts';
import { CallRecordBuilder } from './call-record-builder.ts';
import { cutOffText, failureText, messageOf, specAfterThreeMistakes, unknownToolText } from './call-text.ts';
import { Abandoned, CallContext } from './deadlines.ts';
import type { Deadlines } from './deadlines.ts';
import { Failure } from '../failure.ts';
import { invokeTool, notReady, timeoutOf } from './invoke-tool.ts';
import type { CallScope } from './invoke-tool.ts';
import type { PreparedTool } from '../prepare-tool.ts';
import { readCall } from './read-call.ts';
import type { ReadCall } from './read-call.ts';
import type { RunCallOptions } from './run-call.ts';
import type { Toolbox } from '../toolbox.ts';

/** The way of a call: find, read, check, approve, run, report. At once as far as nothing has to be waited for. */
export function prepareCall(
  call: Call,
  box: Toolbox,
  deadlines: Deadlines,
  options: RunCallOptions,
): CallRecord | Promise<CallRecord> {
  const builder = new CallRecordBuilder(call, options);
  const tool = box.findFor(call);
  if (tool === undefined) return builder.refuse('unknown_tool', unknownToolText(call, box));
  if (call.invalid?.reason === 'truncated') return builder.refuse('truncated', cutOffText(call));
  const { messages = [], step = 1, injected = nothing } = options;
  const context = new CallContext(call, messages, step, injected, {
    ...(options.within && { within: options.within }),
    onNote: (note) => builder.note('run', note),
  });
  const scope: CallScope = { builder, tool, context, deadlines, options };
  const reading = readAgain(scope, call, tool.tool.repair ?? options.repair ?? false);
  const record =
    reading instanceof Promise
      ? inTime(scope, reading).then((read) => proceed(scope, read))
      : proceed(scope, reading);
  return record instanceof Promise ? unlessAbandoned(scope, record) : record;
}

const nothing = {};

function readAgain({ tool, options }: CallScope, call: Call, repair: boolean): ReadCall | Promise<ReadCall> {
  const { injected = nothing } = options;
  return readCall(call, tool, { injected, repair, coerce: tool.tool.coerce ?? options.coerce ?? false });
}

/** Waits for what comes before the tool's own run, no longer than for the tool: a schema may ask a database. */
function inTime<Value>(scope: CallScope, work: Promise<Value>): Promise<Value> {
  const { tool, context, deadlines, options } = scope;
  return deadlines.until(work, {
    timeoutMs: timeoutOf(tool, options),
    onInterrupt: (why) => context.abort(why),
  });
}

/** A call that was cancelled, or whose time was over, while something else than its tool was waited for. */
function unlessAbandoned({ builder }: CallScope, record: Promise<CallRecord>): Promise<CallRecord> {
  return record.catch((error: unknown) => {
    if (!(error instanceof Abandoned)) throw error;
    if (error.why.kind === 'timeout') return notReady(builder, error.why.ms);
    const text = `The run was stopped before this call of "${builder.call.name}" was run.`;
    return builder.refuse('cancelled', text);
  });
}

function proceed(scope: CallScope, read: ReadCall): CallRecord | Promise<CallRecord> {
  if (!read.ok) return refuseArguments(scope, read);
  const { beforeCall } = scope.options;
  return beforeCall === undefined ? goOn(scope, read) : guard(scope, read, beforeCall);
}

function goOn(scope: CallScope, read: Fit): CallRecord | Promise<CallRecord> {
  const { readArguments, approval = 'never' } = scope.tool.tool;
  if (readArguments !== undefined || approval !== 'never') return readAndApprove(scope, read);
  scope.builder.changed(read.changes);
  return invokeTool(scope, read.input, undefined);
}

type Fit = Extract<ReadCall, { ok: true }>;
type Misfit = Extract<ReadCall, { ok: false }>;

function refuseArguments({ builder, tool, options }: CallScope, { code, text, cause }: Misfit): CallRecord {
  return builder.refuse(code, text + specAfterThreeMistakes(builder.call, tool, options.mistakes), cause);
}

/** What a guard makes of a call. A guard that throws has not allowed it. */
async function guard(scope: CallScope, read: Fit, beforeCall: BeforeCall): Promise<CallRecord> {
  const { builder, context, deadlines } = scope;
  const { call, step, messages, signal } = context;
  const refused = (reason: string, cause?: unknown): CallRecord =>
    builder.refuse(
      'rejected',
      `This call of "${call.name}" is not allowed here, so it was not run. The reason: ${reason}`,
      cause,
    );
  let verdict: Awaited<ReturnType<BeforeCall>>;
  try {
    const asking = (async () => beforeCall({ call, arguments: read.arguments, step, messages, signal }))();
    verdict = await deadlines.until(asking, { onInterrupt: (why) => context.abort(why) });
  } catch (error) {
    if (error instanceof Abandoned) throw error;
    return refused('it could not be checked', error);
  }
  if (!verdict) return goOn(scope, read);
  if (!('arguments' in verdict)) return refused('end' in verdict ? verdict.end : verdict.refuse);
  const changed = { ...call, arguments: verdict.arguments as Call['arguments'] };
  const reading = readAgain(scope, changed, false);
  const own = reading instanceof Promise ? await inTime(scope, reading) : reading;
  if (!own.ok) return refused(`its arguments were changed, and no longer fit.\n${own.text}`);
  builder.tell(`The arguments of this call were changed to ${JSON.stringify(own.arguments)}.\n`);
  return goOn(scope, own);
}

async function readAndApprove(scope: CallScope, read: Fit): Promise<CallRecord> {
  const { builder, tool, context, deadlines, options } = scope;
  const own = await ownReading(scope, read);
  if (!own.ok) return refuseArguments(scope, own);
  builder.changed(read.changes);
  const asking = askApproval(tool, read.arguments, own.input, context, options);
  const asked = await deadlines.until(asking, { onInterrupt: (why) => context.abort(why) });
  if (asked.kind === 'edited') return runEdited(scope, asked);
  if (asked.kind !== 'go') return stopAtApproval(builder, own.input, asked);
  return invokeTool(scope, own.input, asked.approval);
}

/** A person changed the arguments: they are read and checked like any others, and run under the new hash. */
async function runEdited(scope: CallScope, asked: Extract<Asked, { kind: 'edited' }>): Promise<CallRecord> {
  const { builder } = scope;
  const edited = { ...builder.call, arguments: asked.arguments as Call['arguments'] };
  const reading = readAgain(scope, edited, false);
  const read = reading instanceof Promise ? await inTime(scope, reading) : reading;
  const own = read.ok ? await ownReading(scope, read) : read;
  if (!read.ok || !own.ok) {
    const why = own.ok ? '' : own.text;
    const text = `A person changed the arguments of this call, and the changed ones do not fit, so it was not run.\n${why}`;
    return builder.refuse('rejected', text);
  }
  const approval: ApprovalMade = { decision: 'edit', hash: asked.hashOf(read.arguments) };
  builder.tell(`A person changed the arguments of this call to ${JSON.stringify(read.arguments)}.\n`);
  return invokeTool(scope, own.input, approval);
}

function stopAtApproval(
  builder: CallRecordBuilder,
  input: unknown,
  asked: Extract<Asked, { kind: 'waits' | 'rejected' }>,
): CallRecord {
  if (asked.kind === 'waits') return builder.wait('approval', input, undefined, asked.request);
  const { approval, cause } = asked;
  const because = approval.reason ? ` The reason: ${approval.reason}` : '';
  const text = `A person did not allow this call of "${builder.call.name}", so it was not run.${because}`;
  return builder.fail('rejected', text, { input, approval, ...(cause ? { cause } : {}) });
}

/** What the tool's own `readArguments` makes of arguments that fit the schema. */
async function ownReading(scope: CallScope, read: Fit): Promise<Fit | Misfit> {
  const { tool, context } = scope;
  if (tool.tool.readArguments === undefined) return read;
  try {
    const reading = (async () => tool.tool.readArguments?.(read.input as never, context))();
    const own: unknown = await inTime(scope, reading);
    return own instanceof Failure ? ownRefusal(tool, own) : { ...read, input: own };
  } catch (error) {
    if (error instanceof Abandoned) throw error;
    return error instanceof Failure ? ownRefusal(tool, error) : { ...ownRefusal(tool, error), cause: error };
  }
}

function ownRefusal(tool: PreparedTool, error: unknown): Misfit {
  const text =
    error instanceof Failure
      ? failureText(tool, error)
      : `The arguments of "${tool.name}" could not be read: ${messageOf(error)}`;
  return { ok: false, code: 'invalid_arguments', text };
}
