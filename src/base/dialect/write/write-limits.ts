import type { Features } from '../dialect.ts';
import type { Limit, Node } from '../ir/ir.ts';
import type { Dropped } from '../plan.ts';

/**
 * Puts the limits that the dialect keeps on the wire; names all others as dropped, and answers with the texts
 * that say them in the description.
 */
export function keepLimits(
  wire: Record<string, unknown>,
  node: Node,
  kind: 'number' | 'string' | 'list' | 'object' | undefined,
  features: Features,
  dropped: Dropped[],
): string[] {
  const kept: readonly string[] = kind === undefined ? [] : features.keep[kind];
  let texts: string[] = [];
  for (const limit of node.limits) {
    const { keyword, value, path } = limit;
    if (
      limit.said !== true &&
      kept.includes(keyword) &&
      isAllowed(limit, features) &&
      put(wire, limit, features)
    )
      continue;
    if (limit.said !== true && wire[keyword] !== undefined && sameCount(wire[keyword], value)) continue;
    const text = limit.said === true ? undefined : textOf(limit);
    // Most have one: a list that grows makes room for seventeen.
    if (text !== undefined && texts.length === 0) texts = [text];
    else if (text !== undefined && !texts.includes(text)) texts.push(text);
    const said = limit.said === true ? 'structure' : text === undefined ? 'nowhere' : 'description';
    dropped.push({ path, keyword, value, said });
  }
  return texts;
}

/** The tighter of two limits counts; of two that cannot be compared, the first. */
function put(wire: Record<string, unknown>, limit: Limit, features: Features): boolean {
  const { keyword, value } = limit;
  const before = wire[keyword];
  const written =
    features.countsAsText && /^(min|max)(Items|Length|Properties)$/.test(keyword) ? String(value) : value;
  if (before === undefined) {
    wire[keyword] = written;
    return true;
  }
  if (sameCount(before, value)) return true;
  if (/^(min|exclusiveMin)/.test(keyword)) {
    if (Number(value) > Number(before)) wire[keyword] = written;
    return true;
  }
  if (/^(max|exclusiveMax)/.test(keyword)) {
    if (Number(value) < Number(before)) wire[keyword] = written;
    return true;
  }
  return false;
}

function sameCount(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === 'string' && left === String(right));
}

function isAllowed({ keyword, value }: Limit, features: Features): boolean {
  if (keyword === 'format') return features.formats === 'all' || features.formats.includes(String(value));
  if (keyword === 'pattern') return features.patterns === 'all' || isSimple(String(value));
  if (keyword === 'minItems') return Number(value) <= features.mostMinItems;
  return true;
}

/** No back-reference, no look-around, no `\b`, no large count: what grammars can be made of. */
function isSimple(pattern: string): boolean {
  if (/\(\?(?!:)|\\[bBkKpP1-9]/.test(pattern)) return false;
  if (!pattern.includes('{')) return true;
  return [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].every(
    ([, low, high]) => Number(low) <= largeCount && Number(high ?? 0) <= largeCount,
  );
}

const largeCount = 100;

/** What is too long to read is left to the check. */
function textOf({ keyword, value }: Limit): string | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 300 ? undefined : `${keyword}: ${text}`;
}
