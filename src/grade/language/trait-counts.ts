/** A fact's own near misses say more against it than a question for something else. */
const nearMiss = 8;

/** The count that is assumed for what was never seen. */
const prior = 0.1;

/** In how many texts of each kind a trait is: the questions of each fact, and after these its near misses. */
export interface Row {
  readonly counts: number[];
  /** What it says for each fact; worked out when it is first met. */
  says?: readonly number[];
}

/** How often each trait is in the texts that were learnt. */
export interface TraitCounts {
  readonly facts: number;
  /** The fact that is nobody's, if there is one: its questions say nothing against the others. */
  readonly nobodys: number | undefined;
  /** All texts. */
  readonly whole: Row;
  readonly rows: Map<number, Row>;
  /** Most traits are pairs that are in one text alone: they share a row for each kind of text. */
  readonly alone: readonly Row[];
}

export function countsFor(facts: number, nobodys: number | undefined): TraitCounts {
  const empty = Array.from({ length: 2 * facts }, () => 0);
  const alone = empty.map((_, kind) => ({ counts: empty.with(kind, 1) }));
  return { facts, nobodys, whole: { counts: empty }, rows: new Map(), alone };
}

/** Counts a text of a kind, with its traits. */
export function learn({ whole, rows, alone }: TraitCounts, traits: Iterable<number>, kind: number): void {
  whole.counts[kind]! += 1;
  for (const trait of traits) {
    const row = rows.get(trait);
    if (row === undefined) rows.set(trait, alone[kind]!);
    else if (alone.includes(row)) rows.set(trait, { counts: row.counts.with(kind, row.counts[kind]! + 1) });
    else row.counts[kind]! += 1;
  }
}

/** What is known of some traits, as if texts of these kinds, with traits of their own, had never been learnt. */
export function countsWithout(
  counts: TraitCounts,
  left: { readonly kinds: readonly number[]; readonly traits: ReadonlySet<number> },
  traits: Iterable<number>,
): TraitCounts {
  const forget = (row: Row): Row => {
    const fewer = row.counts.slice();
    for (const kind of left.kinds) if (fewer[kind]! > 0) fewer[kind]! -= 1;
    return { counts: fewer };
  };
  const rows = new Map<number, Row>();
  for (const trait of traits) {
    const row = counts.rows.get(trait);
    if (row === undefined) continue;
    // What is before a question was not learnt of it.
    if (!left.traits.has(trait)) rows.set(trait, { counts: row.counts });
    else if (allIn(row) > left.kinds.length) rows.set(trait, forget(row));
  }
  return { ...counts, whole: forget(counts.whole), rows };
}

/** In how many of a fact's questions a trait stands. */
export function countIn({ counts }: Row, fact: number): number {
  return counts[fact]!;
}

/** What a row says for each fact (above 0) or against it. */
export function saysOf(counts: TraitCounts, row: Row): readonly number[] {
  return (row.says ??= Array.from({ length: counts.facts }, (_, fact) => say(counts, row, fact)));
}

function say(counts: TraitCounts, row: Row, fact: number): number {
  const asked = countIn(row, fact);
  const questions = countIn(counts.whole, fact);
  if (questions === 0) return 0;
  const share = (allAgainst(counts, counts.whole, fact) - questions) / questions;
  return Math.log(((asked + prior) * share) / (allAgainst(counts, row, fact) - asked + prior * share));
}

/** All texts in which a trait stands, a fact's own near misses more than once. */
function allAgainst({ facts, nobodys }: TraitCounts, row: Row, fact: number): number {
  const idle = nobodys === undefined || fact === nobodys ? 0 : row.counts[nobodys]!;
  return allIn(row) - idle + (nearMiss - 1) * row.counts[facts + fact]!;
}

function allIn({ counts }: Row): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
