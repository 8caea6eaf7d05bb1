import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { ApprovalRequest, Decision } from './call-record.ts';

/** A decision for every call that fits, so that nobody is asked again. */
export interface ApprovalRule {
  /** The name of a tool; `*` at its end stands for any rest. */
  readonly tool: string;
  /** Members of the arguments, by name; each must fit. Without it, any arguments do. */
  readonly arguments?: Readonly<Record<string, ArgumentPattern>>;
  readonly decision: 'approve' | 'reject';
  readonly reason?: string;
  /** Exactly these arguments, by their hash; set by a person who said "always" to one call. */
  readonly hash?: string;
}

/** A value that must be equal; or the start of a text, or an expression that the whole text must match. */
export type ArgumentPattern =
  | string
  | number
  | boolean
  | null
  | { readonly startsWith: string }
  | { readonly matches: string };

/** The decision of the first rule that fits. */
export function decideByRules(
  rules: readonly ApprovalRule[],
  request: ApprovalRequest,
): Decision | undefined {
  const rule = rules.find((candidate) => fits(candidate, request));
  if (rule === undefined) return undefined;
  if (rule.decision === 'approve') return true;
  return { decision: 'reject', ...(rule.reason !== undefined && { reason: rule.reason }) };
}

function fits(rule: ApprovalRule, request: ApprovalRequest): boolean {
  const named = rule.tool.endsWith('*')
    ? request.name.startsWith(rule.tool.slice(0, -1))
    : request.name === rule.tool;
  if (!named || (rule.hash !== undefined && rule.hash !== request.hash)) return false;
  const given = isJsonObject(request.arguments) ? request.arguments : {};
  return Object.entries(rule.arguments ?? {}).every(
    ([name, pattern]) => Object.hasOwn(given, name) && fitsPattern(pattern, given[name] as JsonValue),
  );
}

function fitsPattern(pattern: ArgumentPattern, value: JsonValue): boolean {
  if (typeof pattern !== 'object' || pattern === null) return pattern === value;
  if (typeof value !== 'string') return false;
  if ('startsWith' in pattern) return value.startsWith(pattern.startsWith);
  return new RegExp(`^(?:${pattern.matches})$`, 'su').test(value);
}

/** What a person's "always" stands for: this tool with any arguments, or with exactly these. */
export function ruleFor(
  request: ApprovalRequest,
  decision: 'approve' | 'reject',
  remember: 'exact' | 'tool',
): ApprovalRule {
  return { tool: request.name, decision, ...(remember === 'exact' && { hash: request.hash }) };
}
