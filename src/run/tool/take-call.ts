import type { Call } from '../../base/message/call.ts';
import { askApproval } from './ask-approval.ts';
import type { Asked } from './ask-approval.ts';
import type { ApprovalMade, CallRecord } from './call-record.ts';
import { cutOffText, failureText, messageOf, specAfterThreeMistakes, unknownToolText } from './call-text.ts';
import { execute, orThrow, timeoutOf } from './execute-call.ts';
import type { Way } from './execute-call.ts';
import { Failure } from './failure.ts';
import { withOwnArguments } from './own-arguments.ts';
import { CallContext } from './perform.ts';
import type { PreparedTool } from './prepare-tool.ts';
import { readCall } from './read-call.ts';
import type { ReadCall } from './read-call.ts';
import type { RunCallOptions } from './run-call.ts';
import { Ticket } from './ticket.ts';
import type { Toolbox } from './toolbox.ts';
import { Left } from './watch.ts';
import type { Watch } from './watch.ts';

/** The way of a call: find, read, check, approve, run, report. At once as far as nothing has to be waited for. */
export function takeCall(
  call: Call,
  box: Toolbox,
  watch: Watch,
  options: RunCallOptions,
): CallRecord | Promise<CallRecord> {
  const ticket = new Ticket(call, options);
  const tool = box.find(call.name);
  if (tool === undefined) return ticket.refuse('unknown_tool', unknownToolText(call, box));
  if (call.invalid?.reason === 'truncated') return ticket.refuse('truncated', cutOffText(call));
  const { messages = [], step = 1, injected = nothing } = options;
  const repair = tool.tool.repair ?? options.repair ?? false;
  const coerce = tool.tool.coerce ?? options.coerce ?? false;
  const reading = readCall(withOwnArguments(call), tool, { injected, repair, coerce });
  const context = new CallContext(call, messages, step, injected);
  const way: Way = { ticket, tool, context, watch, options };
  if (reading instanceof Promise) {
    const read = inTime(way, reading);
    return orLeft(
      way,
      read.then((given) => proceed(way, given)),
    );
  }
  const record = proceed(way, reading);
  return record instanceof Promise ? orLeft(way, record) : record;
}

const nothing = {};

/** Waits for what stands before the tool's own run, no longer than for the tool: a schema may ask a database. */
function inTime<Value>({ tool, context, watch, options }: Way, work: Promise<Value>): Promise<Value> {
  return watch.until(work, (why) => context.abort(why), timeoutOf(tool, options));
}

/** A call that was cancelled, or whose time was over, while something else than its tool was waited for. */
function orLeft({ ticket }: Way, record: Promise<CallRecord>): Promise<CallRecord> {
  return record.catch((error: unknown) => {
    if (!(error instanceof Left)) throw error;
    if (error.why.kind === 'timeout') return orThrow(error, ticket);
    const text = `The run was stopped before this call of "${ticket.call.name}" was run.`;
    return ticket.refuse('cancelled', text);
  });
}

function proceed(way: Way, read: ReadCall): CallRecord | Promise<CallRecord> {
  const { ticket, tool, options } = way;
  if (!read.ok) {
    const spec = specAfterThreeMistakes(ticket.call, tool, options.mistakes);
    return ticket.refuse(read.code, read.text + spec, read.cause);
  }
  const { readArguments, approval = 'never' } = tool.tool;
  if (readArguments !== undefined || approval !== 'never') return proceedSlowly(way, read);
  ticket.changed(read.changes);
  return execute(way, read.input, undefined);
}

async function proceedSlowly(way: Way, read: Extract<ReadCall, { ok: true }>): Promise<CallRecord> {
  const { ticket, tool, context, watch, options } = way;
  const { call } = ticket;
  let { input } = read;
  if (tool.tool.readArguments !== undefined) {
    const own = await inTime(way, ownReading(tool, input, context));
    if (own.kind === 'refused') {
      const text = own.text + specAfterThreeMistakes(call, tool, options.mistakes);
      return ticket.refuse('invalid_arguments', text, own.cause);
    }
    input = own.input;
  }
  ticket.changed(read.changes);
  const asking = askApproval(tool, read.arguments, input, context, options.approver);
  const asked = await watch.until(asking, (why) => context.abort(why));
  if (asked.kind === 'edited') return runEdited(way, asked);
  if (asked.kind !== 'go') return stopAtApproval(ticket, input, asked);
  return execute(way, input, asked.approval);
}

/** A person changed the arguments: they are read and checked like any others, and run under the new hash. */
async function runEdited(way: Way, asked: Extract<Asked, { kind: 'edited' }>): Promise<CallRecord> {
  const { ticket, tool, context, options } = way;
  const edited = { ...ticket.call, arguments: asked.arguments as Call['arguments'] };
  const reading = readCall(withOwnArguments(edited), tool, {
    injected: options.injected ?? nothing,
    repair: false,
    coerce: tool.tool.coerce ?? options.coerce ?? false,
  });
  const read = reading instanceof Promise ? await inTime(way, reading) : reading;
  const readOwn = read.ok && tool.tool.readArguments !== undefined;
  const own = readOwn ? await inTime(way, ownReading(tool, read.input, context)) : undefined;
  if (!read.ok || own?.kind === 'refused') {
    const why = read.ok ? (own?.kind === 'refused' ? own.text : '') : read.text;
    const text = `A person changed the arguments of this call, and the changed ones do not fit, so it was not run.\n${why}`;
    return ticket.refuse('rejected', text);
  }
  const input = own?.kind === 'input' ? own.input : read.input;
  const approval: ApprovalMade = { decision: 'edit', hash: asked.hashOf(read.arguments) };
  ticket.tell(`A person changed the arguments of this call to ${JSON.stringify(read.arguments)}.\n`);
  return execute(way, input, approval);
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
