import { WhetstoneError } from '../../../base/host/errors.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import type { Message } from '../../../base/message/message.ts';
import { errorResult } from '../../../base/message/result.ts';
import type { Result } from '../../../base/message/result.ts';
import { hashArguments } from '../../tool/call/ask-approval.ts';
import type { CallErrorCode, CallRecord } from '../../tool/call/call-record.ts';
import { forbiddenEdit } from '../../tool/call/may-edit.ts';
import type { Editable } from '../../tool/call/may-edit.ts';
import { readOutput } from '../../tool/output.ts';
import { readCall } from '../../tool/call/read-call.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import { conversationOf, verifyApproval } from './approval.ts';
import type { Approval } from './approval.ts';
import type { ClientAnswer, RunOptions } from '../option/options.ts';

/** Calls at the end of a history that wait for a person or for the program, among the other results of their step. */
export interface PendingStep {
  /** The index of the message with the results. */
  readonly at: number;
  /** The index of the reply that asked for them. */
  readonly replyAt: number;
  readonly results: readonly Result[];
  readonly calls: readonly Call[];
}

/**
 * The last step of a history, if some of its results are stand-ins. Where it is to be answered, the user may have said
 * more since; otherwise that goes to the model, and what waited stays as it is.
 */
export function waitingAtEnd(messages: readonly Message[], isAnswered: boolean): PendingStep | undefined {
  const at = isAnswered ? messages.findLastIndex((message) => message.role !== 'user') : messages.length - 1;
  const last = messages[at];
  if (last?.role !== 'tool' || !last.results.some(isStandIn)) return undefined;
  const replyAt = messages.findLastIndex((message) => message.role === 'assistant');
  const reply = messages[replyAt];
  const calls = (reply?.role === 'assistant' ? reply.content : []).filter(
    (part): part is Call => part.type === 'call' && part.requiresLocalExecution,
  );
  return { at, replyAt, results: last.results, calls };
}

export function isStandIn(result: Result): boolean {
  return result.errorCode === 'needs_approval' || result.errorCode === 'needs_client';
}

/** Each result with its call: they are in call order, but a history from outside may lack some. */
export function pairUp(
  step: PendingStep,
): readonly { readonly call: Call | undefined; readonly result: Result }[] {
  return step.results.map((result, index) => ({
    call:
      step.calls[index]?.id === result.callId
        ? step.calls[index]
        : step.calls.find((call) => call.id === result.callId),
    result,
  }));
}

/**
 * Sees that every decision and answer is for a call that waits, that the approval was given for the arguments that
 * would run now, and that its request came from us. Throws before anything runs.
 */
export async function checkAnswers(
  step: PendingStep | undefined,
  messages: readonly Message[],
  tools: Toolbox,
  options: RunOptions,
): Promise<void> {
  const waiting = new Map<string, { readonly call: Call; readonly code: string | undefined }>();
  for (const { call, result } of step === undefined ? [] : pairUp(step)) {
    if (call !== undefined && isStandIn(result)) waiting.set(call.id, { call, code: result.errorCode });
  }
  const { answers = [], approvals = [], approvalKey, runId } = options;
  const seen = new Set<string>();
  for (const { callId } of [...answers, ...approvals]) {
    if (seen.has(callId)) throw givenTwice(callId);
    seen.add(callId);
  }
  for (const answer of answers) {
    if (waiting.get(answer.callId)?.code !== 'needs_client') throw stale(answer.callId, 'no answer');
  }
  for (const approval of approvals) {
    const at = waiting.get(approval.callId);
    if (at?.code !== 'needs_approval') throw stale(approval.callId, 'no approval');
    if (approvalKey !== undefined) {
      const conversation = conversationOf(runId, messages.slice(0, step?.replyAt));
      await verifyApproval(approvalKey, conversation, approval, at.call.name);
    }
    await checkHash(approval, at.call, tools, options);
  }
}

async function checkHash(approval: Approval, call: Call, tools: Toolbox, options: RunOptions): Promise<void> {
  const tool = tools.findFor(call);
  if (tool === undefined) return;
  const read = await readCall(call, tool, {
    injected: options.injected ?? {},
    repair: tool.tool.repair ?? options.repair ?? false,
    coerce: tool.tool.coerce ?? options.coerce ?? false,
  });
  const hash = read.ok ? hashArguments(call, read.arguments) : undefined;
  if (read.ok && hash === approval.hash) {
    mustBeEditable(
      approval,
      call,
      read.arguments,
      tool.tool.editable ?? options.editable ?? options.approvalKey === undefined,
    );
    return;
  }
  throw new WhetstoneError(
    'approval_stale',
    `The approval for the call ${approval.callId} of "${call.name}" was given for arguments other than those that would run now.`,
    { details: { callId: approval.callId, approved: approval.hash, now: hash } },
  );
}

/** A token proves what was asked, and says nothing of what is answered: what may be changed is for the program to say. */
function mustBeEditable(approval: Approval, call: Call, shown: JsonValue, editable: Editable): void {
  if (approval.decision !== 'edit') return;
  const why = forbiddenEdit(editable, shown, approval.arguments ?? null);
  if (why === undefined) return;
  throw new WhetstoneError(
    'approval_edit_refused',
    `The approval for the call ${approval.callId} of "${call.name}" changes what will run, but ${why}. Set \`editable\` on the tool or on the run to what a person may change, or approve or reject the call as it is.`,
    { details: { callId: approval.callId, name: call.name } },
  );
}

function stale(callId: string, what: string): WhetstoneError {
  return new WhetstoneError(
    'approval_stale',
    `The call ${JSON.stringify(callId)} waits for ${what}: it has been answered already, or was never asked.`,
    { details: { callId } },
  );
}

function givenTwice(callId: string): WhetstoneError {
  return new WhetstoneError(
    'approval_stale',
    `The call ${JSON.stringify(callId)} is answered twice at once: only one answer or approval can be meant. Pass that one.`,
    { details: { callId } },
  );
}

/** The record of a call that the program answered. */
export function answeredRecord(call: Call, answer: ClientAnswer, step: number): CallRecord {
  const read = readOutput(answer.content, call.name);
  const failed: CallErrorCode = read.ok ? 'failed' : 'output_not_json';
  const result: Result = read.ok
    ? {
        callId: call.id,
        name: call.name,
        content: read.content,
        ...(answer.isError === true && { isError: true, errorCode: failed }),
        ...(answer.artifact !== undefined && { artifact: answer.artifact }),
      }
    : errorResult(call, failed, read.message);
  return { call, step, result, success: result.isError !== true, notes: [] };
}

/** A result that was there already, as a record. */
export function standingRecord(call: Call, result: Result, step: number): CallRecord {
  const waitsFor =
    result.errorCode === 'needs_approval'
      ? 'approval'
      : result.errorCode === 'needs_client'
        ? 'client'
        : undefined;
  return { call, step, result, success: result.isError !== true, notes: [], ...(waitsFor && { waitsFor }) };
}
