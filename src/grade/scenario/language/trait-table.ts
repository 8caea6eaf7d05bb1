/** A fact's own near misses say more against it than a question for something else. */
const nearMiss = 8;

/** What is counted as seen of whatever was never seen. */
const prior = 0.1;

/** The counts of a text that is to be forgotten. */
type Own = { readonly asked: number; readonly missed: number; readonly all: number };

const none: Own = { asked: 0, missed: 0, all: 0 };

/**
 * How often each trait stands in the questions of each fact, and behind these in its near misses: a row of numbers.
 * Most traits are pairs that stand in one text alone: they share the first rows, one for each kind of text.
 */
interface Table {
  readonly facts: number;
  readonly kinds: number;
  readonly places: Map<number, number>;
  counts: Uint16Array;
  rows: number;
  /** What each says for each fact, worked out when it is first met. */
  says: (Float64Array | undefined)[];
}

export function tableFor(facts: number): Table {
  const kinds = 2 * facts;
  const counts = new Uint16Array(kinds * 4096);
  for (let kind = 0; kind < kinds; kind++) counts[kind * kinds + kind] = 1;
  return { facts, kinds, places: new Map(), counts, rows: kinds + 1, says: [] };
}

/** The row of all texts. */
export function wholeOf({ kinds }: Table): number {
  return kinds;
}

export function kindOf({ facts }: Table, fact: number, asked: boolean): number {
  return asked ? fact : facts + fact;
}

export function count({ counts, kinds }: Table, row: number, kind: number): void {
  counts[row * kinds + kind]!++;
}

/** A row of its own for a trait that is met in a second text. */
export function split(table: Table, trait: number, kind: number): number {
  const row = table.rows++;
  if ((row + 1) * table.kinds > table.counts.length) {
    const more = new Uint16Array(table.counts.length * 2);
    more.set(table.counts);
    table.counts = more;
  }
  table.places.set(trait, row);
  count(table, row, kind);
  return row;
}

/** In how many of a fact's questions. */
export function countIn({ counts, kinds }: Table, row: number, fact: number): number {
  return counts[row * kinds + fact]!;
}

export function allIn({ counts, kinds }: Table, row: number): number {
  let all = 0;
  for (let kind = 0; kind < kinds; kind++) all += counts[row * kinds + kind]!;
  return all;
}

export function saysOf(table: Table, row: number): Float64Array {
  let says = table.says[row];
  if (!says) {
    says = new Float64Array(table.facts);
    for (let at = 0; at < says.length; at++) says[at] = say(table, { row, at, own: none, forgets: false });
    table.says[row] = says;
  }
  return says;
}

/** What a trait says for a fact; `own` are the counts of the text itself, which are left out. */
export function say(
  table: Table,
  {
    row,
    at,
    own,
    forgets,
  }: { readonly row: number; readonly at: number; readonly own: Own; readonly forgets: boolean },
): number {
  const its = forgets ? own : none;
  const asked = countIn(table, row, at) - its.asked;
  const questions = countIn(table, wholeOf(table), at) - own.asked;
  if (questions <= 0) return 0;
  const against = allIn(table, row) - its.all - asked + moreAgainst(table, row, at, its);
  const others =
    allIn(table, wholeOf(table)) - own.all - questions + moreAgainst(table, wholeOf(table), at, own);
  const share = others / questions;
  return Math.log(((asked + prior) * share) / (against + prior * share));
}

function moreAgainst(table: Table, row: number, at: number, own: Own): number {
  return (nearMiss - 1) * (countIn(table, row, table.facts + at) - own.missed);
}
