import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { ApprovalRequest, Decision } from '../../tool/call/call-record.ts';

/** Longer arguments are cut where a person is asked: a form is no place for a file. */
const mostShown = 4000;

/** Whether a client says that it can show a form. An empty declaration means forms; one of `url` alone does not. */
export function asksByForm(elicitation: unknown): boolean {
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || !('url' in elicitation);
}

/** The question whether a call may run, as an elicitation. */
export function approvalForm({ name, arguments: given, note }: ApprovalRequest): JsonObject {
  const said = typeof note === 'string' ? note : [note?.label, note?.detail].filter(Boolean).join(': ');
  const text = JSON.stringify(given, null, 2);
  const shown = text.length > mostShown ? `${text.slice(0, mostShown)}\n[… ${text.length} characters]` : text;
  return {
    mode: 'form',
    message: `May "${name}" run?${said === '' ? '' : `\n${said}`}\n${shown}`,
    requestedSchema: {
      type: 'object',
      properties: {
        allow: { type: 'boolean', title: 'Allow', description: `Run "${name}" once with these arguments.` },
      },
      required: ['allow'],
    },
  };
}

/** What a person's answer to that form decides. Whatever is not a clear yes is a no. */
export function decisionFrom(answer: unknown): Decision {
  const { action, content } = isJsonObject(answer as JsonObject) ? (answer as JsonObject) : {};
  if (action === 'accept' && isJsonObject(content) && content['allow'] === true) return true;
  if (action === 'cancel')
    return { decision: 'reject', reason: 'The question was closed without an answer.' };
  return { decision: 'reject', reason: 'The person said no.' };
}
