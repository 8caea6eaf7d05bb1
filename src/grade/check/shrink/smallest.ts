/**
 * The items that are left when no single one, and no run of them that was tried, can be taken away without losing what
 * `holds` asks for: delta debugging (Zeller and Hildebrandt 2002) by complements. All items together must hold.
 */
export function smallest<Item>(
  items: readonly Item[],
  holds: (items: readonly Item[]) => boolean,
): readonly Item[] {
  let left = items;
  let size = Math.ceil(left.length / 2);
  while (left.length > 0) {
    let taken = false;
    // From the end: what comes before a change is played already.
    for (let end = left.length; end > 0; end -= size) {
      const begin = Math.max(0, end - size);
      const rest = [...left.slice(0, begin), ...left.slice(end)];
      if (!holds(rest)) continue;
      left = rest;
      taken = true;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (!taken) break;
  }
  return left;
}
