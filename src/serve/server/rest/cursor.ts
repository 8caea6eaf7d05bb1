import type { RankPlace } from '../../../grade/store/rank.ts';
import { invalid } from '../../http/refusal.ts';

/** A place in the list of episodes, as text that a client hands back. */
export function writeCursor({ value, id }: RankPlace): string {
  return Buffer.from(`${value} ${id}`).toString('base64url');
}

export function readCursor(text: string | undefined): RankPlace | undefined {
  if (text === undefined) return undefined;
  const match = /^(-?\d[\d.]{0,24}(?:e-?\d{1,3})?) ([\w-]{1,200})$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  );
  const value = Number(match?.[1]);
  if (match === null || !Number.isFinite(value))
    throw invalid('cursor', 'is not a cursor that this server gave.');
  return { value, id: match[2] ?? '' };
}
