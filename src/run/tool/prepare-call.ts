import type { Call } from '../../base/message/call.ts';
import { askApproval } from './ask-approval.ts';
import type { Asked } from './ask-approval.ts';
import type { ApprovalMade, CallRecord } from './call-record.ts';
import { cutOffText, failureText, messageOf, specAfterThreeMistakes, unknownToolText } from './call-text.ts';
import { invokeTool, orThrow, timeoutOf } from './invoke-tool.ts';
import type { CallScope } from './invoke-tool.ts';
import { Failure } from './failure.ts';
import { withOwnArguments } from './own-arguments.ts';
import { CallContext } from './run-within-deadline.ts';
import type { PreparedTool } from './prepare-tool.ts';
import { readCall } from './read-call.ts';
import type { ReadCall } from './read-call.ts';
import type { RunCallOptions } from './run-call.ts';
import { CallRecordBuilder } from './call-record-builder.ts';
import type { Toolbox } from './toolbox.ts';
import { Abandoned } from './deadlines.ts';
import type { Deadlines } from './deadlines.ts';

/** The way of a call: find, read, check, approve, run, report. At once as far as nothing has to be waited for. */
export function prepareCall(
  call: Call,
  box: Toolbox,
  watch: Deadlines,
  options: RunCallOptions,
): CallRecord | Promise<CallRecord> {
  const builder = new CallRecordBuilder(call, options);
  const tool = box.find(call.name);
  if (tool === undefined) return builder.refuse('unknown_tool', unknownToolText(call, box));
  if (call.invalid?.reason === 'truncated') return builder.refuse('truncated', cutOffText(call));
  const { messages = [], step = 1, injected = nothing } = options;
  const repair = tool.tool.repair ?? options.repair ?? false;
  const coerce = tool.tool.coerce ?? options.coerce ?? false;
  const reading = readCall(withOwnArguments(call), tool, { injected, repair, coerce });
  const context = new CallContext(call, messages, step, injected);
  const scope: CallScope = { builder, tool, context, watch, options };
  if (reading instanceof Promise) {
    const read = inTime(scope, reading);
    return orLeft(
      scope,
      read.then((given) => proceed(scope, given)),
    );
  }
  const record = proceed(scope, reading);
  return record instanceof Promise ? orLeft(scope, record) : record;
}

const nothing = {};

/** Waits for what stands before the tool's own run, no longer than for the tool: a schema may ask a database. */
function inTime<Value>({ tool, context, watch, options }: CallScope, work: Promise<Value>): Promise<Value> {
  return watch.until(work, (why) => context.abort(why), timeoutOf(tool, options));
}

/** A call that was cancelled, or whose time was over, while something else than its tool was waited for. */
function orLeft({ builder }: CallScope, record: Promise<CallRecord>): Promise<CallRecord> {
  return record.catch((error: unknown) => {
    if (!(error instanceof Abandoned)) throw error;
    if (error.why.kind === 'timeout') return orThrow(error, builder);
    const text = `The run was stopped before this call of "${builder.call.name}" was run.`;
    return builder.refuse('cancelled', text);
  });
}

function proceed(scope: CallScope, read: ReadCall): CallRecord | Promise<CallRecord> {
  const { builder, tool, options } = scope;
  if (!read.ok) {
    const spec = specAfterThreeMistakes(builder.call, tool, options.mistakes);
    return builder.refuse(read.code, read.text + spec, read.cause);
  }
  const { readArguments, approval = 'never' } = tool.tool;
  if (readArguments !== undefined || approval !== 'never') return proceedSlowly(scope, read);
  builder.changed(read.changes);
  return invokeTool(scope, read.input, undefined);
}

async function proceedSlowly(scope: CallScope, read: Extract<ReadCall, { ok: true }>): Promise<CallRecord> {
  const { builder, tool, context, watch, options } = scope;
  const { call } = builder;
  let { input } = read;
  if (tool.tool.readArguments !== undefined) {
    const own = await inTime(scope, ownReading(tool, input, context));
    if (own.kind === 'refused') {
      const text = own.text + specAfterThreeMistakes(call, tool, options.mistakes);
      return builder.refuse('invalid_arguments', text, own.cause);
    }
    input = own.input;
  }
  builder.changed(read.changes);
  const asking = askApproval(tool, read.arguments, input, context, options.approver);
  const asked = await watch.until(asking, (why) => context.abort(why));
  if (asked.kind === 'edited') return runEdited(scope, asked);
  if (asked.kind !== 'go') return stopAtApproval(builder, input, asked);
  return invokeTool(scope, input, asked.approval);
}

/** A person changed the arguments: they are read and checked like any others, and run under the new hash. */
async function runEdited(scope: CallScope, asked: Extract<Asked, { kind: 'edited' }>): Promise<CallRecord> {
  const { builder, tool, context, options } = scope;
  const edited = { ...builder.call, arguments: asked.arguments as Call['arguments'] };
  const reading = readCall(withOwnArguments(edited), tool, {
    injected: options.injected ?? nothing,
    repair: false,
    coerce: tool.tool.coerce ?? options.coerce ?? false,
  });
  const read = reading instanceof Promise ? await inTime(scope, reading) : reading;
  const readOwn = read.ok && tool.tool.readArguments !== undefined;
  const own = readOwn ? await inTime(scope, ownReading(tool, read.input, context)) : undefined;
  if (!read.ok || own?.kind === 'refused') {
    const why = read.ok ? (own?.kind === 'refused' ? own.text : '') : read.text;
    const text = `A person changed the arguments of this call, and the changed ones do not fit, so it was not run.\n${why}`;
    return builder.refuse('rejected', text);
  }
  const input = own?.kind === 'input' ? own.input : read.input;
  const approval: ApprovalMade = { decision: 'edit', hash: asked.hashOf(read.arguments) };
  builder.tell(`A person changed the arguments of this call to ${JSON.stringify(read.arguments)}.\n`);
  return invokeTool(scope, input, approval);
}

function stopAtApproval(
  builder: CallRecordBuilder,
  input: unknown,
  asked: Extract<Asked, { kind: 'waits' | 'rejected' }>,
): CallRecord {
  if (asked.kind === 'waits') return builder.wait('approval', input, undefined, asked.request);
  const { approval } = asked;
  const because =
    approval.reason === undefined || approval.reason === '' ? '' : ` The reason: ${approval.reason}`;
  const text = `A person did not allow this call of "${builder.call.name}", so it was not run.${because}`;
  return builder.fail('rejected', text, { input, approval, ...(asked.cause ? { cause: asked.cause } : {}) });
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
