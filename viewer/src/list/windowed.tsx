import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface WindowedProps {
  readonly count: number;
  /** How high an item is before any was seen. */
  readonly estimate: number;
  /** Up to this many items are all drawn: the browser's own search then finds them, and print shows them. */
  readonly whole?: number;
  /** The item to bring to the top; `asked` changes with each wish, so that the same may be asked for twice. */
  readonly goal?: { readonly item: number; readonly asked: number } | undefined;
  /** Nothing while it is waited for: its place is kept. */
  readonly children: (item: number) => ComponentChildren | undefined;
}

interface Shown {
  readonly from: number;
  readonly to: number;
}

/** Items below each other in the page, of which only those near the window are there. */
export function Windowed({ count, estimate, whole = 60, goal, children }: WindowedProps) {
  const box = useRef<HTMLDivElement>(null);
  const heights = useRef<number[]>([]);
  /** As high as the first ones are; it stays so, for what is above the window must not move. */
  const typical = useRef<number>(undefined);
  const high = typical.current ?? estimate;
  const [shown, setShown] = useState<Shown>({ from: 0, to: Math.min(count, 20) });
  const all = count <= whole;
  const range = all ? { from: 0, to: count } : { from: shown.from, to: Math.min(count, shown.to) };

  const spanOf = (from: number, to: number): number => {
    let sum = 0;
    for (let item = from; item < to; item++) sum += heights.current[item] ?? high;
    return sum;
  };
  const look = (): void => {
    if (all || box.current === null) return;
    const above = -box.current.getBoundingClientRect().top;
    const next = rangeAt(above, { count, estimate: typical.current ?? estimate, heights: heights.current });
    setShown((last) => (last.from === next.from && last.to === next.to ? last : next));
  };

  useLayoutEffect(() => {
    // What is there now has its real height from now on.
    for (const node of box.current?.children ?? []) {
      const { item, waits } = (node as HTMLElement).dataset;
      if (item !== undefined && waits === undefined)
        heights.current[Number(item)] = node.getBoundingClientRect().height;
    }
    const seen = heights.current.filter((height) => height > 0);
    if (seen.length > 2) typical.current ??= seen.reduce((sum, height) => sum + height, 0) / seen.length;
  });
  useEffect(() => {
    if (all) return undefined;
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [all, count]);
  useEffect(() => {
    if (goal === undefined || box.current === null) return undefined;
    let tries = 4;
    let frame = 0;
    const approach = (): void => {
      const node = box.current?.querySelector(`:scope > [data-item="${goal.item}"]`);
      if (node) node.scrollIntoView({ block: 'start' });
      else if (box.current)
        scrollTo({ top: scrollY + box.current.getBoundingClientRect().top + spanOf(0, goal.item) });
      look();
      // The first jump goes by estimates: once the item is there, it is brought to its place.
      if (tries-- > 0) frame = requestAnimationFrame(approach);
    };
    approach();
    return () => cancelAnimationFrame(frame);
  }, [goal?.item, goal?.asked]);

  const items = [];
  for (let item = range.from; item < range.to; item++) {
    const content = children(item);
    const waits = content === undefined;
    items.push(
      <div
        key={item}
        data-item={item}
        data-waits={waits || undefined}
        style={waits ? { height: `${high}px` } : ''}
      >
        {content ?? <p class="waiting quiet">…</p>}
      </div>,
    );
  }
  return (
    <div
      ref={box}
      style={{ paddingTop: `${spanOf(0, range.from)}px`, paddingBottom: `${spanOf(range.to, count)}px` }}
    >
      {items}
    </div>
  );
}

/** The items that a window shows, and half a window more on either side. */
function rangeAt(
  above: number,
  {
    count,
    estimate,
    heights,
  }: { readonly count: number; readonly estimate: number; readonly heights: readonly number[] },
): Shown {
  const top = above - innerHeight / 2;
  const bottom = above + 1.5 * innerHeight;
  let sum = 0;
  let from = 0;
  while (from < count && sum + (heights[from] ?? estimate) < top) sum += heights[from++] ?? estimate;
  let to = from;
  while (to < count && sum < bottom) sum += heights[to++] ?? estimate;
  // In steps of four, so that a slow scroll does not draw at each pixel.
  return { from: Math.max(0, from - (from % 4)), to: Math.min(count, to + 4 - (to % 4)) };
}
