/** A fact's own near misses say more against it than a question for something else. */
const nearMiss = 8;

/** What is counted as seen of whatever was never seen. */
const prior = 0.1;

/** In how many texts of each kind a trait stands: the questions of each fact, and behind these its near misses. */
export interface Row {
  readonly counts: Uint16Array;
  /** What it says for each fact; worked out when it is first met. */
  says?: readonly number[];
}

/** How often each trait stands in the texts that were learnt. */
export interface Table {
  readonly facts: number;
  /** The fact that is nobody's, if there is one: its questions say nothing against the others. */
  readonly nobodys: number;
  /** All texts. */
  readonly whole: Row;
  readonly rows: Map<number, Row>;
  /** Most traits are pairs that stand in one text alone: they share a row for each kind of text. */
  readonly alone: readonly Row[];
}

export function tableFor(facts: number, nobodys = -1): Table {
  const alone = Array.from({ length: 2 * facts }, (_, kind) => {
    const row = emptyRow(facts);
    row.counts[kind] = 1;
    return row;
  });
  return { facts, nobodys, whole: emptyRow(facts), rows: new Map(), alone };
}

function emptyRow(facts: number): Row {
  return { counts: new Uint16Array(2 * facts) };
}

export function kindOf({ facts }: Table, fact: number, asked: boolean): number {
  return asked ? fact : facts + fact;
}

/** Counts a text of a kind, with its traits. */
export function learn({ whole, rows, alone }: Table, traits: Iterable<number>, kind: number): void {
  whole.counts[kind]! += 1;
  for (const trait of traits) {
    const row = rows.get(trait);
    if (row === undefined) rows.set(trait, alone[kind]!);
    else if (!alone.includes(row)) row.counts[kind]! += 1;
    else {
      const own = { counts: row.counts.slice() };
      own.counts[kind]! += 1;
      rows.set(trait, own);
    }
  }
}

/** What it holds of some traits, as if texts of these kinds, with traits of their own, had never been learnt. */
export function tableWithout(
  table: Table,
  left: { readonly kinds: readonly number[]; readonly traits: ReadonlySet<number> },
  traits: Iterable<number>,
): Table {
  const forget = ({ counts }: Row): Row => {
    const fewer = counts.slice();
    for (const kind of left.kinds) if (fewer[kind]! > 0) fewer[kind]! -= 1;
    return { counts: fewer };
  };
  const rows = new Map<number, Row>();
  for (const trait of traits) {
    const row = table.rows.get(trait);
    if (row === undefined) continue;
    // What stands before a question was not learnt of it.
    if (!left.traits.has(trait)) rows.set(trait, { counts: row.counts });
    else if (allIn(row) > left.kinds.length) rows.set(trait, forget(row));
  }
  return { ...table, whole: forget(table.whole), rows };
}

/** In how many of a fact's questions a trait stands. */
export function countIn({ counts }: Row, fact: number): number {
  return counts[fact]!;
}

/** What a row says for each fact, above 0, or against it. */
export function saysOf(table: Table, row: Row): readonly number[] {
  return (row.says ??= Array.from({ length: table.facts }, (_, fact) => say(table, row, fact)));
}

function say(table: Table, row: Row, fact: number): number {
  const asked = countIn(row, fact);
  const questions = countIn(table.whole, fact);
  if (questions === 0) return 0;
  const share = (allAgainst(table, table.whole, fact) - questions) / questions;
  return Math.log(((asked + prior) * share) / (allAgainst(table, row, fact) - asked + prior * share));
}

/** All texts in which a trait stands, a fact's own near misses more than once. */
function allAgainst({ facts, nobodys }: Table, row: Row, fact: number): number {
  const idle = nobodys < 0 || fact === nobodys ? 0 : row.counts[nobodys]!;
  return allIn(row) - idle + (nearMiss - 1) * row.counts[facts + fact]!;
}

function allIn({ counts }: Row): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
