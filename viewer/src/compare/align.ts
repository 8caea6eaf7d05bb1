import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';

/** Turns of two episodes that are side by side; `facts` came out in both. */
export interface AlignedRow {
  readonly left?: number;
  readonly right?: number;
  readonly facts: readonly string[];
}

/**
 * Lays the turns of two episodes side by side: those in which the same fact came out are in one row, as far as
 * their order allows it, and what lies between them is paired in its order.
 */
export function alignByFact(left: EpisodeDetail, right: EpisodeDetail): readonly AlignedRow[] {
  const rows: AlignedRow[] = [];
  let [at, other] = [1, 1];
  for (const { left: a, right: b, facts } of anchorsOf(left, right)) {
    rows.push(...pairs([at, a], [other, b]), { left: a, right: b, facts });
    [at, other] = [a + 1, b + 1];
  }
  rows.push(...pairs([at, left.turns.length + 1], [other, right.turns.length + 1]));
  return rows;
}

function pairs(
  [a, endA]: readonly [number, number],
  [b, endB]: readonly [number, number],
): readonly AlignedRow[] {
  return Array.from({ length: Math.max(endA - a, endB - b) }, (_, place) => ({
    ...(a + place < endA && { left: a + place }),
    ...(b + place < endB && { right: b + place }),
    facts: [],
  }));
}

interface Anchor {
  readonly left: number;
  readonly right: number;
  readonly facts: readonly string[];
}

/** The longest row of shared facts whose turns rise on both sides. */
function anchorsOf(left: EpisodeDetail, right: EpisodeDetail): readonly Anchor[] {
  const turnsOf = ({ explain }: EpisodeDetail): ReadonlyMap<string, number> =>
    new Map(
      explain?.facts.flatMap(({ id, turn }) =>
        turn === undefined || turn === 0 ? [] : [[id, turn] as const],
      ),
    );
  const onRight = turnsOf(right);
  const shared = Map.groupBy(
    [...turnsOf(left)].flatMap(([fact, turn]) => {
      const other = onRight.get(fact);
      return other === undefined ? [] : [{ fact, left: turn, right: other }];
    }),
    ({ left: a, right: b }) => `${a} ${b}`,
  );
  const points = [...shared.values()]
    .map((facts) => ({ left: facts[0]!.left, right: facts[0]!.right, facts: facts.map(({ fact }) => fact) }))
    .toSorted((one, other) => one.left - other.left || one.right - other.right);
  const best: { readonly weight: number; readonly before: number }[] = [];
  for (const [place, point] of points.entries()) {
    let [weight, before] = [0, -1];
    for (let earlier = 0; earlier < place; earlier++) {
      const candidate = points[earlier]!;
      if (candidate.left < point.left && candidate.right < point.right && best[earlier]!.weight > weight)
        [weight, before] = [best[earlier]!.weight, earlier];
    }
    best.push({ weight: weight + point.facts.length, before });
  }
  const chain: Anchor[] = [];
  let place = best.reduce((top, { weight }, each) => (weight > (best[top]?.weight ?? 0) ? each : top), 0);
  for (; points[place] !== undefined; place = best[place]!.before) chain.unshift(points[place]!);
  return chain;
}
