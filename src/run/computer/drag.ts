import type { Drag, Point } from '../../base/message/action.ts';
import { finished } from '../display/deadline.ts';
import type { Computer } from './computer.ts';

/** A page's own drag and drop begins only after the pointer has gone some pixels with the button down. */
const longestStep = 25;
const mostSteps = 12;

/** Presses at the start, goes through every point of the path in order, and lets go at its end. */
export async function drag(
  action: Drag,
  computer: Computer,
  { place, signal }: { readonly place: (point: Point) => Point; readonly signal: AbortSignal },
): Promise<void> {
  const path = action.xy.map(place);
  const isFromCursor = action.fromCursor === true || path.length === 1;
  const [start, ...rest] = isFromCursor ? [await computer.cursor(signal), ...path] : path;
  await computer.move(start!, signal);
  const pull = async (): Promise<void> => {
    await computer.press('left', 1, signal);
    let from = start!;
    const most = rest.length > 20 ? 1 : mostSteps;
    for (const to of rest) {
      for (const point of between(from, to, most)) await computer.move(point, signal);
      from = to;
    }
  };
  await finished(pull, [(grace) => computer.release('left', 1, grace)], signal);
}

/** The points on the way from one to the other, the last of them the other itself. */
function between(from: Point, to: Point, most: number): readonly Point[] {
  const distance = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const steps = Math.max(1, Math.min(most, Math.max(Math.ceil(distance / longestStep), Math.min(2, most))));
  return Array.from({ length: steps }, (_, index): Point => {
    const part = (index + 1) / steps;
    return part === 1
      ? to
      : [Math.round(from[0] + (to[0] - from[0]) * part), Math.round(from[1] + (to[1] - from[1]) * part)];
  });
}
