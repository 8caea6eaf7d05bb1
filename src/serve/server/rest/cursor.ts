import { invalid } from '../../http/refusal.ts';

/** A place in the list of episodes, as text that a client hands back. */
export function writeCursor({ createdAt, id }: { readonly createdAt: number; readonly id: string }): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

export function readCursor(
  text: string | undefined,
): { readonly createdAt: number; readonly id: string } | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d{1,15}) ([\w-]{1,200})$/.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (match === null) throw invalid('cursor', 'is not one that this server gave.');
  return { createdAt: Number(match[1]), id: match[2] ?? '' };
}
