import { WhetstoneError } from '../../../base/host/errors.ts';
import { hashJson } from '../../../base/json/sha256.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { Message } from '../../../base/message/message.ts';
import type { ApprovalRequest } from '../../tool/call/call-record.ts';

/** A person's decision on a call that waits, as it comes back from wherever it was asked. */
export interface Approval {
  readonly callId: string;
  /** Of the arguments that the person saw; as it was in the request. */
  readonly hash: string;
  readonly decision: 'approve' | 'edit' | 'reject';
  /** With `edit`: what shall run instead. */
  readonly arguments?: JsonValue;
  /** With `reject`: the model reads it. */
  readonly reason?: string;
  /** As it was in the request. */
  readonly token?: string;
}

/**
 * Where in which conversation something is asked: the run's id, where the caller gave one, and the history up to the
 * reply. Without it, an approval would hold wherever a call of that id comes again. What the caller said as the system
 * is left out, since callers give it again; and what JSON would drop, since histories travel as JSON.
 */
export function conversationOf(runId: string | undefined, before: readonly Message[]): string {
  const said = before.filter((message) => message.role !== 'system');
  return hashJson(JSON.parse(JSON.stringify([runId ?? null, said])) as JsonValue);
}

/**
 * Proof that a run asked for this very call: HMAC-SHA-256, so that nobody can make up an approval. The same request at
 * the same place has the same token: a caller that records used tokens notices when one comes again.
 */
export async function signRequest(
  key: string,
  conversation: string,
  request: ApprovalRequest,
): Promise<ApprovalRequest> {
  const signature = await crypto.subtle.sign('HMAC', await keyOf(key), encode(conversation, request));
  return { ...request, token: toBase64Url(new Uint8Array(signature)) };
}

/** Throws unless the token was made with this key for this conversation, call, tool and hash. */
export async function verifyApproval(
  key: string,
  conversation: string,
  approval: Approval,
  name: string,
): Promise<void> {
  const token = approval.token === undefined ? undefined : fromBase64Url(approval.token);
  const { callId, hash } = approval;
  const good =
    token !== undefined &&
    (await crypto.subtle.verify(
      'HMAC',
      await keyOf(key),
      token,
      encode(conversation, { callId, name, hash }),
    ));
  if (good) return;
  throw new WhetstoneError(
    'approval_forged',
    `The approval for the call ${callId} does not carry the token that was given with its request: for this call with these arguments, at this point of this conversation. Send back \`token\` as it came, with the history as it was, and use the same approvalKey and runId.`,
    { details: { callId, name } },
  );
}

/**
 * Each field is behind its length, so that no two different requests have the same bytes: joined by a separator,
 * a name that holds the separator could pass for another name with another hash.
 */
function encode(
  conversation: string,
  request: Pick<ApprovalRequest, 'callId' | 'name' | 'hash'>,
): Uint8Array<ArrayBuffer> {
  const fields = ['whetstone-approval-2', conversation, request.callId, request.name, request.hash];
  const parts = fields.map((field) => new TextEncoder().encode(field));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}

function keyOf(key: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', new TextEncoder().encode(key), algorithm, false, ['sign', 'verify']);
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    );
  } catch {
    return undefined;
  }
}
