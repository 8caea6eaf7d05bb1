import { parseJson } from '../../../base/json/parse.ts';
import { hashJson } from '../../../base/json/sha256.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import type { ApprovalMade, ApprovalRequest, Decision } from './call-record.ts';
import { noteFor } from './call-record-builder.ts';
import type { CallContext } from './deadlines.ts';
import { forbiddenEdit } from './may-edit.ts';
import type { Editable } from './may-edit.ts';
import type { PreparedTool } from '../prepare-tool.ts';

/** Decides on a call. `undefined`: nobody is here to decide now, and the call waits. */
export type Approver = (
  request: ApprovalRequest,
  signal: AbortSignal,
) => Decision | undefined | Promise<Decision | undefined>;

/** Who decides, and what may be changed where the tool does not say it. */
interface Asker {
  readonly approver?: Approver | undefined;
  readonly editable?: Editable | undefined;
}

/** How asking ended. */
export type Asked =
  | { readonly kind: 'go'; readonly approval?: ApprovalMade }
  | { readonly kind: 'edited'; readonly arguments: JsonValue; readonly hashOf: (value: JsonValue) => string }
  | { readonly kind: 'rejected'; readonly approval: ApprovalMade; readonly cause?: unknown }
  | { readonly kind: 'waits'; readonly request: ApprovalRequest };

/**
 * Asks a person where the tool wants it. What is approved is this call with these arguments: the hash is taken again
 * after the answer, so that arguments which changed meanwhile do not run on an approval for others.
 */
export async function askApproval(
  tool: PreparedTool,
  shown: JsonValue,
  input: unknown,
  context: CallContext,
  { approver, editable: byDefault = true }: Asker,
): Promise<Asked> {
  const { call } = context;
  try {
    if (!(await wantsApproval(tool, input, context))) return { kind: 'go' };
  } catch (cause) {
    const reason = 'whether it needs approval could not be decided';
    return {
      kind: 'rejected',
      approval: { decision: 'reject', hash: hashArguments(call, shown), reason },
      cause,
    };
  }
  const hash = hashArguments(call, shown);
  const note = noteFor(tool, 'noteOnRequest', input);
  const request: ApprovalRequest = {
    callId: call.id,
    name: call.name,
    arguments: shown,
    hash,
    ...(note !== undefined && { note }),
  };
  if (approver === undefined) return { kind: 'waits', request };
  let decision: Decision | undefined;
  try {
    decision = await approver(request, context.signal);
  } catch (cause) {
    const reason = 'the approval could not be asked for';
    return { kind: 'rejected', approval: { decision: 'reject', hash, reason }, cause };
  }
  if (decision === undefined) return { kind: 'waits', request };
  if (typeof decision === 'object' && 'wait' in decision) return { kind: 'waits', request: decision.wait };
  const made = carryOut(decision, call, shown, hash);
  const editable = tool.tool.editable ?? byDefault;
  const why = made.kind === 'edited' ? forbiddenEdit(editable, shown, made.arguments) : undefined;
  return why === undefined
    ? made
    : {
        kind: 'rejected',
        approval: { decision: 'reject', hash, reason: `the arguments were edited, but ${why}` },
      };
}

async function wantsApproval(tool: PreparedTool, input: unknown, context: CallContext): Promise<boolean> {
  const { approval } = tool.tool;
  return typeof approval === 'function' ? await approval(input as never, context) : approval === 'always';
}

function carryOut(
  decision: Exclude<Decision, { wait: unknown }>,
  call: Call,
  shown: JsonValue,
  hash: string,
): Asked {
  if (decision === false) return { kind: 'rejected', approval: { decision: 'reject', hash } };
  if (decision === true || decision.decision === 'approve') {
    if (hashArguments(call, shown) === hash) return { kind: 'go', approval: { decision: 'approve', hash } };
    const reason = 'the arguments changed while the approval was asked for';
    return { kind: 'rejected', approval: { decision: 'reject', hash, reason } };
  }
  if (decision.decision === 'edit') {
    return { kind: 'edited', arguments: decision.arguments, hashOf: (value) => hashJson(value) };
  }
  const { reason } = decision;
  return {
    kind: 'rejected',
    approval: { decision: 'reject', hash, ...(reason !== undefined && { reason }) },
  };
}

/**
 * The hash an approval is bound to. Where the arguments run as the model wrote them, number tokens enter as written:
 * 9007199254740993 and 9007199254740992 are one double, and two approvals.
 */
export function hashArguments(call: Call, effective: JsonValue): string {
  if (typeof call.arguments === 'string' && call.kind === 'function') {
    try {
      if (hashJson(JSON.parse(call.arguments) as JsonValue) === hashJson(effective)) {
        return hashJson(parseJson(call.arguments, { numbers: 'as-written' }));
      }
    } catch {
      // Not JSON as written: it was repaired, and the repaired value is what runs.
    }
  }
  return hashJson(effective);
}
