import type { EpisodeTurn } from '../../../src/serve/api/turn.ts';
import type { ToolCall, ToolResult } from '../../../src/serve/api/message.ts';
import { type Point, pointsOf } from './action-words.ts';

/** A frame of the film: what was asked of the computer, and what the screen showed then. */
export interface Frame {
  readonly turn: number;
  readonly actions: NonNullable<ToolCall['actions']>;
  readonly call: ToolCall | undefined;
  readonly result: ToolResult;
}

/** The call of a result, which are counted alike over all messages of a turn. */
export function frameIn(turn: EpisodeTurn | undefined, place: number): Frame | undefined {
  const result = turn?.results?.[place];
  if (turn === undefined || result === undefined) return undefined;
  const call = turn.messages.flatMap((message) => message.tool_calls ?? [])[place];
  return { turn: turn.turn, actions: call?.actions ?? [], call, result };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where the pointer went in a frame, in pixels of its picture: through the points of its actions, to where it then was. */
export function trackOf({ actions, result }: Frame, picture: Size): readonly Point[] {
  const asked = actions.flatMap((action) => {
    const scale = scaleOf(action['frame'], picture);
    return pointsOf(action).map(([x, y]): Point => [x * scale[0], y * scale[1]]);
  });
  return result.cursor === undefined ? asked : [...asked, result.cursor];
}

/** What a point of a frame is multiplied with: some models count in cells of a grid, or in pixels of another picture. */
function scaleOf(frame: unknown, { width, height }: Size): Point {
  const { kind, size, ...counted } = (frame ?? {}) as { kind?: string; size?: number } & Partial<Size>;
  if (kind === 'grid' && size !== undefined && size > 0) return [width / size, height / size];
  const isSized = (counted.width ?? 0) > 0 && (counted.height ?? 0) > 0;
  return isSized ? [width / counted.width!, height / counted.height!] : [1, 1];
}
