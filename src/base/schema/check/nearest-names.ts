/** The names that someone who wrote `name` may have meant, nearest first. */
export function nearestNames(name: string, known: readonly string[], most = 3): readonly string[] {
  const wanted = plain(name);
  return known
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, plain(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** The one name that someone who wrote `name` most likely meant. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  return nearestNames(name, known, 1)[0];
}

/** Case, separators and prefixes such as `functions.` are what models get wrong most. */
function plain(name: string): string {
  return name
    .replace(/^(functions?|tools?)[.:/]/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** 0 for equal, 2 where one is most of the other, else the edits between them. */
function distanceOf(a: string, b: string): number {
  if (a === b) return 0;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length > 2 && short.length * 2 >= long.length && long.includes(short)) return 2;
  return edits(a.slice(0, 64), b.slice(0, 64));
}

function edits(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const swap = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      line.push(Math.min(swap, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above[b.length] ?? 0;
}

/**
 * The known name of which this one can only be a slip: the same letters but for case and separators, or one or two
 * edits of a name that is long enough for them.
 */
export function slipOf(name: string, known: Iterable<string>): string | undefined {
  const letters = lettersOf(name);
  for (const candidate of known) {
    const most = candidate.length <= 3 ? 0 : candidate.length <= 5 ? 1 : 2;
    if (isWithin(name, candidate, most) || letters === lettersOf(candidate)) return candidate;
  }
  return undefined;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

function isWithin(a: string, b: string, most: number): boolean {
  return a === b || (Math.abs(a.length - b.length) <= most && a.length <= 64 && edits(a, b) <= most);
}
