import type { Clock } from '../../../base/host/clock.ts';
import type { Message } from '../../../base/message/message.ts';
import { decideByRules, ruleFor } from '../../tool/call/approval-rule.ts';
import type { ApprovalRule } from '../../tool/call/approval-rule.ts';
import type { Approver } from '../../tool/call/ask-approval.ts';
import type { ApprovalRequest, Decision } from '../../tool/call/call-record.ts';
import { conversationOf, signRequest } from './approval.ts';
import type { ApprovalScope } from './approval-memory.ts';
import type { Approval } from './approval.ts';
import type { RunOptions } from '../option/options.ts';

export interface ApprovalStage {
  readonly clock: Clock;
  readonly onAsk: (request: ApprovalRequest) => void;
  /** The history up to the reply that is under way. */
  readonly before: () => readonly Message[];
}

/** Who decides in a run: first the rules, then the person, if there is a way to ask one. */
export function approverOf(options: RunOptions, { onAsk, before, clock }: ApprovalStage): Approver {
  const { approvalTimeout } = options;
  const { approve, approvalKey, runId, approvalMemory } = options;
  const rules: ApprovalRule[] = [...(options.approvalRules ?? [])];
  return async (bare, signal) => {
    const ruled = decideByRules(rules, bare);
    if (ruled !== undefined) return ruled;
    const remembered = approvalMemory && decideByRules(await approvalMemory.rules(), bare);
    if (remembered !== undefined) return remembered;
    const request =
      approvalKey === undefined
        ? bare
        : await signRequest(approvalKey, conversationOf(runId, before()), bare);
    onAsk(request);
    if (approve === undefined) return { wait: request };
    const decision =
      approvalTimeout === undefined
        ? await approve(request, signal)
        : await answerInTime(approve, request, { signal, clock, approvalTimeout });
    const rule = ruleOf(request, decision);
    if (rule !== undefined) {
      rules.push(rule);
      const scope = scopeOf(decision);
      if (scope !== undefined) await approvalMemory?.add(rule, scope);
    }
    return decision ?? { wait: request };
  };
}

/** What a person decides in time; a question that nobody answers is taken back, by its signal. */
async function answerInTime(
  approve: Approver,
  request: ApprovalRequest,
  how: {
    readonly signal: AbortSignal;
    readonly clock: Clock;
    readonly approvalTimeout: NonNullable<RunOptions['approvalTimeout']>;
  },
): Promise<Decision | undefined> {
  const given = how.approvalTimeout;
  const { after, then } = typeof given === 'number' ? { after: given, then: 'reject' as const } : given;
  const over = new AbortController();
  const late: Decision | undefined =
    then === 'wait' ? undefined : { decision: 'reject', reason: `nobody answered within ${after} ms` };
  let stopWaiting = (): void => undefined;
  const timedOut = new Promise<Decision | undefined>((resolve) => {
    stopWaiting = how.clock.after(
      after,
      () => {
        resolve(late);
        over.abort(new Error(`Nobody answered within ${after} ms.`));
      },
      { keepAlive: true },
    );
  });
  const asking = (async () => approve(request, AbortSignal.any([how.signal, over.signal])))();
  try {
    return await Promise.race([asking, timedOut]);
  } finally {
    stopWaiting();
    // Who is asked no longer may throw that; nobody hears it.
    asking.catch(() => undefined);
  }
}

/** A decision that came from outside holds for the arguments it was given for, and no others. */
export function approverFor(approval: Approval): Approver {
  return (request) => {
    if (request.hash !== approval.hash) return { wait: request };
    if (approval.decision === 'approve') return true;
    if (approval.decision === 'edit') return { decision: 'edit', arguments: approval.arguments ?? null };
    return {
      decision: 'reject',
      ...(approval.reason !== undefined && { reason: approval.reason }),
    };
  };
}

function scopeOf(decision: Decision | undefined): ApprovalScope | undefined {
  const { scope } = typeof decision === 'object' && 'scope' in decision ? decision : {};
  return scope === 'run' ? undefined : scope;
}

function ruleOf(request: ApprovalRequest, decision: Decision | undefined): ApprovalRule | undefined {
  if (typeof decision !== 'object' || !('decision' in decision)) return undefined;
  if (decision.decision === 'edit' || decision.remember === undefined) return undefined;
  const rule = ruleFor(request, decision.decision, decision.remember);
  // The next reader of the refusal should also read the reason.
  return decision.decision === 'reject' && decision.reason !== undefined
    ? { ...rule, reason: decision.reason }
    : rule;
}
