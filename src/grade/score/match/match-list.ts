import type { JsonValue } from '../../../base/json/value.ts';
import { hit, miss, show } from './match-result.ts';
import type { MatchResult } from './match-result.ts';
import { normal, same } from './same-value.ts';

/** Any order unless it is asked for; each item asked for counts, each item too many takes one away. */
export function matchList(
  wanted: readonly JsonValue[],
  found: JsonValue | undefined,
  options: { readonly [key: string]: JsonValue },
): MatchResult {
  if (!Array.isArray(found))
    return wanted.length === 0 && (found === undefined || found === null)
      ? hit(() => 'nothing was expected.')
      : miss(() => `expected a list with ${wanted.map(show).join(', ') || 'nothing'}, got ${show(found)}.`);
  if (wanted.length === 0 && found.length === 1 && saysNone(found[0]!))
    return hit(() => `${show(found[0])} says that there is nothing, as expected.`);
  const { lacking, rest } = (options['ordered'] === true ? pairInOrder : pairAnyhow)(
    wanted,
    found as readonly JsonValue[],
  );
  const mayHaveMore = options['extra'] === 'allowed';
  const surplus = mayHaveMore ? 0 : rest.length;
  const needed =
    typeof options['at_least'] === 'number' ? Math.min(options['at_least'], wanted.length) : wanted.length;
  const got = wanted.length - lacking.length;
  if (got >= needed && surplus === 0) return hit(() => 'the list is as expected.');
  const share =
    wanted.length === 0 ? 0 : Math.max(0, Math.min(1, got / Math.max(1, needed)) - surplus / wanted.length);
  const say = (): string => {
    // What stands elsewhere is neither lacking nor too many.
    const isMoved = (item: JsonValue) => lacking.some((other) => same(other, item));
    const moved = rest.filter(isMoved);
    const gone = lacking.filter((item) => !moved.some((other) => same(item, other)));
    const extra = mayHaveMore ? [] : rest.filter((item) => !isMoved(item));
    const few = needed < wanted.length ? ` (${needed} are needed)` : '';
    const said = [
      got < needed && gone.length > 0 ? `lacks ${gone.map(show).join(', ')}${few}` : '',
      moved.length > 0 ? `has ${moved.map(show).join(', ')} in another place` : '',
      extra.length > 0 ? `has ${extra.map(show).join(', ')} too many` : '',
    ];
    return `the list ${said.filter(Boolean).join(' and ')}.`;
  };
  return miss(say, Math.min(share, 0.99));
}

/** "Work restrictions: none": who writes it down so means the empty list. */
function saysNone(item: JsonValue): boolean {
  return (
    typeof item === 'string' &&
    /^(?:none|nothing|nil|no|n\/?a|none (?:known|reported|present|given)|(?:no|none) known (?:drug )?allerg(?:y|ies)|nkd?a)$/.test(
      normal(item).replace(/\.$/, ''),
    )
  );
}

interface Paired {
  readonly lacking: readonly JsonValue[];
  readonly rest: readonly JsonValue[];
}

function pairAnyhow(wanted: readonly JsonValue[], found: readonly JsonValue[]): Paired {
  const rest: JsonValue[] = [...found];
  const lacking: JsonValue[] = [];
  for (const item of wanted) {
    const at = rest.findIndex((other) => same(item, other));
    if (at < 0) lacking.push(item);
    else rest.splice(at, 1);
  }
  return { lacking, rest };
}

/** The most items that are in both in the same order; the others are lacking, or too many. */
function pairInOrder(wanted: readonly JsonValue[], found: readonly JsonValue[]): Paired {
  const best: number[][] = Array.from({ length: wanted.length + 1 }, () =>
    Array.from({ length: found.length + 1 }, () => 0),
  );
  for (let one = wanted.length - 1; one >= 0; one--)
    for (let other = found.length - 1; other >= 0; other--)
      best[one]![other] = same(wanted[one]!, found[other]!)
        ? best[one + 1]![other + 1]! + 1
        : Math.max(best[one + 1]![other]!, best[one]![other + 1]!);
  const lacking: JsonValue[] = [];
  const rest: JsonValue[] = [];
  let one = 0;
  let other = 0;
  while (one < wanted.length && other < found.length)
    if (same(wanted[one]!, found[other]!)) {
      one += 1;
      other += 1;
    } else if (best[one + 1]![other]! >= best[one]![other + 1]!) lacking.push(wanted[one++]!);
    else rest.push(found[other++]!);
  return { lacking: [...lacking, ...wanted.slice(one)], rest: [...rest, ...found.slice(other)] };
}
