import { seededRandom } from '../../base/host/random.ts';

/** What a scenario's cases are thrown with: the same seed gives the same cases on every machine. */
export interface Dice {
  /** Whether something happens that has this chance, from 0 to 1. */
  readonly happens: (chance: number) => boolean;
  /** A whole number, both ends included. */
  readonly from: (least: number, most: number) => number;
  readonly one: <Item>(items: readonly Item[]) => Item;
  /** So many of them, in any order; all of them when left out. */
  readonly some: <Item>(items: readonly Item[], count?: number) => readonly Item[];
}

/** @example const { from, one } = dice(7); const price = from(10, 99); const color = one(['red', 'blue']); */
export function dice(seed: number): Dice {
  const roll = seededRandom(seed);
  const from = (least: number, most: number): number => least + Math.floor(roll() * (most - least + 1));
  return {
    happens: (chance) => roll() < chance,
    from,
    one: (items) => items[from(0, items.length - 1)]!,
    some: (items, count = items.length) => {
      const left = [...items];
      return Array.from(
        { length: Math.min(count, left.length) },
        () => left.splice(from(0, left.length - 1), 1)[0]!,
      );
    },
  };
}
