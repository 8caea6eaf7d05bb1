import { decideByRules, ruleFor } from '../tool/approval-rule.ts';
import type { ApprovalRule } from '../tool/approval-rule.ts';
import type { Approver } from '../tool/ask-approval.ts';
import type { ApprovalRequest, Decision } from '../tool/call-record.ts';
import { signRequest } from './approval.ts';
import type { RunOptions } from './options.ts';

/** Who decides in a run: first the rules, then the person, if there is a way to ask one. */
export function approverOf(
  options: RunOptions,
  rules: ApprovalRule[],
  onAsk: (request: ApprovalRequest) => void,
): Approver {
  const { approve, approvalKey } = options;
  return async (bare, signal) => {
    const ruled = decideByRules(rules, bare);
    if (ruled !== undefined) return ruled;
    const request =
      approvalKey === undefined ? bare : await signRequest(approvalKey, options.runId ?? '', bare);
    onAsk(request);
    const decision = await approve?.(request, signal);
    const rule = ruleOf(request, decision);
    if (rule !== undefined) rules.push(rule);
    return decision;
  };
}

function ruleOf(request: ApprovalRequest, decision: Decision | undefined): ApprovalRule | undefined {
  if (typeof decision !== 'object' || decision.decision === 'edit' || decision.remember === undefined) {
    return undefined;
  }
  return ruleFor(request, decision.decision, decision.remember);
}
