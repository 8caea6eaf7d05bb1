import { readEnvironment } from '../src/base/host/environment.ts';

/** How often a long test repeats: `small` in `npm test`, `WHET_ROUNDS` times that in CI. */
export function rounds(small: number): number {
  return Math.max(1, Math.round(small * Number(readEnvironment('WHET_ROUNDS') ?? 1)));
}

/** The seed of a random test: printed, so that a failure can be played again with `WHET_SEED`. */
export function seed(name: string): number {
  const chosen = Number(readEnvironment('WHET_SEED') ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`# ${name}: WHET_SEED=${chosen}`);
  return chosen;
}
