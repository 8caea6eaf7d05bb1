/** A normalisation window: back in time, or a number of the last evaluations. */
export type Window = { readonly milliseconds: number } | { readonly last: number };

const day = 86_400_000;
const units: Readonly<Record<string, number>> = { d: day, w: 7 * day, m: 30 * day };

/** Reads `7d`, `2w`, `1m` (30 days) or `100n`; undefined for anything else. */
export function readWindow(text: string): Window | undefined {
  const match = /^(\d+)([dwmn])$/.exec(text);
  if (match === null) return undefined;
  // Further back than there is time, and more than anybody has graded, is all there is.
  const count = Math.min(Number(match[1]), 999_999_999);
  const unit = units[match[2] ?? ''];
  return unit === undefined ? { last: count } : { milliseconds: count * unit };
}
