import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { ApprovalRequest } from '../tool/call-record.ts';

/** A person's decision on a call that waits, as it comes back from wherever it was asked. */
export interface Approval {
  readonly callId: string;
  /** Of the arguments that the person saw; as it stood in the request. */
  readonly hash: string;
  readonly decision: 'approve' | 'edit' | 'reject';
  /** With `edit`: what shall run instead. */
  readonly arguments?: JsonValue;
  /** With `reject`: the model reads it. */
  readonly reason?: string;
  /** As it stood in the request. */
  readonly token?: string;
}

/** Proof that a run asked for this very call: HMAC-SHA-256, so that nobody can make up an approval. */
export async function signRequest(
  key: string,
  runId: string,
  request: ApprovalRequest,
): Promise<ApprovalRequest> {
  const signature = await crypto.subtle.sign('HMAC', await keyOf(key), encode(runId, request));
  return { ...request, token: toBase64Url(new Uint8Array(signature)) };
}

/** Throws unless the token was made with this key for this run, call, tool and hash. */
export async function verifyApproval(
  key: string,
  runId: string,
  approval: Approval,
  name: string,
): Promise<void> {
  const token = approval.token === undefined ? undefined : fromBase64Url(approval.token);
  const { callId, hash } = approval;
  const good =
    token !== undefined &&
    (await crypto.subtle.verify('HMAC', await keyOf(key), token, encode(runId, { callId, name, hash })));
  if (good) return;
  throw new WhetstoneError(
    'approval_forged',
    `The approval for the call ${callId} does not carry the token that this run gave out with its request.`,
    { details: { callId, name } },
  );
}

/**
 * Each field stands behind its length, so that no two different requests have the same bytes: joined by a separator,
 * a name that holds the separator could pass for another name with another hash.
 */
function encode(
  runId: string,
  request: Pick<ApprovalRequest, 'callId' | 'name' | 'hash'>,
): Uint8Array<ArrayBuffer> {
  const fields = ['whetstone-approval-1', runId, request.callId, request.name, request.hash];
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
