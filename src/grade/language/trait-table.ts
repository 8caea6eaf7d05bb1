import { NumberMap } from './number-map.ts';
import type { TraitSet } from './traits.ts';

/** A fact's own near misses say more against it than a question for something else. */
const nearMiss = 8;

/** What is counted as seen of whatever was never seen. */
const prior = 0.1;

/**
 * How often each trait stands in the questions of each fact, and behind these in its near misses: a row of numbers.
 * Most traits are pairs that stand in one text alone: they share the first rows, one for each kind of text.
 */
export interface Table {
  readonly facts: number;
  /** The fact that is nobody's, if there is one: its questions say nothing against the others. */
  readonly nobodys: number;
  readonly kinds: number;
  readonly places: NumberMap;
  counts: Uint16Array;
  rows: number;
  /** What each row says for each fact, worked out when it is first met. */
  says: Float64Array;
  isWorkedOut: Uint8Array;
}

export function tableFor(facts: number, nobodys = -1): Table {
  const kinds = 2 * facts;
  const counts = new Uint16Array(kinds * (kinds + 64));
  for (let kind = 0; kind < kinds; kind++) counts[kind * kinds + kind] = 1;
  return { facts, nobodys, kinds, places: new NumberMap(), counts, rows: kinds + 1, ...nothingSaid };
}

const nothingSaid = { says: new Float64Array(0), isWorkedOut: new Uint8Array(0) };

/** The row of all texts. */
function wholeOf({ kinds }: Table): number {
  return kinds;
}

export function kindOf({ facts }: Table, fact: number, asked: boolean): number {
  return asked ? fact : facts + fact;
}

/** Counts a text of a kind, with its traits. */
export function learn(table: Table, traits: TraitSet, kind: number): void {
  count(table, wholeOf(table), kind);
  for (let place = 0; place < traits.size; place++) {
    const trait = traits.at(place);
    const row = table.places.get(trait);
    if (row < 0) table.places.set(trait, kind);
    else if (row >= table.kinds) count(table, row, kind);
    else {
      const own = addRow(table, trait);
      count(table, own, row);
      count(table, own, kind);
    }
  }
}

/** A row of its own for a trait. */
function addRow(table: Table, trait: number): number {
  const row = table.rows++;
  if ((row + 1) * table.kinds > table.counts.length) {
    const more = new Uint16Array(table.counts.length * 2);
    more.set(table.counts);
    table.counts = more;
  }
  table.places.set(trait, row);
  return row;
}

function count({ counts, kinds }: Table, row: number, kind: number): void {
  counts[row * kinds + kind]!++;
}

/** Once all is learnt. */
export function close(table: Table): Table {
  table.counts = table.counts.slice(0, table.rows * table.kinds);
  table.says = new Float64Array(table.rows * table.facts);
  table.isWorkedOut = new Uint8Array(table.rows);
  return table;
}

/** What it holds of some traits, as if texts of these kinds, with traits of their own, had never been learnt. */
export function tableWithout(
  table: Table,
  left: { readonly kinds: readonly number[]; readonly traits: TraitSet },
  traits: readonly number[],
): Table {
  const { kinds } = table;
  const its = tableFor(table.facts, table.nobodys);
  const copy = (row: number, to: number, forgets: boolean) => {
    its.counts.set(table.counts.subarray(row * kinds, (row + 1) * kinds), to * kinds);
    // What stands before a question was not learnt of it.
    if (forgets)
      for (const kind of left.kinds) if (its.counts[to * kinds + kind]! > 0) its.counts[to * kinds + kind]!--;
  };
  copy(wholeOf(table), wholeOf(its), true);
  for (const trait of traits) {
    const row = table.places.get(trait);
    const forgets = left.traits.has(trait);
    if (row >= 0 && !(forgets && allIn(table, row) <= left.kinds.length))
      copy(row, addRow(its, trait), forgets);
  }
  return close(its);
}

/** In how many of a fact's questions a trait stands; of all of them, where none is given. */
export function countIn({ counts, kinds }: Table, fact: number, row = kinds): number {
  return counts[row * kinds + fact]!;
}

function allIn({ counts, kinds }: Table, row: number): number {
  let all = 0;
  for (let kind = 0; kind < kinds; kind++) all += counts[row * kinds + kind]!;
  return all;
}

/** Where in `says` stands what a row says for the first fact, and for the others behind it. */
export function saysFrom(table: Table, row: number): number {
  const from = row * table.facts;
  if (table.isWorkedOut[row] === 0) {
    table.isWorkedOut[row] = 1;
    for (let fact = 0; fact < table.facts; fact++) table.says[from + fact] = say(table, row, fact);
  }
  return from;
}

function say(table: Table, row: number, fact: number): number {
  const asked = countIn(table, fact, row);
  const questions = countIn(table, fact);
  if (questions === 0) return 0;
  const share = (allAgainst(table, wholeOf(table), fact) - questions) / questions;
  return Math.log(((asked + prior) * share) / (allAgainst(table, row, fact) - asked + prior * share));
}

/** All texts in which a trait stands, a fact's own near misses more than once. */
function allAgainst(table: Table, row: number, fact: number): number {
  const { counts, kinds, facts, nobodys } = table;
  const from = row * kinds;
  const idle = nobodys < 0 || fact === nobodys ? 0 : counts[from + nobodys]!;
  return allIn(table, row) - idle + (nearMiss - 1) * counts[from + facts + fact]!;
}
